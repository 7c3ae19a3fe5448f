import Base
import Privacy

/// Reads a résumé that is plain text or Markdown. Pure.
enum ResumeReader {
    /// Characters: far more than any résumé has.
    static let limit = 100_000

    static func read(_ text: String) -> Resume {
        let apart = MarkdownTable.unfolded(text)
        let plain = MarkupText.isMarkup(apart) ? MarkupText.plain(apart) : apart
        let lines = ResumeLine.lines(
            of: Columns.unfolded(OneLine.unfolded(LaTeXText.plain(plain))))
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
                if cutter.hasHeadings || isShort(line) {
                    finder.take(line)
                    finder.takeBirthDate(line)
                    finder.takeFormerNames(line)
                } else {
                    // A sentence with contact details.
                    for match in ContactScanner.matches(in: line.text) { finder.take(match) }
                }
            }
            for piece in cutter.pieces {
                switch piece.kind {
                case .personal, .contact, .photo, .declaration:
                    for line in piece.lines {
                        finder.take(line)
                        finder.takeFormerNames(line)
                    }
                case .references: break
                default:
                    for line in piece.lines where PrivateLine.isPrivate(line) {
                        finder.take(line)
                    }
                }
            }
            for line in lines.suffix(4) { finder.takeFormerNames(line) }
            let signed = cutter.pieces.filter { $0.kind == .declaration || $0.kind == .personal }
                .flatMap(\.lines)
            if finder.handles.isEmpty {
                // None stood apart: one in a sentence may tell the name as well.
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
            if finder.names.isEmpty, let block = contactBlock() {
                let nearby = NameFinder(head: block, all: lines, handles: finder.handles)
                for name in nearby.names(hasName: false) { finder.add(name) }
            }
            if finder.names.isEmpty, let name = nameUnderSidebar() { finder.add(name) }
            finder.takeOtherSpellings(top + lines.suffix(3), among: lines)
            finder.takeNicknames(lines)
            finder.settleNames()
            if finder.names.isEmpty { takeSignature(signed) }
            takeAddress(cutter.hasHeadings ? cutter.head : [])
            for piece in cutter.pieces where piece.kind == .contact || piece.kind == .personal {
                takeAddress(piece.lines)
            }

            var sections: [ResumeSection] = []
            for piece in cutter.pieces where piece.kind.isSendable {
                let kept = kept(piece)
                let text = BodyText.text(kept, names: Set(finder.names.flatMap(\.keys)))
                if text.isEmpty {
                    // A heading with nothing below it was a word of the list before.
                    if piece.lines.isEmpty, let last = sections.indices.last {
                        sections[last].text += "\n" + piece.heading
                    }
                    continue
                }
                sections.append(
                    ResumeSection(
                        kind: piece.kind,
                        heading: piece.heading.split(separator: " ").joined(separator: " "),
                        text: text))
            }
            var resume = Resume(
                sections: sections, person: finder.person, contact: finder.contact,
                employers: EmployerFinder.names(
                    in: cutter.pieces.filter { Self.namesEmployers($0.kind) }.flatMap(\.lines)),
                language: nil, country: nil)
            resume.language = TextLanguage.guess(resume.body, headings: cutter.languages)
            resume.country = HomeCountry.guess(
                finder.person, contact: finder.contact,
                head: top.map(\.text), language: resume.language)
            return resume
        }

        /// Under a sidebar, right above the summary or the first job: a line of its own
        /// with a job below it.
        private func nameUnderSidebar() -> NameShape? {
            for (piece, next) in zip(cutter.pieces, cutter.pieces.dropFirst()) {
                guard
                    [.skills, .languages, .contact, .certificates, .interests].contains(piece.kind),
                    [.summary, .experience, .education].contains(next.kind)
                else { continue }
                let end = piece.lines.suffix(4)
                for index in end.indices.dropLast() where !end[index].isBullet {
                    if end[index].hasBlankBefore, JobReader.isRole(end[index + 1].text),
                        let shape = NameShape(end[index].closed)
                    {
                        return shape
                    }
                }
            }
            return nil
        }

        /// The lines around the first with contact details, when it stands
        /// in the midst of sections or at the end.
        private func contactBlock() -> [ResumeLine]? {
            for piece in cutter.pieces where piece.kind != .references {
                guard let index = piece.lines.firstIndex(where: { PrivateLine.isPrivate($0) })
                else {
                    continue
                }
                var start = index
                while start > 0, index - start < 4, !piece.lines[start].hasBlankBefore {
                    start -= 1
                }
                return Array(piece.lines[start...].prefix(index - start + 3))
            }
            return nil
        }

        private static func namesEmployers(_ kind: ResumeSection.Kind) -> Bool {
            kind == .experience || kind == .education || kind == .volunteering || kind == .other
        }

        private func isShort(_ line: ResumeLine) -> Bool { line.words.count <= 12 }

