/// Reads an iCalendar file into lines and components without losing a byte:
/// `CalendarWriter` always reproduces the same bytes from the result.
///
/// It does not validate: a line without a colon, an END without its BEGIN, a
/// missing END and text around the calendar are kept where they are. Only the
/// bounds below are errors: no real calendar exceeds them.
///
///     BEGIN:X        opens a component
///     END:X          closes the innermost open X and what is open inside it;
///                    a plain line where no X is open. After one an item ends
///                    where the next begins: its own END is misspelt
///     anything else  a line of the innermost open component
package enum CalendarParser {
    /// As many components as below, of the usual 700 bytes. A file is read whole at each command.
    package static let byteLimit = 10 << 20
    /// Maximum number of lines, each of which costs memory.
    package static let lineLimit = 200_000
    /// A collection has one item per file (vdir); this leaves room for an
    /// export of many years.
    package static let componentLimit = 15_000
    /// Maximum nesting; RFC 5545 needs three levels (calendar, event, alarm).
    package static let depthLimit = 32

    package static func parse(_ bytes: [UInt8]) throws(ICalendarError) -> Component {
        guard bytes.count <= byteLimit else { throw ICalendarError(.tooLarge) }
        var open = [Component(name: "", begin: nil)]
        var position = 0
        var lineNumber = 0
        var components = 0
        // The innermost component with an END that closed nothing.
        var misspelt: Int?
        // RFC 5545 §3.1 requires CRLF. Old Macs wrote CR, and no LF anywhere.
        let lineBreak: UInt8 = bytes.contains(0x0A) ? 0x0A : 0x0D
        while position < bytes.count {
            lineNumber += 1
            guard lineNumber <= lineLimit else {
                throw ICalendarError(.tooManyLines, line: lineNumber)
            }
            let line = nextLine(in: bytes, from: &position, endedBy: lineBreak)
            if line.isNamed("BEGIN") {
                components += 1
                guard components <= componentLimit else {
                    throw ICalendarError(.tooManyComponents, line: lineNumber)
                }
                if let place = misspelt, place < open.count,
                    let match = predecessor(of: componentName(line), in: open)
                {
                    while open.count > match { close(&open) }
                    misspelt = nil
                }
                guard open.count <= depthLimit else {
                    throw ICalendarError(.tooDeep, line: lineNumber)
                }
                open.append(Component(name: componentName(line), begin: line))
            } else if line.isNamed("END"), let match = place(of: line, in: open) {
                while open.count - 1 > match { close(&open) }
                // `match` is above 0, so the file itself stays open.
                open[open.count - 1].end = line
                close(&open)
                if misspelt.map({ $0 >= open.count }) ?? false { misspelt = nil }
            } else {
                if line.isNamed("END"), open.count > 1 { misspelt = open.count - 1 }
                open[open.count - 1].items.append(.line(line))
            }
        }
        while open.count > 1 { close(&open) }
        // The file was opened first and is never closed.
        return open[0]
    }

    /// The innermost open component that an END line closes; nil if there is
    /// none, or only the file, which no line closes.
    private static func place(of line: ContentLine, in open: [Component]) -> Int? {
        let name = componentName(line)
        return open.lastIndex { $0.name == name }.flatMap { $0 > 0 ? $0 : nil }
    }

    /// The components that occur directly in a calendar only (RFC 5545 §3.6).
    private static let items: Set = ["VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"]

    /// The open component that must end where one of that name begins.
    private static func predecessor(of name: String, in open: [Component]) -> Int? {
        items.contains(name)
            ? open.firstIndex { items.contains($0.name) }
            : open.last?.name == name ? open.count - 1 : nil
    }

    private static func close(_ open: inout [Component]) {
        let component = open.removeLast()
        open[open.count - 1].items.append(.component(component))
    }

    private static func componentName(_ line: ContentLine) -> String {
        var value = line.value.uppercased()
        while value.last == " " || value.last == "\t" { value.removeLast() }
        return value
    }

    /// The next line with its foldings: a line break before a space or a tab
    /// does not end it (RFC 5545 §3.1), nor does one after the `=` of a
    /// QUOTED-PRINTABLE line. Any number of CRs before a break belong to it.
    private static func nextLine(
        in bytes: [UInt8], from position: inout Int, endedBy lineBreak: UInt8
    ) -> ContentLine {
        let start = position
        var unfolded: [UInt8] = []
        var isFolded = false
        var isQuotedPrintable: Bool?
        // A byte order mark belongs to no property; files that were joined have
        // several.
        var pieceStart = bytes[start...].starts(with: [0xEF, 0xBB, 0xBF]) ? start + 3 : start
        while true {
            let end = bytes[position...].firstIndex(of: lineBreak) ?? bytes.count
            let next = min(end + 1, bytes.count)
            var pieceEnd = end
            while pieceEnd > pieceStart, bytes[pieceEnd - 1] == 0x0D { pieceEnd -= 1 }
            let piece = bytes[pieceStart..<max(pieceStart, pieceEnd)]
            position = next
            if next < bytes.count {
                if piece.last == UInt8(ascii: "="), isQuotedPrintable == nil,
                    unfolded.count < Self.headerLimit
                {
                    isQuotedPrintable = Self.isQuotedPrintable(unfolded[...] + piece)
                }
                if piece.last == UInt8(ascii: "="), isQuotedPrintable == true,
                    !bytes[next...].starts(with: "BEGIN:".utf8),
                    !bytes[next...].starts(with: "END:".utf8)
                {
                    unfolded += piece.dropLast()
                    (isFolded, pieceStart) = (true, next)
                    continue
                }
                if bytes[next] == 0x20 || bytes[next] == 0x09 {
                    unfolded += piece
                    (isFolded, pieceStart, position) = (true, next + 1, next + 1)
                    continue
                }
            }
            let raw = bytes[start..<next]
            guard isFolded else { return ContentLine(raw: raw, content: piece) }
            unfolded += piece
            return ContentLine(raw: raw, content: unfolded[...])
        }
    }

    /// Maximum length of a name with parameters that end in QUOTED-PRINTABLE.
    private static let headerLimit = 1_000

    /// Whether a line, or its beginning, is in QUOTED-PRINTABLE; nil if the
    /// value has not started yet.
    private static func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool? {
        line.firstIndex(of: UInt8(ascii: ":")).map { LegacyText.isQuotedPrintable(line[..<$0]) }
    }
}
