/// Finds personal data of people not in the profile, by its form alone. Pure.
///
/// It prefers to miss some: a year, a version, an amount or a product's name stays. Names are found
/// only if the words around them show it; cities and employers stay.
package struct PatternFinder: Sendable {
    package struct Match: Sendable, Equatable {
        /// The range in the units of the scanned text.
        var units: Range<Int>
        package var kind: PersonalData.Kind
        /// Whether the text itself declares it a name, so that it is a name elsewhere in it, too.
        var isDeclared = false
    }

    private let readsProse: Bool

    /// - Parameter readsProse: whether names of people without a label are found, too.
    package init(readsProse: Bool = false) { self.readsProse = readsProse }

    /// The ranges of e-mail addresses, in UTF-8 offsets.
    package static func emails(in text: String) -> [Range<Int>] {
        let scanned = ScannedText(text)
        return EmailPattern(scanned).ranges().map(scanned.bytes)
    }

    /// Whether a postal code stands beside its city, in a line where that is likely.
    package static func hasPostalCode(_ line: String) -> Bool {
        let text = ScannedText(line)
        // A year is not a postal code.
        let likely = text.words.filter {
            $0.count != 4 || !["19", "20"].contains(text.text($0.start..<$0.start + 2))
        }
        return !PostalPlaces(text).ranges(streets: [], labelled: Set(likely.map(\.start))).isEmpty
    }

    /// - Parameter known: the ranges of names of the profile, in order.
    package func matches(in text: ScannedText, known: [Range<Int>] = []) -> [Match] {
        let labels = LabelScan(text)
        var found: [Match] = []
        func add(_ ranges: [Range<Int>], _ kind: PersonalData.Kind) {
            for range in ranges where !range.isEmpty {
                found.append(Match(units: range, kind: kind))
            }
        }
        let emails = EmailPattern(text).ranges()
        let links = LinkPattern(text, labels).ranges()
        add(emails, .email)
        add(links, .url)
        add(
            IdentifierPattern(text, labels).ranges() + MachinePattern(text: text).ranges(),
            .identifier)
        // Digits in a link are not a phone number.
        let taken = (emails + links).sorted { $0.lowerBound < $1.lowerBound }
        let phones = PhonePattern(text, labels).ranges(outside: taken)
        add(phones, .phone)
        let fields = Dictionary(grouping: TablePattern(text: text, emails: emails).fields()) {
            $0.label
        }.mapValues { $0.map(\.field) }
        add(labels.birthDates() + fields[.birth, default: []], .birthDate)
        add(fields[.phone, default: []], .phone)
        add(labels.hits(.origin).compactMap(labels.origin), .identifier)
        add(fields[.identifier, default: []], .identifier)
        let names = NamePattern(text, labels, emails: emails)
        var declared =
            names.declared(beside: known) + fields[.name, default: []]
            + fields[.party, default: []] + phones.compactMap(names.before(phone:))
        declared += names.authors(beside: known + declared)
        if readsProse {
            let prose = names.inProse(declared + known)
            add(prose.single, .name)
            declared += prose.declared
        }
        let people = declared + known
        add(
            StreetPattern(text, labels).ranges(behind: people.map(\.upperBound))
                + fields[.address, default: []], .address)
        for range in declared {
            found.append(Match(units: range, kind: .name, isDeclared: true))
        }
        return found.filter { $0.kind != .name || !names.isKnownOtherwise($0.units) }
    }
}

/// The labels of a text, found once for all patterns. Pure.
struct LabelScan {
    struct Hit {
        var label: RedactionWords.Label
        var start: Int
        var end: Int
    }

    let text: ScannedText
    private var hits: [RedactionWords.Label: [Hit]] = [:]

    init(_ text: ScannedText) {
        self.text = text
        for word in text.words where text.isWordStart(word.start) {
            var longest: [RedactionWords.Label: Int] = [:]
            for found in text.labels(at: word.start) { longest[found.label] = found.end }
            for (label, end) in longest {
                hits[label, default: []].append(Hit(label: label, start: word.start, end: end))
            }
        }
    }

    /// The hits in order.
    func hits(_ label: RedactionWords.Label) -> [Hit] { hits[label] ?? [] }