        /// "Berlin, 3.4.2024   Max Muster" and "(Max Muster)".
        private mutating func takeSignature(_ lines: [ResumeLine]) {
            for line in lines.suffix(8).reversed() where line.words.count <= 8 {
                for cell in LabelledValue.parts(line.text).reversed() {
                    let plain = String(cell.trimming { "()[]_. ".contains($0) })
                    if let shape = NameShape(plain), !AddressShape.isPlace(plain) {
                        finder.add(shape)
                        return
                    }
                }
            }
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
                for part in LabelledValue.parts(line.text) {
                    if let labelled = LabelledValue(part) {
                        if labelled.label == .address { finder.addAddress(labelled.value) }
                        continue
                    }
                    if finder.names.contains(where: { $0.text == part }) { continue }
                    let rest = PrivateLine.withoutContact(part)
                    if isNearAddress, AddressShape.isHouse(rest) { finder.addStreet(rest) }
                    if AddressShape.isAddress(rest) || AddressShape.isPlace(rest) {
                        finder.addAddress(AddressShape.trimmed(rest))
                    }
                }
            }
        }

        /// Whether a line above postal code and town can be the street, whatever it is
        /// called: "Rose Cottage, 3 Back Row", "Plaza del Olivo, s/n".
        private func isStreet(_ line: ResumeLine) -> Bool {
            (2...8).contains(line.words.count) && line.text.first?.isLowercase != true
                && LabelledValue.all(in: line).isEmpty && !finder.isNameLine(line)
                && ContactScanner.matches(in: line.text, isHead: true).isEmpty
                && !SectionCutter.isTitle(line) && !JobReader.isRole(line.text)
                && !line.text.contains(where: { "|•·".contains($0) })
        }

        // MARK: - What is kept

        private mutating func kept(_ piece: SectionCutter.Piece) -> [ResumeLine] {
            var lines = piece.lines
            if !cutter.hasHeadings {
                lines = withoutTop(lines)
                takeAddresses(leftOut: Array(piece.lines.dropLast(lines.count)))
            }
            if piece == cutter.pieces.last(where: { $0.kind.isSendable }) {
                let count = lines.count
                lines = withoutFoot(lines)
                takeAddresses(leftOut: Array(piece.lines.suffix(count - lines.count)))
            }
            if let start = embeddedHead(lines) { lines = Array(lines[..<start]) }
            let isOut = { [finder] (line: ResumeLine) in
                finder.isNameLine(line) || PrivateLine.isPrivate(line)
                    || SectionCutter.isDeclaration(line.text)
            }
            let isKept = lines.indices.map { BodyText.goesOn(lines, $0) || !isOut(lines[$0]) }
            takeAddresses(leftOut: lines.indices.filter { !isKept[$0] }.map { lines[$0] })
            return lines.indices.filter { isKept[$0] }.map { lines[$0] }
        }

        /// Where a résumé without headings stops saying who it is by: after the last
        /// line of contact or the name in its first lines, before any sentence.
        private func withoutTop(_ lines: [ResumeLine]) -> [ResumeLine] {
            var end = 0
            for (index, line) in lines.prefix(14).enumerated() {
                if line.words.count > 12 || line.isBullet || isWork(line) { break }
                if finder.isNameLine(line) || PrivateLine.isPrivate(line)
                    || AddressShape.isAddress(line.text) || SectionCutter.isTitle(line)
                {
                    end = index + 1
                }
            }
            return Array(lines[end...])
        }

        /// A sentence, or a job with its years.
        private func isWork(_ line: ResumeLine) -> Bool {
            let isSentence = line.text.last == "." && line.words.count >= 5
            return (isSentence || SectionCutter.hasYears(line) && line.words.count >= 3)
                && !PrivateLine.isPrivate(line) && !finder.isNameLine(line)
                && LabelledValue.all(in: line).isEmpty
        }

        /// Name, address and signature under the last section.
        private func withoutFoot(_ lines: [ResumeLine]) -> [ResumeLine] {
            var end = lines.count
            // An address alone may be a line of the text.
            var isCertain = false
            for index in lines.indices.suffix(12).reversed() {
                let line = lines[index]
                if line.words.count > 18 || line.isBullet { break }
                let isSure =
                    finder.isNameLine(line) || PrivateLine.isPrivate(line)
                    || PrivateLine.isSignature(line, finder.names) || FormerName.isWhole(line)
                let isOfFoot =
                    isSure
                    || (line.hasBlankBefore || end == index + 1)
                        && AddressShape.isAddress(line.text) && !SectionCutter.hasYears(line)
                    // "Freiburg, im März 2024" over a name.
                    || end < lines.count && line.words.count <= 6 && line.text.contains(",")
                        && SectionCutter.hasYears(line) && line.hasBlankBefore
                guard isOfFoot else {
                    // A line between, such as the name of a town.
                    if end < lines.count, line.words.count <= 4, line.hasBlankBefore { continue }
                    break
                }
                isCertain = isCertain || isSure
                end = index
            }
            return isCertain ? Array(lines[..<end]) : lines
        }

        /// The address in lines that are left out.
        private mutating func takeAddresses(leftOut lines: [ResumeLine]) {
            if finder.contact.address.isEmpty { takeAddress(lines) }
        }

        /// A head in the middle: below the sidebar of a profile that was exported.
        private func embeddedHead(_ lines: [ResumeLine]) -> Int? {
            guard cutter.hasHeadings,
                let start = lines.firstIndex(where: { finder.isNameLine($0) }),
                cutter.head.isEmpty || lines[start].hasBlankBefore,
                lines.count - start <= 6,
                !lines[start...].contains(where: { $0.isBullet || $0.words.count > 14 }),
                cutter.pieces.first?.kind == .contact
                    || lines[start...].contains(where: { PrivateLine.isPrivate($0) })
            else { return nil }
            return start
        }
    }
}

/// A résumé that was pasted as one line, its parts divided by dashes or bars: each
/// part on a line. Pure; other texts come back as they are.
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
