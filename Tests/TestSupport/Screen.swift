/// What a terminal would show: a small emulator that tests compare screens
/// with. It knows the sequences that our program and libedit send, wide
/// characters, wrapping and scrolling; colours are accepted and not kept.
package struct Screen: Sendable {
    package internal(set) var rows: Int
    package internal(set) var columns: Int
    package internal(set) var cursor: (row: Int, column: Int) = (0, 0)
    /// A window of another width folds its lines anew, as most terminals do;
    /// else it cuts them, as xterm does.
    package var isRefolded = false
    /// Kept by ESC 7.
    private var saved: (row: Int, column: Int) = (0, 0)
    /// ESC [ ? 2004 h was the last word about it.
    package private(set) var hasPasteMode = false
    /// Sequences the emulator does not know, for escape audits.
    package private(set) var unknown: [String] = []
    /// Rows that scrolled off the top.
    var history: [(cells: [String], fold: Int?)] = []
    /// An empty string is the right half of a wide character.
    var cells: [[String]]
    /// By row: behind how many cells its line goes on in the next one; nil where
    /// it ends.
    var folds: [Int?]
    var wrapsNext = false
    /// The last character was a joiner.
    private var isJoined = false
    private var state = State.ground
    private var utf8: [UInt8] = []

    private enum State: Sendable {
        case ground, escape
        case sequence([UInt8])
        case string, stringEscape, charset
    }

    package init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        folds = Array(repeating: nil, count: rows)
    }

    /// Lines that scrolled off the top.
    package var scrolled: [String] { history.map { Self.text($0.cells) } }

    /// The rows without trailing blanks, without empty rows at the end.
    package var lines: [String] {
        var lines = cells.map(Self.text)
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// What scrolled off and what is shown.
    package var transcript: [String] { scrolled + lines }
    package var text: String { lines.joined(separator: "\n") }

    private static func text(_ row: [String]) -> String {
        var text = row.joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    package mutating func resize(rows: Int, columns: Int) {
        if isRefolded { return refold(rows: rows, columns: columns) }
        for row in cells.indices {
            let missing = columns - cells[row].count
            if missing > 0 { cells[row] += Array(repeating: " ", count: missing) }
            if missing < 0 {
                // Half of a wide character is nothing.
                let isHalved = cells[row][columns].isEmpty
                cells[row].removeLast(-missing)
                if isHalved { cells[row][columns - 1] = " " }
            }
        }
        while cells.count > rows {
            if cursor.row > 0, cursor.row >= rows {
                scrollOff()
                cursor.row -= 1
            } else {
                cells.removeLast()
                folds.removeLast()
            }
        }
        while cells.count < rows { addRow(columns) }
        (self.rows, self.columns) = (rows, columns)
        cursor = (min(cursor.row, rows - 1), min(cursor.column, columns - 1))
        wrapsNext = false
    }

    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { feed(byte) }
    }

    private mutating func feed(_ byte: UInt8) {
        switch state {
        case .ground: ground(byte)
        case .escape: escape(byte)
        case .charset: state = .ground
        case .sequence(let parameters):
            if (0x40...0x7E).contains(byte) {
                state = .ground
                control(byte, String(decoding: parameters, as: UTF8.self))
            } else {
                state = .sequence(parameters + [byte])
            }
        case .string:
            if byte == 0x07 { state = .ground } else if byte == 0x1B { state = .stringEscape }
        case .stringEscape:
            state = byte == 0x5C ? .ground : .string
        }
    }

    private mutating func ground(_ byte: UInt8) {
        // Nothing joins across a line end or a sequence.
        if byte < 0x20 { isJoined = false }
        switch byte {
        case 0x1B: state = .escape
        case 0x08:
            cursor.column = max(0, cursor.column - 1)
            wrapsNext = false
        case 0x09: cursor.column = min(columns - 1, (cursor.column / 8 + 1) * 8)
        case 0x0A: lineFeed()
        case 0x0D:
            cursor.column = 0
            wrapsNext = false
        case 0x07, 0x00: break
        case 0x20..<0x7F: put(String(UnicodeScalar(byte)), width: 1)
        case 0x80...:
            utf8.append(byte)
            if let text = String(validating: utf8, as: UTF8.self) {
                utf8 = []
                for scalar in text.unicodeScalars { put(scalar) }
            } else if utf8.count >= 4 {
                utf8 = []
            }
        default: unknown.append("control \(byte)")
        }
    }

    private mutating func escape(_ byte: UInt8) {
        state = .ground
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
            unknown.append("string \(byte)")
            state = .string
        case UInt8(ascii: "("), UInt8(ascii: ")"): state = .charset
        case UInt8(ascii: "M"): cursor.row = max(0, cursor.row - 1)
        case UInt8(ascii: "D"): lineFeed()
        case UInt8(ascii: "7"): saved = cursor
        case UInt8(ascii: "8"): cursor = saved
        default: unknown.append("ESC \(byte)")
        }
    }

    private mutating func put(_ scalar: Unicode.Scalar) {
        let isWide =
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
                0xFF00...0xFF60, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                true
            default: false
            }
        let category = scalar.properties.generalCategory
        // The parts of an emoji sequence are drawn as one.
        let isPart = isJoined || (0x1F3FB...0x1F3FF).contains(scalar.value)
        isJoined = scalar.value == 0x200D
        let isMark = category == .nonspacingMark || category == .format || isPart
        put(String(scalar), width: isMark || joins(scalar) ? 0 : isWide ? 2 : 1)
    }

    /// A part of an emoji sequence, as tmux draws them: behind a joiner.
    private func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.properties.isEmoji, scalar.value > 0x7F else { return false }
        var column = wrapsNext ? cursor.column : cursor.column - 1
        while column > 0, cells[cursor.row][column].isEmpty { column -= 1 }
        return column >= 0
            && cells[cursor.row][column].unicodeScalars.last == "\u{200D}"
    }

    private mutating func put(_ text: String, width: Int) {
        if width == 0 {
            var column = wrapsNext ? cursor.column : max(0, cursor.column - 1)
            while column > 0, cells[cursor.row][column].isEmpty { column -= 1 }
            cells[cursor.row][column] += text
            return
        }
        if wrapsNext || cursor.column + width > columns {
            folds[cursor.row] = wrapsNext ? columns : cursor.column
            cursor.column = 0
            wrapsNext = false
            lineFeed()
        }
        cells[cursor.row][cursor.column] = text
        if width == 2, cursor.column + 1 < columns { cells[cursor.row][cursor.column + 1] = "" }
        if cursor.column + width >= columns {
            cursor.column = columns - 1
            wrapsNext = true
        } else {
            cursor.column += width
        }
    }

    private mutating func lineFeed() {
        wrapsNext = false
        if cursor.row + 1 < rows {
            cursor.row += 1
        } else {
            scrollOff()
            addRow(columns)
        }
    }

    private mutating func scrollOff() {
        history.append((cells.removeFirst(), folds.removeFirst()))
    }

    private mutating func addRow(_ columns: Int) {
        cells.append(Array(repeating: " ", count: columns))
        folds.append(nil)
    }

    private mutating func control(_ final: UInt8, _ parameters: String) {
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        let first = numbers.first ?? 0
        let count = max(first, 1)
        wrapsNext = wrapsNext && final == UInt8(ascii: "m")
        switch final {
        case UInt8(ascii: "A"): cursor.row = max(0, cursor.row - count)
        case UInt8(ascii: "B"): cursor.row = min(rows - 1, cursor.row + count)
        case UInt8(ascii: "C"): cursor.column = min(columns - 1, cursor.column + count)
        case UInt8(ascii: "D"): cursor.column = max(0, cursor.column - count)
        case UInt8(ascii: "G"): cursor.column = min(columns - 1, count - 1)
        case UInt8(ascii: "H"):
            let column = numbers.count > 1 ? max(numbers[1], 1) : 1
            cursor = (min(rows, count) - 1, min(columns, column) - 1)
        case UInt8(ascii: "J"): eraseScreen(first)
        case UInt8(ascii: "K"): eraseLine(first)
        case UInt8(ascii: "P"):
            let end = min(columns, cursor.column + count)
            cells[cursor.row].removeSubrange(cursor.column..<end)
            cells[cursor.row] += Array(repeating: " ", count: end - cursor.column)
        case UInt8(ascii: "@"):
            let room = min(count, columns - cursor.column)
            cells[cursor.row].insert(
                contentsOf: Array(repeating: " ", count: room), at: cursor.column)
            cells[cursor.row].removeLast(room)
        case UInt8(ascii: "L"):
            for _ in 0..<min(count, rows - cursor.row) {
                cells.insert(Array(repeating: " ", count: columns), at: cursor.row)
                cells.removeLast()
                folds.insert(nil, at: cursor.row)
                folds.removeLast()
            }
        case UInt8(ascii: "M"):
            for _ in 0..<min(count, rows - cursor.row) {
                cells.remove(at: cursor.row)
                folds.remove(at: cursor.row)
                addRow(columns)
            }
        case UInt8(ascii: "m"): break
        case UInt8(ascii: "h") where parameters == "?2004": hasPasteMode = true
        case UInt8(ascii: "l") where parameters == "?2004": hasPasteMode = false
        case UInt8(ascii: "h") where parameters == "4", UInt8(ascii: "l") where parameters == "4":
            unknown.append("insert mode")
        default: unknown.append("ESC [ \(parameters) \(UnicodeScalar(final))")
        }
    }

    private mutating func eraseLine(_ mode: Int) {
        let range =
            switch mode {
            case 0: cursor.column..<columns
            case 1: 0..<(cursor.column + 1)
            default: 0..<columns
            }
        for column in range { cells[cursor.row][column] = " " }
        if mode != 1 { folds[cursor.row] = nil }
    }

    private mutating func eraseScreen(_ mode: Int) {
        switch mode {
        case 0:
            eraseLine(0)
            for row in (cursor.row + 1)..<max(rows, cursor.row + 1) { blank(row) }
        case 1:
            eraseLine(1)
            for row in 0..<cursor.row { blank(row) }
        default:
            for row in 0..<rows { blank(row) }
        }
    }

    private mutating func blank(_ row: Int) {
        cells[row] = Array(repeating: " ", count: columns)
        folds[row] = nil
    }
}
