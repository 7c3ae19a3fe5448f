/// Finds personal data in a table by the headings of its columns: CSV, tabs, the tables of
/// Markdown. Pure.
struct TablePattern {
    let text: ScannedText
    let emails: [Range<Int>]

    /// The fields under "surname", "customer", "address", "born", "mobile" and "passport", each
    /// with its label.
    func fields() -> [(label: RedactionWords.Label, field: Range<Int>)] {
        var found: [(RedactionWords.Label, Range<Int>)] = []
        var columns: [(label: RedactionWords.Label, index: Int)] = []
        var (sign, count, start) = (UInt8(0), 0, 0)
        while start < text.count {
            let line = start..<text.lineEnd(start)
            start = line.upperBound + 1
            let row = fields(of: line, by: sign)
            if row.count == count, !columns.isEmpty {
                // "id;name;price" may be a table of things.
                let isPerson =
                    columns.contains { $0.label != .name } || emails.contains(where: line.overlaps)
                found += columns.compactMap { column in
                    let field = row[column.index]
                    return isPerson && isValue(field, of: column.label)
                        ? (column.label, field) : nil
                }
                continue
            }
            columns = []
            for candidate: UInt8 in [0x3B, 0x2C, 0x09, 0x7C] where columns.isEmpty {
                let headings = fields(of: line, by: candidate)
                guard headings.count > 2 else { continue }
                (sign, count) = (candidate, headings.count)
                for (index, heading) in headings.enumerated() where !heading.isEmpty {
                    let label = text.labels(at: heading.lowerBound).last {
                        [.name, .party, .address, .birth, .phone, .identifier].contains($0.label)
                            && $0.end == heading.upperBound
                    }
                    if let label = label?.label
                        ?? (Self.halves.contains(Array(text.units[heading])) ? .name : nil)
                    {
                        columns.append((label, index))
                    }
                }
            }
        }
        return found
    }

    /// Headings that mean a name only in a table.
    private static let halves = Set(["first", "last"].map { ScannedText.compact($0) })

    private func isValue(_ field: Range<Int>, of label: RedactionWords.Label) -> Bool {
        let words = text.words[
            text.word(from: field.lowerBound)..<text.word(from: field.upperBound)]
        guard let first = words.first, first.start == field.lowerBound else { return false }
        let hasDigit = words.contains(where: \.hasDigit)
        switch label {
        case .address:
            return hasDigit && words.contains { $0.isCapital || $0.isNumber && $0.count > 3 }
        case .phone, .identifier: return field.count(where: text.isDigit) > 4
        case .birth: return ScannedDate.date(at: text.word(from: first.start), in: text) != nil
        default:
            return first.isCapital && !hasDigit && words.count > (label == .party ? 1 : 0)
                && !words.contains { RedactionWords.things.contains(text.folded($0)) }
        }
    }

    /// The fields of a line without blanks and quotes around them; a separator in quotes is
    /// text.
    private func fields(of line: Range<Int>, by sign: UInt8) -> [Range<Int>] {
        var fields: [Range<Int>] = []
        var (start, isQuoted) = (line.lowerBound, false)
        for index in line.lowerBound...line.upperBound {
            if text.ascii(index) == 0x22 { isQuoted.toggle() }
            guard index == line.upperBound || text.ascii(index) == sign && !isQuoted else {
                continue
            }
            var field = start..<index
            func isAround(_ index: Int) -> Bool {
                text.has(.space, index) || text.ascii(index) == 0x22
            }
            while !field.isEmpty, isAround(field.lowerBound) { field.removeFirst() }
            while !field.isEmpty, isAround(field.upperBound - 1) { field.removeLast() }
            fields.append(field)
            start = index + 1
        }
        return fields
    }
}
