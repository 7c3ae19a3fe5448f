/// The position of each unit of an input line: prompt and text laid out in rows of a terminal.
/// Pure; `LineFrame` draws the visible rows.
///
/// A full row ends at once, so there is always a column for the cursor; a wide character that does
/// not fit leaves a column empty and begins the next row.
struct LineLayout {
    struct Position: Equatable, Sendable {
        var row = 0
        var column = 0
    }

    struct Row: Equatable, Sendable {
        var cells: [LineCell] = []
        var width = 0
        /// Whether the text goes on in the next row without a line feed.
        var isWrapped = false
        /// Whether its style spans several cells, so that it is written whole.
        var isStyled = false
    }

    let columns: Int
    /// Position of the cursor.
    private(set) var cursor = Position()
    private let prompt: [LineCell]
    private let units: [UInt32]
    /// The number of folds up to each unit, to tell them apart.
    private var folds: [Int: Int] = [:]
    private var starts: [Start] = [Start(item: 0, cell: 0, isSoft: false)]
    private var place = Position()

    /// Item 0 is the prompt, item n the unit n - 1.
    private struct Start: Equatable {
        var item: Int
        var cell: Int
        /// Whether the previous row continued here without a line feed.
        var isSoft: Bool
    }

    init(
        columns: Int, prompt: [LineCell], units: [UInt32], cursor index: Int,
        from table: inout LineUnits
    ) {
        // The default for a terminal without a size or with one column.
        self.columns = columns < 2 ? 80 : columns
        self.prompt = prompt
        self.units = units
        for (cell, part) in prompt.enumerated() { put(part.width, item: 0, cell: cell) }
        var count = 0
        for (at, unit) in units.enumerated() {
            if at == index { cursor = place }
            let before = place
            if unit >= 0x20, unit < 0x7F {
                put(1, item: at + 1, cell: 0)
                continue
            }
            if table.isFold(unit) {
                folds[at] = count
                count += 1
            }
            switch unit {
            case LineUnits.newline:
                place = Position(row: place.row + 1)
                starts.append(Start(item: at + 2, cell: 0, isSoft: false))
            case LineUnits.tab:
                var cell = 0
                repeat {
                    put(1, item: at + 1, cell: cell)
                    cell += 1
                } while place.column & 7 != 0
            default:
                for (cell, part) in cells(at, &table).enumerated() {
                    let isFirst = cell == 0 && before == place
                    put(part.width, item: at + 1, cell: cell)
                    // The cursor follows a wide character that has moved to the next row.
                    if isFirst, at == index, place.row > before.row, place.column == part.width {
                        cursor = Position(row: place.row)
                    }
                }
            }
        }
        if index >= units.count { cursor = place }
    }

    private mutating func put(_ width: Int, item: Int, cell: Int) {
        if place.column + width > columns {
            place = Position(row: place.row + 1)
            starts.append(Start(item: item, cell: cell, isSoft: true))
        }
        place.column += width
        if place.column >= columns {
            place = Position(row: place.row + 1)
            starts.append(Start(item: item, cell: cell + 1, isSoft: true))
        }
    }

    private func cells(_ at: Int, _ table: inout LineUnits) -> [LineCell] {
        let cells = table.cells(units[at])
        guard let number = folds[at] else { return cells }
        let tail = number > 0 ? " #\(number + 1)]" : "]"
        return [LineCell("[", width: 1)] + cells + tail.map { LineCell(String($0), width: 1) }
    }

    /// Number of rows, including an empty last one.
    var rowCount: Int { starts.count }

    /// The rows for drawing.
    ///
    /// - Parameters:
    ///   - marked: units shown as marked.
    ///   - isEntered: whether editing has ended.
    func rows(
        _ range: Range<Int>, marked: Range<Int>? = nil, isEntered: Bool = false,
        from table: inout LineUnits
    ) -> [Row] {
        range.map { number in
            var row = Row()
            visit(number, &table) { item, part, _ in
                var part = part
                if item > 0, isEntered { part.look = .entered }
                if marked?.contains(item - 1) ?? false { part.look = .marked }
                if part.width == 0, !row.cells.isEmpty {
                    row.cells[row.cells.count - 1].text += part.text
                } else {
                    row.cells.append(part)
                }
                row.width += part.width
            }
            row.isWrapped = number + 1 < starts.count && starts[number + 1].isSoft
            return row
        }
    }

    /// The unit at a position, or the nearest one.
    func index(row number: Int, column: Int, from table: inout LineUnits) -> Int {
        var found: Int?
        var last = 0
        visit(number, &table) { item, part, at in
            last = max(0, item - 1)
            if found == nil, item > 0, at + max(part.width, 1) > column { found = item - 1 }
        }
        if let found { return found }
        // Beyond the row's end: before its line feed, or at its last unit.
        guard number + 1 < starts.count else { return units.count }
        let next = starts[number + 1]
        return next.isSoft ? last : max(0, next.item - 2)
    }

    /// Visits the cells of a row: their item, style, and column.
    private func visit(
        _ number: Int, _ table: inout LineUnits, _ body: (Int, LineCell, Int) -> Void
    ) {
        let start = starts[number]
        let end =
            number + 1 < starts.count
            ? starts[number + 1] : Start(item: units.count + 1, cell: 0, isSoft: false)
        var column = 0
        var item = start.item
        var first = start.cell
        while item < end.item || (item == end.item && end.cell > 0), item <= units.count {
            let isLast = item == end.item
            if item > 0, units[item - 1] == LineUnits.newline { break }
            var parts: [LineCell]
            if item == 0 {
                parts = prompt
            } else if units[item - 1] == LineUnits.tab {
                // A cell that ended at the margin takes no space in the next row.
                let width = first > 0 ? 0 : min(8 - column & 7, columns - column)
                parts = Array(repeating: LineCell(" ", width: 1), count: width)
            } else if units[item - 1] >= 0x20, units[item - 1] < 0x7F {
                parts = [Self.ascii[Int(units[item - 1]) - 0x20]]
            } else {
                parts = cells(item - 1, &table)
            }
            if isLast { parts = Array(parts.prefix(end.cell)) }
            for part in parts.dropFirst(first) {
                body(item, part, column)
                column += part.width
            }
            first = 0
            item += 1
        }
    }

    private static let ascii = (UInt8(0x20)..<0x7F).map {
        LineCell(String(Unicode.Scalar($0)), width: 1)
    }
}