    /// The start of the value after a label: after a colon, a dash, a bracket with a word
    /// in it, "no.".
    func value(behind hit: Hit) -> (start: Int, hasColon: Bool) {
        var index = hit.end
        var hasColon = false
        for _ in 0..<6 {
            while text.has(.space, index)
                || [0x22, 0x2E, 0x3A, 0x2D, 0x3C, 0x3D, 0x7C, 0x2F, 0x2A, 0x5F, 0x23].contains(
                    text.ascii(index))
            {
                if [0x3A, 0x3D, 0x7C].contains(text.ascii(index)) { hasColon = true }
                index += 1
            }
            if text.ascii(index) == 0x28, text.isLetter(index + 1),
                let close = (index..<min(index + 24, text.count)).first(where: {
                    text.ascii($0) == 0x29
                })
            {
                index = close + 1
            } else if let end = filler(index) {
                index = end
            } else {
                break
            }
        }
        return (index, hasColon)
    }

    /// Words between a label and its number: "no.", "number", "is", "mobile".
    private func filler(_ start: Int) -> Int? {
        guard text.isLetter(start) else { return nil }
        var end = start
        while text.isLetter(end) { end += 1 }
        guard !text.isDigit(end) else { return nil }
        return RedactionWords.fillers.contains(Array(text.units[start..<end])) ? end : nil
    }

    /// The dates after a label such as "born".
    func birthDates() -> [Range<Int>] {
        starred()
            + hits(.birth).compactMap { hit in
                if let date = dateBelow(hit) { return date }
                let start = value(behind: hit).start
                let index = text.word(from: start)
                for offset in 0..<6 where index + offset < text.words.count {
                    let word = text.words[index + offset]
                    // The place of birth may stand in between.
                    let gap = Range.span(hit.end, word.start)
                    let isNext =
                        offset == 0 && gap.count <= 80 && gap.allSatisfy { text.has(.blank, $0) }
                    guard
                        isNext
                            || gap.count <= 40 && !gap.contains(where: { text.has(.newline, $0) })
                            || gap.count <= 4
                    else { return nil }
                    if let date = ScannedDate.date(at: index + offset, in: text) {
                        return withPlace(date.units)
                    }
                }
                return nil
            }
    }

    /// "Place of birth: Leeds", "Nationality    Swedish": up to the end of the field.
    func origin(_ hit: Hit) -> Range<Int>? {
        let (start, hasColon) = value(behind: hit)
        guard hasColon || start - hit.end > 2, text.isLetter(start) else { return nil }
        let end = text.units.indices[start...].prefix(48).first {
            text.has(.newline, $0) || text.has(.space, $0) && text.has(.space, $0 + 1)
                || [0x28, 0x2C, 0x3B, 0x7C].contains(text.ascii($0))
        }
        return end.map { start..<$0 }
    }

    /// The date, and " in Leeds" behind it.
    private func withPlace(_ date: Range<Int>) -> Range<Int> {
        let index = text.word(from: date.upperBound)
        guard index + 1 < text.words.count, text.words[index].start == date.upperBound + 1,
            RedactionWords.beforeHomes.contains(text.folded(text.words[index])),
            text.words[index + 1].start == text.words[index].end + 1,
            let end = PostalPlaces(text).cityEnd(text.words[index].end)
        else { return date }
        return date.lowerBound..<end
    }

    /// "*14.5.1990", as German has it; "* 14 de mayo de 1990" alone in its line.
    private func starred() -> [Range<Int>] {
        text.units.indices.compactMap { index in
            let start = text.has(.space, index + 1) ? index + 2 : index + 1
            guard text.ascii(index) == 0x2A, text.isDigit(start), !text.isWord(index - 1),
                text.ascii(index - 1) != 0x2A
            else { return nil }
            let date = ScannedDate.date(at: text.word(from: index), in: text)?.units
            return date.flatMap {
                start == index + 1 || $0.upperBound == text.lineEnd(start) ? $0 : nil
            }
        }
    }

    /// The date under its label, if the other column's text stands beside the label.
    private func dateBelow(_ hit: Hit) -> Range<Int>? {
        var next = hit.end
        while text.ascii(next) == 0x3A || text.ascii(next) == 0x2A { next += 1 }
        let isAlone = text.skippingSpace(next) - next >= 3 || text.has(.newline, next)
        let end = text.lineEnd(next)
        let column = hit.start - text.lineStart(hit.start)
        guard isAlone, end < text.count, text.skippingSpace(end + 1) == end + 1 + column else {
            return nil
        }
        let index = text.word(from: end + 1 + column)
        guard index < text.words.count, text.words[index].start == end + 1 + column else {
            return nil
        }
        return ScannedDate.date(at: index, in: text)?.units
    }
}
