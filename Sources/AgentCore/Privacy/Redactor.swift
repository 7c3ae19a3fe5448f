import Base

/// Finds personal data in a text, and puts placeholders in its place. Pure.
///
/// The user's known details are found in other spellings too
/// (`PersonalLiterals`); undeclared ones are found by their form (`PatternFinder`).
package struct Redactor: Sendable {
    package struct Finding: Sendable, Equatable {
        package enum Source: Sendable { case person, pattern }

        /// The range in the text, in UTF-8 offsets.
        package var range: Range<Int>
        package var kind: PersonalData.Kind
        package var by: Source
    }

    private let person: PersonalData
    private let literals: PersonalLiterals
    /// The employers, which stay even if they are called like a person.
    private let employers: PersonalLiterals?
    private let memo: RedactionMemo?
    private let readsProse: Bool

    /// - Parameters:
    ///   - hidesEmployers: whether the names of employers are redacted, which stay
    ///     otherwise.
    ///   - memo: the cache of earlier findings; one for each conversation.
    ///   - readsProse: whether names of people without a label are found, too.
    package init(
        _ person: PersonalData, hidesEmployers: Bool = false, memo: RedactionMemo? = nil,
        readsProse: Bool = false
    ) {
        self.readsProse = readsProse
        self.person = person
        self.memo = memo
        literals = PersonalLiterals(person, hidesEmployers: hidesEmployers)
        let stay = person.entries.filter { $0.kind == .employer }
        employers =
            stay.isEmpty || hidesEmployers || !readsProse
            ? nil : PersonalLiterals(PersonalData(stay))
        memo?.begin(person)
    }

    /// The text with placeholders. `map.restore` gives the text back.
    ///
    /// A placeholder in the text that the map has already given out gets a new one, so that
    /// it is not taken for the map's.
    package func redact(_ text: String, into map: inout RedactionMap) -> String {
        let utf8 = Array(text.utf8)
        let findings =
            memo?.findings(in: text, of: person) { self.findings(in: text) }
            ?? self.findings(in: text)
        let reserved = map.reserve(placeholdersIn: utf8)
        var output: [UInt8] = []
        output.reserveCapacity(utf8.count)
        var position = 0
        func copy(to end: Int) {
            for (range, kind) in reserved
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

    /// The findings in order, without overlaps.
    ///
    /// A long text is read in overlapping windows, so that memory use does not grow with it. A name
    /// introduced once by a label, a closing or "née" counts in the whole text, and so does a date
    /// of birth.
    package func findings(in text: String) -> [Finding] {
        let utf8 = Array(text.utf8)
        var found: [Finding] = []
        var declared = PersonalData()
        Self.overWindows(utf8) { window, scanned in
            let (pieces, names) = findings(in: scanned)
            found += pieces.compactMap { window.placed($0, in: utf8) }
            for match in names where declared.entries.count < Self.mostDeclared {
                let place = window.shifted(scanned.bytes(match.units))
                declared.add(match.kind, String(decoding: utf8[place], as: UTF8.self))
            }
        }
        if !declared.isEmpty {
            let literals = PersonalLiterals(declared)
            Self.overWindows(utf8) { window, scanned in
                found += literals.matches(in: scanned)
                    // In lower case a declared surname may be a word.
                    .filter { !readsProse || $0.kind != .name || scanned.isNameStill($0.units) }
                    .filter { $0.kind != .birthDate || $0.units.count(where: scanned.isDigit) > 4 }
                    .map { Finding(range: scanned.bytes($0.units), kind: $0.kind, by: .pattern) }
                    .compactMap { window.placed($0, in: utf8) }
            }
        }
        if let employers {
            var stay: [Range<Int>] = []
            Self.overWindows(utf8) { window, scanned in
                stay += employers.matches(in: scanned).map {
                    window.shifted(scanned.bytes($0.units))
                }
            }
            found.removeAll { one in
                one.kind == .name && one.by == .pattern && stay.contains { $0.contains(one.range) }
            }
        }
        found += encoded(utf8)
        found += KeyShape.ranges(in: utf8).map {
            Finding(range: $0, kind: .identifier, by: .pattern)
        }
        return Self.resolved(found).map { finding in
            // "@ida" is a handle, even though it contains a name.
            guard finding.kind == .name || finding.kind == .email,
                utf8[finding.range.lowerBound] == UInt8(ascii: "@")
            else { return finding }
            var finding = finding
            finding.kind = .url
            return finding
        }
    }

    /// Base64 that contains readable personal data.
    private func encoded(_ utf8: [UInt8]) -> [Finding] {
        func isDigit(_ byte: UInt8) -> Bool {
            byte >= 0x30 && byte < 0x3A || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
                || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
        }
        var found: [Finding] = []
        var start = 0
        while start < utf8.count {
            var end = start
            while end < utf8.count, isDigit(utf8[end]) { end += 1 }
            defer { start = end + 1 }
            guard Self.encodedLength.contains(end - start) else { continue }
            while end < utf8.count, utf8[end] == UInt8(ascii: "=") { end += 1 }
            HiddenText.base64(in: Array(utf8[start..<end])) { text, _ in
                let scanned = ScannedText(String(decoding: text, as: UTF8.self))
                guard let inner = findings(in: scanned).found.first else { return }
                found.append(Finding(range: start..<end, kind: inner.kind, by: inner.by))
            }
        }
        return found
    }

    /// Lengths of base64 that is decoded: shorter runs are words, longer ones pictures.
    private static let encodedLength = 16...2_048

    /// Maximum number of declared names; a text with more is a directory, not a letter.
    private static let mostDeclared = 200

    private func findings(
        in scanned: ScannedText
    ) -> (found: [Finding], declared: [PatternFinder.Match]) {
        let matches = literals.matches(in: scanned)
        let known = matches.map {
            Finding(range: scanned.bytes(scanned.withPoint($0)), kind: $0.kind, by: .person)
        }
        let names = matches.filter { $0.kind == .name }.map(\.units)
        // "R. Marchand en 1993" is not a street, if that is a name.
        let initialled = Set(
            names.filter { scanned.ascii($0.lowerBound + 1) == 0x2E }.map(\.lowerBound))
        let formed = PatternFinder(readsProse: readsProse).matches(in: scanned, known: names)
            .filter { match in
                // Nor is "Pilar Calle en 1993".
                match.kind != .address
                    || !initialled.contains(match.units.lowerBound)
                        && !names.contains {
                            $0.contains(match.units.lowerBound)
                                && scanned.has(.space, $0.upperBound)
                        }
            }
        let found = formed.map {
            Finding(
                range: scanned.bytes(scanned.withPoint(.init(units: $0.units, kind: $0.kind))),
                kind: $0.kind, by: .pattern)
        }
        return (known + found, formed.filter { $0.isDeclared || $0.kind == .birthDate })
    }

    // MARK: - Windows

    private struct Window {
        /// The window's own range: it keeps the findings that begin there.
        var own: Range<Int>
        /// The range that is scanned: `own` and the text around it.
        var seen: Range<Int>

        func shifted(_ range: Range<Int>) -> Range<Int> {
            range.lowerBound + seen.lowerBound..<range.upperBound + seen.lowerBound
        }

        /// Nil for a finding of another window. One that touches the end of the window,
        /// such as a link without an end, is extended to the next blank.
        func placed(_ finding: Finding, in text: [UInt8]) -> Finding? {
            var finding = finding
            finding.range = shifted(finding.range)
            guard own.contains(finding.range.lowerBound) else { return nil }
            var end = finding.range.upperBound
            if end == seen.upperBound {
                while end < text.count, text[end] > 0x20 { end += 1 }
                finding.range = finding.range.lowerBound..<end
            }
            return finding
        }
    }

    private static let windowSize = 32_768
    private static let margin = 1_024

    private static func overWindows(_ utf8: [UInt8], _ body: (Window, ScannedText) -> Void) {
        func isCut(_ index: Int) -> Bool {
            !utf8.indices.contains(index) || utf8[index] & 0xC0 != 0x80
        }
        var start = 0
        repeat {
            var end = min(start + windowSize, utf8.count)
            if end < utf8.count {
                // Cut at the end of a line, if there is one near; else between characters.
                let line = utf8[(end - windowSize / 2)..<end].lastIndex(of: 0x0A)
                end = line.map { $0 + 1 } ?? end
                while !isCut(end) { end -= 1 }
            }
            var (first, last) = (max(start - margin, 0), min(end + margin, utf8.count))
            while !isCut(first) { first -= 1 }
            while !isCut(last) { last += 1 }
            let text = String(decoding: utf8[first..<last], as: UTF8.self)
            body(Window(own: start..<end, seen: first..<last), ScannedText(text))
            start = end
        } while start < utf8.count
    }

    /// Findings that overlap become one that covers both: of the kind of the longer; if
    /// they are equally long, the user's wins, and a name before data made of it, such as
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
    /// Whether it is capitalised, and not as in "Noah's Ark", "Jordan toothpaste".
    fileprivate func isNameStill(_ range: Range<Int>) -> Bool {
        let (start, end) = (range.lowerBound, range.upperBound)
        guard has(.upper, start) || units[start] >= 0x590 else { return false }
        if isFollowedByThing(end, onlyCapitals: true) { return false }
        guard has(.space, end), isLetter(end + 1),
            RedactionWords.alsoThings.contains(Array(units[range]))
        else { return true }
        let next = words[word(from: end)]
        return !next.isCapital && RedactionWords.humanVerbs.contains(folded(next))
    }

    /// An address with the full stop of the abbreviation at its end: "4º izq. hasta 2009".
    fileprivate func withPoint(_ match: PersonalLiterals.Match) -> Range<Int> {
        let (start, end) = (match.units.lowerBound, match.units.upperBound)
        guard match.kind == .address, ascii(end) == 0x2E else { return match.units }
        let next = skippingSpace(end + 1)
        let goesOn = ascii(next) == 0x2C || isWord(next) && !has(.upper, next)
        return start..<(goesOn ? end + 1 : end)
    }
}
