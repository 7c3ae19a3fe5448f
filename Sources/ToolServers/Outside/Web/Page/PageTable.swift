/// The rows of a page's table; detects whether it is a real table or only layout. Pure.
struct PageTable {
    /// Whether it contains other tables: then its cells are not collected.
    var isLayout = false
    /// Number of containers around it.
    let depth: Int
    /// Bytes.
    private(set) var size = 0
    /// Each cell as a list of blocks.
    private var rows: [[[[UInt8]]]] = []
    private var cell: [[UInt8]]?

    /// Maximum columns and cell size; a larger one is read as text.
    private static let columns = 40
    private static let cellSize = 600

    init(depth: Int) { self.depth = depth }

    var isInCell: Bool { cell != nil && !isLayout }

    mutating func beginRow() {
        if !isLayout { rows.append([]) }
    }

    mutating func beginCell() {
        if isLayout { return }
        if rows.isEmpty { rows.append([]) }
        cell = []
    }

    mutating func add(_ block: some Sequence<UInt8>) {
        let block = Array(block)
        size += block.count
        cell?.append(block)
    }

    mutating func endCell() {
        if let cell { rows[rows.count - 1].append(cell) }
        cell = nil
    }

    /// The lines of the table; nil if it is better read as text.
    var markdown: [String]? {
        let rows = rows.filter { row in row.contains { !$0.isEmpty } }
        let columns = rows.map(\.count).max() ?? 0
        guard rows.count >= 2, (2...Self.columns).contains(columns),
            rows.allSatisfy({ row in
                row.allSatisfy { $0.reduce(0) { $0 + $1.count } <= Self.cellSize }
            })
        else { return nil }
        var lines = rows.map { row in
            "| " + row.map(Self.line).joined(separator: " | ") + " |"
        }
        lines.insert("|" + String(repeating: " --- |", count: columns), at: 1)
        // The separator line counts the columns.
        if rows[0].count < columns {
            lines[0] += String(repeating: " |", count: columns - rows[0].count)
        }
        return lines
    }

    /// The contents of the table in order, as text.
    var blocks: [[UInt8]] {
        var blocks: [[UInt8]] = []
        for row in rows + (cell.map { [[$0]] } ?? []) {
            // Cells of one line each form a line.
            if row.count > 1, row.allSatisfy({ $0.count <= 1 }) {
                let cells = row.compactMap(\.first)
                if !cells.isEmpty {
                    blocks.append(Array(cells.joined(separator: Array("  ".utf8))))
                }
            } else {
                blocks += row.joined()
            }
        }
        return blocks
    }

    private static func line(_ cell: [[UInt8]]) -> String {
        let text = String(decoding: Array(cell.joined(separator: [0x20])), as: UTF8.self)
        guard text.utf8.contains(where: { $0 == 0x7C || $0 == 0x0A }) else { return text }
        return text.map { $0 == "|" ? "\\|" : $0.isNewline ? " " : String($0) }.joined()
    }
}
