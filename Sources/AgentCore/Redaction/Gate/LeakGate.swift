/// The last look at a request before it leaves: does anything in it tell who the
/// person is, in whatever form the receiver could read it? Pure.
///
/// It replaces nothing. The redactor has done that; where it has failed, nothing is
/// sent. It takes one pass over each reading of a text (as it stands, without tags,
/// without escapes, out of base64), and over the seams between fields.
package struct LeakGate: Sendable {
    package struct Leak: Sendable, Equatable {
        package var kind: PersonalData.Kind
        /// How it was hidden: "plain", "split", "base64", "percent".
        package var form: String
        /// Where in the body: `messages[1].content`.
        package var path: String
        /// What is around it. It tells who the person is: for the user's eyes only,
        /// never for the log.
        package var line: String
    }

    let needles: [LeakNeedle]
    let automaton: PatternAutomaton
    /// What the redactor finds of a name that is a word: where it leaves such a word,
    /// the gate does.
    let literals: PersonalLiterals

    package init(_ person: PersonalData) {
        needles = LeakNeedle.all(of: person)
        literals = PersonalLiterals(person)
        automaton = PatternAutomaton(needles.map(\.bytes))
    }

    /// Nothing is searched for.
    package var isEmpty: Bool { needles.isEmpty }

    /// - Parameter body: of the request, as it is sent.
    /// - Returns: one for each kind in each place, twenty at most.
    package func leaks(in body: [UInt8]) -> [Leak] {
        if isEmpty { return [] }
        var search = LeakSearch(self)
        do {
            search.walk(try JSONParser.parse(body), path: "", key: "", isFixed: false)
        } catch {
            // Not JSON, or nested deeper than is read: as text.
            search.read(body, path: "", key: "", isFixed: false)
        }
        return search.leaks
    }
}
