/// Finds in a text what identifies a person, and puts placeholders in its place.
/// Pure.
///
/// The user's known details are found in other spellings too
/// (`PersonalLiterals`); undeclared ones are found by their form (`PatternFinder`).
package struct Redactor: Sendable {
    package struct Finding: Sendable, Equatable {
        package enum Source: Sendable { case person, pattern }

        /// UTF-8 offsets.
        package var range: Range<Int>
        package var kind: PersonalData.Kind
        package var by: Source
    }

    private let literals: PersonalLiterals

    /// - Parameter hidesEmployers: the names of employers, which stay otherwise.
    package init(_ person: PersonalData, hidesEmployers: Bool = false) {
        literals = PersonalLiterals(person, hidesEmployers: hidesEmployers)
    }

    /// The text with placeholders. `map.restore` gives the text back.
    ///
    /// A placeholder that stands in the text and that the map has given out already
    /// gets one of its own, so that it is not taken for the map's.
    package func redact(_ text: String, into map: inout RedactionMap) -> String {
        let utf8 = Array(text.utf8)
        let findings = findings(in: text)
        let foreign = map.reserve(placeholdersIn: utf8)
        var output: [UInt8] = []
        output.reserveCapacity(utf8.count)
        var position = 0
        func copy(to end: Int) {
            for (range, kind) in foreign
            where range.lowerBound >= position && range.upperBound <= end {
                output += utf8[position..<range.lowerBound]
                output += map.placeholder(forUTF8: utf8[range], kind).utf8
                position = range.upperBound
            }
            output += utf8[position..<end]
            position = end
        }
        for finding in findings {
            copy(to: finding.range.lowerBound)
            output += map.placeholder(forUTF8: utf8[finding.range], finding.kind).utf8
            position = finding.range.upperBound
        }
        copy(to: utf8.count)
        return String(decoding: output, as: UTF8.self)
    }

    /// In their order; none overlaps another.
    package func findings(in text: String) -> [Finding] {
        let scanned = ScannedText(text)
        let matches = literals.matches(in: scanned)
        let known = matches.map {
            Finding(range: scanned.bytes(scanned.withPoint($0)), kind: $0.kind, by: .person)
        }
        // "R. Marchand en 1993" is not a street, if that is who it is.
        let initialled = Set(
            matches.filter { $0.kind == .name && scanned.ascii($0.units.lowerBound + 1) == 0x2E }
                .map(\.units.lowerBound))
        let formed = PatternFinder().matches(in: scanned)
            .filter { $0.kind != .address || !initialled.contains($0.units.lowerBound) }
            .map {
                Finding(
                    range: scanned.bytes(scanned.withPoint(.init(units: $0.units, kind: $0.kind))),
                    kind: $0.kind, by: .pattern)
            }
        let utf8 = Array(text.utf8)
        return Self.resolved(known + formed).map { finding in
            // "@ida" is a handle, even with a name in it.
            guard finding.kind == .name || finding.kind == .email,
                utf8[finding.range.lowerBound] == UInt8(ascii: "@")
            else { return finding }
            var finding = finding
            finding.kind = .url
            return finding
        }
    }

    /// Those that overlap become one that covers both: of the kind of the longer; where
    /// they are as long, of the user's, and a name before what is made of it, such as
    /// the local part of an address.
    private static func resolved(_ findings: [Finding]) -> [Finding] {
        var kept: [Finding] = []
        var longest = 0
        func rank(_ finding: Finding) -> Int {
            let kinds: [PersonalData.Kind] = [.name, .identifier]
            return (finding.by == .person ? 0 : 100)
                + (kinds.firstIndex(of: finding.kind) ?? kinds.count)
        }
        let ordered = findings.filter { !$0.range.isEmpty }.sorted {
            ($0.range.lowerBound, -$0.range.count, rank($0))
                < ($1.range.lowerBound, -$1.range.count, rank($1))
        }
        for finding in ordered {
            guard let last = kept.last, finding.range.lowerBound < last.range.upperBound else {
                kept.append(finding)
                longest = finding.range.count
                continue
            }
            var both = last
            both.range =
                last.range.lowerBound..<max(last.range.upperBound, finding.range.upperBound)
            if finding.range.count > longest {
                (both.kind, both.by) = (finding.kind, finding.by)
                longest = finding.range.count
            }
            if finding.by == .person { both.by = .person }
            kept[kept.count - 1] = both
        }
        return kept
    }
}

extension ScannedText {
    /// An address with the point of the abbreviation at its end: "4º izq. hasta 2009".
    fileprivate func withPoint(_ match: PersonalLiterals.Match) -> Range<Int> {
        let (start, end) = (match.units.lowerBound, match.units.upperBound)
        guard match.kind == .address, ascii(end) == 0x2E else { return match.units }
        let next = skippingSpace(end + 1)
        let goesOn = ascii(next) == 0x2C || isWord(next) && !has(.upper, next)
        return start..<(goesOn ? end + 1 : end)
    }
}
