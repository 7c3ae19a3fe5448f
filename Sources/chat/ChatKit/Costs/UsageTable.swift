import AgentCore
import Base
import TerminalKit

/// Rows of usage as lines that fit the terminal, and as JSON. Pure.
package enum UsageTable {
    /// Aligned columns if the width allows, else two lines per row.
    ///
    /// - Parameter total: the last line, if there are several rows.
    package static func lines(_ rows: [UsageRow], total: UsageRow?, width: Int) -> [StyledLine] {
        var rows = rows
        let hasSum = total != nil && rows.count > 1
        if hasSum, let total { rows.append(total) }
        let cells = rows.map { row in
            [
                HostileText.line(row.name),
                row.turns == 0 ? "" : Quantities.count(row.turns, "turn"),
                "\(Quantities.short(row.usage.input)) in",
                row.cachedPercent.map { $0 > 0 ? "\($0) % cached" : "" } ?? "",
                "\(Quantities.short(row.usage.output)) out",
                row.cost.text ?? (row.usage.isEmpty ? "" : "no price"),
            ]
        }
        let columns = (0..<6).map { column in
            cells.map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        let shown = columns.indices.dropFirst().filter { columns[$0] > 0 }
        // The remaining width for the names, which may be cut.
        let left = width - 2 - shown.reduce(0) { $0 + columns[$1] + 2 }
        let isWide = left >= min(columns[0], 16)
        let names = cells.map { DisplayWidth.cut($0[0], to: isWide ? left : width - 2) }
        let nameWidth = names.map(DisplayWidth.of).max() ?? 0
        return cells.enumerated().flatMap { index, row -> [StyledLine] in
            let style: StyledLine.Style = hasSum && index == cells.count - 1 ? .bold : .accent
            guard isWide else {
                let rest = row.dropFirst().filter { !$0.isEmpty }
                return [StyledLine("  \(names[index])", style)]
                    + wrapped(rest, width: width).map { StyledLine($0, .plain) }
            }
            var line = StyledLine([
                .init("  " + DisplayWidth.pad(names[index], to: nameWidth), style)
            ])
            for column in shown {
                // Numbers are right-aligned.
                line.spans.append(
                    .init("  " + DisplayWidth.padLeft(row[column], to: columns[column])))
            }
            return [line]
        }
    }

    /// The fields of one row, below its name.
    private static func wrapped(_ pieces: [String], width: Int) -> [String] {
        WindowWidth.lines(pieces, joinedBy: " · ", width: width - 4).map { "    " + $0 }
    }

    /// An array of rows: `provider model turns usage cost`, or `day` or `id title` instead of
    /// the first two.
    package static func json(_ rows: [UsageRow], by names: (UsageRow) -> [(String, String)])
        -> JSONValue
    {
        .array(
            rows.map { row in
                var object = JSONObject(names(row).map { .init($0.0, .string($0.1)) })
                object["turns"] = JSONValue(row.turns)
                object["usage"] = row.usage.json
                object["cost"] = row.cost.json
                return .object(object)
            })
    }
}
