/// The screen contents of an input line, and the bytes that turn one frame into the next: only
/// differences are written, so a character typed at the end costs one character. Pure.
///
/// Moves are relative, since the line's row on the screen is unknown. The terminal wraps rows
/// itself, so that it copies and rewraps them as one line.
struct LineFrame: Equatable {
    typealias Position = LineLayout.Position

    var rows: [LineLayout.Row]
    var cursor: Position
    var columns: Int

    /// An empty frame, with the cursor at the start of an empty row.
    static func empty(columns: Int) -> LineFrame {
        LineFrame(rows: [LineLayout.Row()], cursor: Position(), columns: columns)
    }

    /// The bytes from the frame `old`, which is on the screen, to this one.
    func update(from old: LineFrame) -> [UInt8] {
        var pen = Pen(place: old.cursor)
        var depth = old.rows.count
        for (number, row) in rows.enumerated() {
            let before = number < old.rows.count ? old.rows[number] : nil
            if let before, before.cells == row.cells { continue }
            let same =
                row.isStyled
                ? 0 : zip(before?.cells ?? [], row.cells).prefix { $0.0 == $0.1 }.count
            let start = row.cells[..<same].reduce(0) { $0 + $1.width }
            let goesOn =
                start == 0 && number > 0 && pen.writtenRow == number - 1
                && rows[number - 1].isWrapped
            if goesOn {
                pen.goOn(to: row, isNew: number >= depth, columns: columns)
            } else if number >= depth {
                pen.move(to: Position(row: number - 1, column: pen.place.column))
                pen.newRow()
            } else {
                pen.move(to: Position(row: number, column: start))
            }
            depth = max(depth, number + 1)
            pen.place.column = start
            pen.write(row, from: same, columns: columns)
            if let before, before.width > row.width, !pen.isPending { pen.out += Self.eraseRow }
        }
        if old.rows.count > rows.count {
            pen.move(to: Position(row: rows.count, column: 0))
            pen.out += Self.eraseBelow
        }
        pen.move(to: cursor)
        return pen.out
    }

    /// Moves to the row below the line.
    var leaving: [UInt8] {
        var pen = Pen(place: cursor)
        pen.move(to: Position(row: rows.count - 1, column: cursor.column))
        pen.newRow()
        return pen.out
    }

    /// Moves to the first row of the line and erases all of it. `row` is the cursor's
    /// current row, if it has changed.
    func clearing(from row: Int? = nil) -> [UInt8] {
        var pen = Pen(place: Position(row: row ?? cursor.row, column: cursor.column))
        pen.out.append(0x0D)
        pen.place.column = 0
        pen.move(to: Position())
        return pen.out + Self.eraseFromHere
    }

    /// Erases, at the start of a row, that row and all below it. tmux treats erasing from the first
    /// cell of the screen as clearing it: it would keep the old drawing of the line and show it
    /// again when the window grows.
    static let eraseFromHere = Array("\u{1B}[K\u{1B}[C\u{1B}[J\r".utf8)

    /// Reverse video stands out in every colour scheme, and without colours.
    private static let reverse = Array("\u{1B}[7m".utf8)
    /// Makes entered lines easy to find when scrolling back.
    private static let bold = Array("\u{1B}[1m".utf8)
    private static let normal = Array("\u{1B}[0m".utf8)
    private static let eraseRow = Array("\u{1B}[K".utf8)
    private static let eraseBelow = Array("\u{1B}[J".utf8)

    private struct Pen {
        var place: Position
        var out: [UInt8] = []
        /// Whether the last column was written and the terminal has not wrapped yet.
        var isPending = false
        /// The row that was written to its end.
        var writtenRow: Int?

        init(place: Position) { self.place = place }

        /// Moves by columns, counted from the left: if a terminal takes a character for wider than
        /// we do, only the text after it is wrong.
        mutating func move(to wanted: Position) {
            if place == wanted, !isPending { return }
            if isPending || place.column != wanted.column {
                out.append(0x0D)
                place.column = 0
                isPending = false
            }
            step(wanted.row - place.row, back: "A", on: "B")
            step(wanted.column - place.column, back: "D", on: "C")
            place = wanted
            writtenRow = nil
        }

        private mutating func step(_ count: Int, back: String, on: String) {
            guard count != 0 else { return }
            let number = abs(count) == 1 ? "" : "\(abs(count))"
            out += Array("\u{1B}[\(number)\(count < 0 ? back : on)".utf8)
        }

        mutating func newRow() {
            out += [0x0D, 0x0A]
            place = Position(row: place.row + 1)
            isPending = false
            writtenRow = nil
        }

        /// Goes to the start of the next row by the terminal's own wrapping.
        mutating func goOn(to row: LineLayout.Row, isNew: Bool, columns: Int) {
            if !isPending {
                // A column is left before a wide character.
                out += LineFrame.eraseRow
                if row.cells.isEmpty || row.width == 0 {
                    newRow()
                    return
                }
            } else if row.cells.isEmpty || row.width == 0 {
                out += [0x20, 0x0D]
            }
            place = Position(row: place.row + 1)
            isPending = false
        }

        /// Writes a row. After a sequence of uncertain width the column is set again, so that the
        /// rest of the row and the cursor are right.
        mutating func write(_ row: LineLayout.Row, from first: Int, columns: Int) {
            var isCertain = true
            var look = LineCell.Look.plain
            for cell in row.cells[first...] {
                if cell.look != look {
                    if look != .plain { out += LineFrame.normal }
                    look = cell.look
                    if look == .marked { out += LineFrame.reverse }
                    if look == .entered { out += LineFrame.bold }
                }
                out += Array(cell.text.utf8)
                place.column += cell.width
                if cell.isCertain { continue }
                isCertain = false
                out.append(0x0D)
                step(min(place.column, columns - 1), back: "D", on: "C")
            }
            // The next erasing must not use reverse video.
            if look != .plain { out += LineFrame.normal }
            isPending = row.width >= columns
            writtenRow = place.row
            guard !isCertain else { return }
            if !isPending { out += LineFrame.eraseRow }
            // It is uncertain whether the terminal will wrap here.
            if let last = row.cells.last, !last.isCertain { (isPending, writtenRow) = (true, nil) }
        }
    }
}
