/// Finds in a text what tells who somebody is, and puts placeholders in its place.
/// Pure.
///
/// What is known of the person is found in its other spellings too; what nobody
/// declared is found by its form.
package struct Redactor: Sendable {
    package struct Finding: Sendable, Equatable {
        package enum Source: Sendable { case person, pattern }

        /// UTF-8 offsets.
        package var range: Range<Int>
        package var kind: PersonalData.Kind
        package var by: Source
    }

    private let literals: [(bytes: [UInt8], kind: PersonalData.Kind)]

    /// - Parameter hidesEmployers: the names of employers, which stay otherwise.
    package init(_ person: PersonalData, hidesEmployers: Bool = false) {
        literals = person.entries
            .filter { hidesEmployers || $0.kind != .employer }
            .map { (FoldedText($0.value).bytes, $0.kind) }
            .filter { !$0.0.isEmpty }
    }

    /// The text with placeholders. `map.restore` gives the text back.
    package func redact(_ text: String, into map: inout RedactionMap) -> String {
        map.avoid(text)
        let utf8 = Array(text.utf8)
        var output: [UInt8] = []
        output.reserveCapacity(utf8.count)
        var position = 0
        for finding in findings(in: text) {
            output += utf8[position..<finding.range.lowerBound]
            let original = String(decoding: utf8[finding.range], as: UTF8.self)
            output += map.placeholder(for: original, finding.kind).utf8
            position = finding.range.upperBound
        }
        output += utf8[position...]
        return String(decoding: output, as: UTF8.self)
    }

    /// In their order; none overlaps another.
    package func findings(in text: String) -> [Finding] {
        let folded = FoldedText(text)
        var found: [Finding] = []
        for (literal, kind) in literals {
            var start = 0
            while let match = folded.bytes[start...].firstRange(of: literal) {
                if Self.isWord(match, in: folded.bytes) {
                    found.append(
                        Finding(
                            range: folded.starts[
                                match.lowerBound]..<folded.ends[
                                    match.upperBound - 1], kind: kind, by: .person))
                }
                start = match.upperBound
            }
        }
        return Self.resolved(found)
    }

    private static func isWord(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        func isInside(_ index: Int) -> Bool {
            guard bytes.indices.contains(index) else { return false }
            let byte = bytes[index]
            return byte >= 0x80 || byte &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
        return !isInside(range.lowerBound - 1) && !isInside(range.upperBound)
    }

    /// Of those that overlap the one that begins first, then the longest.
    private static func resolved(_ findings: [Finding]) -> [Finding] {
        var kept: [Finding] = []
        let ordered = findings.sorted {
            ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
        }
        for finding in ordered
        where finding.range.lowerBound >= kept.last?.range.upperBound ?? 0 {
            kept.append(finding)
        }
        return kept
    }
}
