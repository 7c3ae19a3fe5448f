import Base
import Privacy

/// Parses a plain-text or Markdown résumé. Pure.
enum ResumeReader {
    /// Maximum length in characters, far more than any résumé has.
    static let limit = 100_000

    static func read(_ text: String) -> Resume {
        let apart = MarkdownTable.unfolded(text)
        let plain =
            MarkupText.isMarkup(apart) ? MarkupText.plain(apart) : MarkupText.unescaped(apart)
        let lines = ResumeLine.lines(of: Columns.unfolded(OneLine.unfolded(plain)))
        let cutter = SectionCutter(lines)
        var reader = Reading(lines: lines, cutter: cutter)
        return reader.read()
    }

    private struct Reading {
        let lines: [ResumeLine]
        let cutter: SectionCutter
        var finder = PersonFinder()

        mutating func read() -> Resume {
            let top = cutter.hasHeadings ? cutter.head : Array(lines.prefix(14))
            for line in top {
                if isShort(line) {
                    finder.take(line)
                } else {
                    // The line is a sentence with contact details.
                    for match in ContactScanner.matches(in: line.text) { finder.take(match) }
                }
            }
            for piece in cutter.pieces {
                switch piece.kind {
                case .personal, .contact, .photo, .declaration:
                    for line in piece.lines {
                        finder.take(line)
                    }
                case .references: break
                default:
                    for line in piece.lines where PrivateLine.isPrivate(line) {
                        finder.take(line)
                    }
                }
            }
            let signed = cutter.pieces.filter { $0.kind == .declaration || $0.kind == .personal }
                .flatMap(\.lines)
            if finder.handles.isEmpty {
                // No separate address was found: one in a sentence may also show the name.
                for piece in cutter.pieces where piece.kind != .references {
                    for line in piece.lines {
                        for match in ContactScanner.matches(in: line.text)
                        where match.kind == .email {
                            finder.take(match)
                        }
                    }
                }
            }
            let search = NameFinder(head: top, all: lines, handles: finder.handles)
            for name in search.names(hasName: !finder.names.isEmpty) { finder.add(name) }
            finder.takeOtherSpellings(top + lines.suffix(3), among: lines)
            finder.takeNicknames(lines)
            finder.settleNames()
            finder.takeOtherNames(top + signed + lines.suffix(4))
            let headStays = HeadLines(finder: finder).stay(cutter.head)
            takeAddress(zip(cutter.head, headStays).filter { !$0.1 }.map(\.0))
            for piece in cutter.pieces where piece.kind == .contact || piece.kind == .personal {
                takeAddress(piece.lines)
            }

            var sections: [ResumeSection] = []
            var leftOut: [String] = []
            let head = SectionCutter.Piece(kind: .other, heading: "", lines: cutter.head)
            for piece in [head] + cutter.pieces {
                let stays = piece == head ? headStays : stays(piece)
                let lines = zip(piece.lines, stays)
                leftOut += lines.filter { !$0.1 }.map(\.0.closed)
                let text = BodyText.text(
                    lines.filter(\.1).map(\.0), names: Set(finder.names.flatMap(\.keys)))
                if text.isEmpty {
                    // A heading without text was a word of the list before it.
                    if piece.lines.isEmpty, piece.kind.isSendable, let last = sections.indices.last
                    {
                        sections[last].text += "\n" + piece.heading
                    }
                    continue
                }
                sections.append(
                    ResumeSection(
                        kind: piece.kind.isSendable ? piece.kind : .other,
                        heading: piece.heading.split(separator: " ").joined(separator: " "),
                        text: text))
            }
            var resume = Resume(
                sections: sections, person: finder.person, contact: finder.contact,
                employers: EmployerFinder.names(
                    in: cutter.pieces.filter { Self.namesEmployers($0.kind) }.flatMap(\.lines)),
                leftOut: leftOut)
            resume.language = TextLanguage.guess(resume.body, headings: cutter.languages)
            resume.country = HomeCountry.guess(
                finder.person, contact: finder.contact,
                head: top.map(\.text), language: resume.language)
            return resume
        }

        private static func namesEmployers(_ kind: ResumeSection.Kind) -> Bool {
            kind == .experience || kind == .education || kind == .volunteering || kind == .other
        }

        private func isShort(_ line: ResumeLine) -> Bool {
            line.words.count <= (cutter.hasHeadings ? 20 : 12)
        }

        private mutating func takeAddress(_ lines: [ResumeLine]) {
            let isNearAddress = lines.prefix(20).contains { line in
                LabelledValue.parts(line.text).contains(where: AddressShape.isAddress)
            }
            for (line, next) in zip(lines, lines.dropFirst()).prefix(20)
            where AddressShape.isTown(next.text) && isStreet(line) {
                finder.addStreet(line.closed)
            }
            for line in lines.prefix(20) {
                let parts = LabelledValue.parts(line.text)
                // "Rose Cottage, 3 Back Row · Leeds LS6 2PL"
                for (street, town) in zip(parts, parts.dropFirst())
                where AddressShape.isTown(town) && street.contains(where: \.isNumber)
                    && !AddressShape.isAddress(street) && street.split(separator: " ").count <= 8
                    && ContactScanner.matches(in: street, isHead: true).isEmpty
                    && LabelledValue(street) == nil
                {
                    finder.addStreet(street)
                }
                for part in parts {
                    if let labelled = LabelledValue(part) {
                        if labelled.label == .address { finder.addAddress(labelled.value) }
                        continue
                    }
                    if finder.names.contains(where: { part.hasPrefix($0.text) }) { continue }
                    let rest = PrivateLine.withoutContact(part)
                    if isNearAddress, AddressShape.isHouse(rest) { finder.addStreet(rest) }
                    if AddressShape.isAddress(rest) || AddressShape.isPlace(rest) {
                        finder.addAddress(AddressShape.trimmed(rest))
                    }
                }
            }
        }

