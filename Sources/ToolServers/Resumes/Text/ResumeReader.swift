import AgentCore

/// Reads a résumé that is plain text or Markdown. Pure.
enum ResumeReader {
    /// Characters: far more than any résumé has.
    static let limit = 400_000

    static func read(_ text: String) -> Resume {
        let plain = MarkupText.isMarkup(text) ? MarkupText.plain(text) : text
        let lines = ResumeLine.lines(of: Columns.unfolded(LaTeXText.plain(plain)))
        let cutter = SectionCutter(lines)
        var reader = Reading(lines: lines, cutter: cutter)
        return reader.read()
    }

    private struct Reading {
        let lines: [ResumeLine]
        let cutter: SectionCutter
        var finder = PersonFinder()

        init(lines: [ResumeLine], cutter: SectionCutter) {
            self.lines = lines
            self.cutter = cutter
        }

        mutating func read() -> Resume {
            let top = cutter.hasHeadings ? cutter.head : Array(lines.prefix(14))
            for line in top {
                if cutter.hasHeadings || isShort(line) {
                    finder.take(line)
                    finder.takeBirthDate(line)
                } else {
                    // A sentence that says how to reach somebody.
                    for match in ContactScanner.matches(in: line.text) { finder.take(match) }
                }
            }
            for piece in cutter.pieces {
                switch piece.kind {
                case .personal, .contact, .photo, .declaration:
                    piece.lines.forEach { finder.take($0) }
                case .references: break
                default:
                    for line in piece.lines where isPrivate(line, in: piece.kind) {
                        finder.take(line)
                    }
                }
            }
            let signed = cutter.pieces.filter { $0.kind == .declaration || $0.kind == .personal }
                .flatMap(\.lines)
            let search = NameFinder(head: top, all: lines, handles: finder.handles)
            for name in search.names(hasName: !finder.names.isEmpty) { finder.add(name) }
            finder.settleNames()
            if finder.names.isEmpty { takeSignature(signed) }
            takeAddress(cutter.hasHeadings ? cutter.head : [])
            for piece in cutter.pieces where piece.kind == .contact || piece.kind == .personal {
                takeAddress(piece.lines)
            }

            var sections: [ResumeSection] = []
            for piece in cutter.pieces where piece.kind.isSendable {
                let kept = kept(piece)
                let text = BodyText.text(kept)
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
                employers: [], language: nil, country: nil)
            resume.language = TextLanguage.guess(resume.body, headings: cutter.languages)
            resume.country = HomeCountry.guess(
                finder.person, contact: finder.contact,
                head: top.map(\.text), language: resume.language)
            return resume
        }

        private func isShort(_ line: ResumeLine) -> Bool { line.words.count <= 12 }

        /// Whether a line of a section about work tells who the person is and says
        /// nothing else.
        private func isPrivate(_ line: ResumeLine, in kind: ResumeSection.Kind) -> Bool {
            PrivateLine.isPrivate(line)
        }

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
            for line in lines.prefix(20) {
                for part in LabelledValue.parts(line.text) {
                    if let labelled = LabelledValue(part) {
                        if labelled.label == .address { finder.addAddress(labelled.value) }
                        continue
                    }
                    if finder.names.contains(where: { $0.text == part }) { continue }
                    let rest = PrivateLine.withoutContact(part)
                    if AddressShape.isAddress(rest) || AddressShape.isPlace(rest) {
                        finder.addAddress(rest)
                    }
                }
            }
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
            return lines.filter { line in
                !finder.isNameLine(line) && !isPrivate(line, in: piece.kind)
                    && !SectionCutter.isDeclaration(line.text)
            }
        }

        /// Where a résumé without headings stops saying who it is by: behind the last
        /// line of contact or the name in its first lines, before any sentence.
        private func withoutTop(_ lines: [ResumeLine]) -> [ResumeLine] {
            var end = 0
            for (index, line) in lines.prefix(14).enumerated() {
                if line.words.count > 12 || line.isBullet { break }
                if finder.isNameLine(line) || isPrivate(line, in: .other)
                    || AddressShape.isAddress(line.text) || SectionCutter.isTitle(line)
                {
                    end = index + 1
                }
            }
            return Array(lines[end...])
        }

        /// Name, address and signature under the last section.
        private func withoutFoot(_ lines: [ResumeLine]) -> [ResumeLine] {
            var end = lines.count
            for index in lines.indices.suffix(12).reversed() {
                let line = lines[index]
                if line.words.count > 12 || line.isBullet { break }
                let isOfFoot =
                    finder.isNameLine(line) || isPrivate(line, in: .other)
                    || PrivateLine.isSignature(line, finder.names)
                    || (line.hasBlankBefore || end == index + 1)
                        && (AddressShape.isAddress(line.text) && !hasYears(line))
                guard isOfFoot else {
                    // A line between, such as the name of a town.
                    if end < lines.count, line.words.count <= 4, line.hasBlankBefore { continue }
                    break
                }
                end = index
            }
            return Array(lines[..<end])
        }

        /// The address in lines that are left out.
        private mutating func takeAddresses(leftOut lines: [ResumeLine]) {
            if finder.contact.address.isEmpty { takeAddress(lines) }
        }

        private func hasYears(_ line: ResumeLine) -> Bool {
            line.text.split { !$0.isNumber }.contains {
                $0.count == 4 && ($0.hasPrefix("19") || $0.hasPrefix("20"))
            }
        }

        /// A head in the middle: below the sidebar of a profile that was exported.
        private func embeddedHead(_ lines: [ResumeLine]) -> Int? {
            guard let start = lines.firstIndex(where: { finder.isNameLine($0) }),
                cutter.head.isEmpty || lines[start].hasBlankBefore,
                lines.count - start <= 6,
                !lines[start...].contains(where: { $0.isBullet || $0.words.count > 14 }),
                cutter.pieces.first?.kind == .contact
                    || lines[start...].contains(where: {
                        isPrivate($0, in: .other)
                    })
            else { return nil }
            return start
        }
    }
}
