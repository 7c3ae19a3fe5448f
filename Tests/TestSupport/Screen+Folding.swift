/// A window that gets another width, in a terminal that folds its lines anew, as
/// most do. Like tmux it keeps the empty rows below the cursor, and lets go of
/// those at the top instead.
extension Screen {
    mutating func refold(rows: Int, columns: Int) {
        let old = history + zip(cells, folds).map { ($0.0, $0.1) }
        let cursorRow = history.count + cursor.row
        var lines: [[String]] = [[]]
        var place = (line: 0, cell: 0)
        for (index, row) in old.enumerated() {
            if index == cursorRow {
                let column = cursor.column + (wrapsNext ? 1 : 0)
                place = (lines.count - 1, lines[lines.count - 1].count + column)
            }
            var kept = row.cells
            if let fold = row.fold {
                kept = Array(kept[..<fold])
            } else {
                let least = index == cursorRow ? cursor.column : 0
                while kept.count > least, kept.last == " " { kept.removeLast() }
            }
            lines[lines.count - 1] += kept
            if row.fold == nil, index + 1 < old.count { lines.append([]) }
        }
        var new: [(cells: [String], fold: Int?)] = []
        wrapsNext = false
        for (index, line) in lines.enumerated() {
            var row: [String] = []
            var cell = 0
            while cell < line.count {
                let width = cell + 1 < line.count && line[cell + 1].isEmpty ? 2 : 1
                if row.count + width > columns {
                    new.append((row, row.count))
                    row = []
                }
                if (index, cell) == place { cursor = (new.count, row.count) }
                row += line[cell..<(cell + width)]
                cell += width
            }
            if (index, line.count) == place {
                wrapsNext = row.count == columns
                cursor = (new.count, min(row.count, columns - 1))
            }
            new.append((row, nil))
        }
        let top = max(0, new.count - rows)
        cursor.row -= top
        history = Array(new[..<top])
        (cells, folds) = (new[top...].map(\.cells), new[top...].map(\.fold))
        while cells.count < rows {
            cells.append([])
            folds.append(nil)
        }
        for index in cells.indices {
            cells[index] += Array(repeating: " ", count: columns - cells[index].count)
        }
        (self.rows, self.columns) = (rows, columns)
    }
}