        /// Whether a line above postal code and town can be the street, whatever its name:
        /// "Rose Cottage, 3 Back Row", "Plaza del Olivo, s/n".
        private func isStreet(_ line: ResumeLine) -> Bool {
            (2...8).contains(line.words.count) && line.text.first?.isLowercase != true
                && LabelledValue.all(in: line).isEmpty && !finder.isNameLine(line)
                && ContactScanner.matches(in: line.text, isHead: true).isEmpty
                && !SectionCutter.isTitle(line) && !JobReader.isRole(line.text)
                && !line.text.contains(where: { "|•·:".contains($0) })
        }

        // MARK: - Kept lines

        /// Whether each line of a section may be sent.
        private mutating func stays(_ piece: SectionCutter.Piece) -> [Bool] {
            let lines = piece.lines
            switch piece.kind {
            case .references, .declaration: return lines.map { _ in false }
            case .personal, .contact, .photo:
                return HeadLines(finder: finder, isPersonal: true).stay(lines)
            default: break
            }
            var stays = lines.indices.map { index in
                BodyText.goesOn(lines, index)
                    || !(finder.isNameLine(lines[index]) || PrivateLine.isPrivate(lines[index])
                        || SectionCutter.isDeclaration(lines[index].text))
            }
            // Without headings, the first lines are the header.
            let top = cutter.hasHeadings ? 0 : lines.prefix(14).prefix { !isWork($0) }.count
            stays.replaceSubrange(
                ..<top, with: HeadLines(finder: finder).stay(Array(lines[..<top])))
            // A header in the middle: below the sidebar of an exported profile.
            if cutter.hasHeadings, let start = lines.firstIndex(where: finder.isNameLine),
                lines.count - start <= 6
            {
                let head = HeadLines(finder: finder).stay(Array(lines[start...]))
                stays.replaceSubrange(start..., with: head)
            }
            var foot = lines.count
            if piece == cutter.pieces.last(where: { $0.kind.isSendable }) {
                foot = max(top, footStart(lines))
            }
            for index in foot..<lines.count { stays[index] = false }
            if finder.contact.address.isEmpty {
                takeAddress(lines.indices.filter { !stays[$0] }.map { lines[$0] })
            }
            return stays
        }

        /// Whether the line is a sentence, or a job with its years.
        private func isWork(_ line: ResumeLine) -> Bool {
            let isSentence = line.text.last == "." && line.words.count >= 5
            return (isSentence || line.hasYear && line.words.count >= 3)
                && !PrivateLine.isPrivate(line) && !finder.isNameLine(line)
                && LabelledValue.all(in: line).isEmpty
        }

        /// The start of name, address and signature below the last section.
        private func footStart(_ lines: [ResumeLine]) -> Int {
            var end = lines.count
            // An address alone may be part of the text.
            var isCertain = false
            for index in lines.indices.suffix(12).reversed() {
                let line = lines[index]
                if line.words.count > 18 || line.isBullet { break }
                let isSure =
                    finder.isNameLine(line) || PrivateLine.isPrivate(line)
                    || PrivateLine.isSignature(line, finder.names)
                    // "née Holm"
                    || line.words.count <= 3
                        && finder.names.dropFirst().contains { name in
                            name.keys.last
                                == ResumeWords.key(line.words.last ?? "")
                        }
                let isOfFoot =
                    isSure
                    || (line.hasBlankBefore || end == index + 1)
                        && AddressShape.isAddress(line.text) && !line.hasYear
                    // "Freiburg, im März 2024" above a name.
                    || end < lines.count && line.words.count <= 6 && line.text.contains(",")
                        && line.hasYear && line.hasBlankBefore
                guard isOfFoot else {
                    // Allow a line in between, such as a town.
                    if end < lines.count, line.words.count <= 4, line.hasBlankBefore { continue }
                    break
                }
                isCertain = isCertain || isSure
                end = index
            }
            return isCertain ? end : lines.count
        }

    }
}

/// Splits a résumé that was pasted as one line, with dashes or bars between its parts: one
/// line per part. Pure; other texts are returned unchanged.
enum OneLine {
    static func unfolded(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count <= 4, let long = lines.first(where: { $0.count > 200 }) else {
            return text
        }
        let sign = [" – ", " — ", " | ", " · ", " • ", " - ", " / "]
            .map { sign in
                (sign, parts: long.replacing(sign, with: "\n").split(separator: "\n").count)
            }
            .max { $0.parts < $1.parts }
        guard let sign, sign.parts >= 5 else { return text }
        return text.replacing(sign.0, with: "\n")
    }
}
