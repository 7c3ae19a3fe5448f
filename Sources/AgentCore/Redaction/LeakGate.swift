/// The last look at a request before it leaves: does anything in it tell who the
/// person is, in whatever form the receiver could read it? Pure.
///
/// It replaces nothing. The redactor has done that; where it has failed, nothing is
/// sent.
package struct LeakGate: Sendable {
    package struct Leak: Sendable, Equatable {
        package var kind: PersonalData.Kind
        /// How it was hidden: "plain", "base64", "percent".
        package var form: String
        /// What is around it. It tells who the person is: for the user's eyes only,
        /// never for the log.
        package var line: String
    }

    private let literals: [(bytes: [UInt8], kind: PersonalData.Kind)]

    package init(_ person: PersonalData) {
        literals = person.entries.map { (FoldedText($0.value).bytes, $0.kind) }
            .filter { !$0.0.isEmpty }
    }

    /// - Parameter body: of the request, as it is sent.
    package func leaks(in body: [UInt8]) -> [Leak] {
        let text = String(decoding: body, as: UTF8.self)
        let folded = FoldedText(text)
        return literals.compactMap { literal, kind in
            guard let match = folded.bytes.firstRange(of: literal) else { return nil }
            let start = max(match.lowerBound - 40, 0)
            let end = min(match.upperBound + 40, folded.bytes.count)
            return Leak(
                kind: kind, form: "plain",
                line: String(decoding: folded.bytes[start..<end], as: UTF8.self))
        }
    }
}
