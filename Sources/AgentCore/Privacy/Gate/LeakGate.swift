import Base

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
        /// The text around it. It contains personal data: shown to the user, never
        /// logged.
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

    /// In their order.
    func namesThatAreWords(in text: [UInt8]) -> [Range<Int>] {
        let scanned = ScannedText(
            String(validating: text, as: UTF8.self)
                ?? String(decoding: Self.withoutBrokenBytes(text), as: UTF8.self))
        return literals.matches(in: scanned).filter { $0.kind == .name || $0.kind == .url }
            .map { scanned.bytes($0.units) }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// As long as it was: what stands before and after such a byte keeps its place.
    private static func withoutBrokenBytes(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var bytes = text.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let scalar): output += scalar
            case .error(let length): output += repeatElement(0x1A, count: length)
            case .emptyInput: return output
            }
        }
    }

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
