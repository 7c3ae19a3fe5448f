import Base

/// The last check of a request before it leaves: does anything in it reveal who the user
/// is, in any form that the receiver could read? Pure.
///
/// It replaces nothing. The redactor has done that; if it has failed, nothing is sent. The
/// gate makes one pass over each reading of a text (as it stands, without tags, without
/// escapes, decoded from base64), and over the borders between fields.
package struct LeakGate: Sendable {
    package struct Leak: Sendable, Equatable {
        package var kind: PersonalData.Kind
        /// The form in which it was hidden: "plain", "split", "base64", "percent".
        package var form: String
        /// The place in the body: `messages[1].content`.
        package var path: String
        /// The text around it. It contains personal data, so it is shown to the user but never
        /// logged.
        package var line: String
    }

    let needles: [LeakNeedle]
    let automaton: PatternAutomaton
    /// The redactor's search for names that are also words: the gate ignores the words that
    /// the redactor leaves.
    let literals: PersonalLiterals

    package init(_ person: PersonalData) {
        needles = LeakNeedle.all(of: person)
        literals = PersonalLiterals(person)
        automaton = PatternAutomaton(needles.map(\.bytes))
    }

    /// Whether there is nothing to search for.
    package var isEmpty: Bool { needles.isEmpty }

    /// The ranges of the names in order.
    func namesThatAreWords(in text: [UInt8]) -> [Range<Int>] {
        let scanned = ScannedText(
            String(validating: text, as: UTF8.self)
                ?? String(decoding: Self.withoutBrokenBytes(text), as: UTF8.self))
        return literals.matches(in: scanned).filter { $0.kind == .name || $0.kind == .url }
            .map { scanned.bytes($0.units) }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Replaces broken bytes without changing the length, so that the text around them
    /// keeps its place.
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

    /// - Parameter body: the body of the request, as it is sent.
    /// - Returns: one leak for each kind in each place, twenty at most.
    package func leaks(in body: [UInt8]) -> [Leak] {
        if isEmpty { return [] }
        var search = LeakSearch(self)
        do {
            search.walk(try JSONParser.parse(body), path: "", key: "", isFixed: false)
        } catch {
            // If it is not JSON, or nested too deeply, it is read as text.
            search.read(body, path: "", key: "", isFixed: false)
        }
        return search.leaks
    }
}
