import AgentCore
import Persistence

/// Tokens by model as aligned lines. Pure.
enum UsageTable {
    static func lines(_ totals: [UsageTotal]) -> [StyledLine] {
        let rows = totals.map { total in
            (
                "\(total.provider.rawValue)/\(total.model)", Quantities.count(total.turns, "turn"),
                Quantities.grouped(total.usage.input), Quantities.grouped(total.usage.cachedInput),
                Quantities.grouped(total.usage.output)
            )
        }
        let names = rows.map { HostileText.line($0.0) }
        let width = names.map(DisplayWidth.of).max() ?? 0
        return zip(names, rows).map { name, row in
            let gap = String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
            return StyledLine([
                StyledLine.Span("  \(name)", .accent),
                StyledLine.Span("\(gap)\(row.1) · \(row.2) in (\(row.3) cached) · \(row.4) out"),
            ])
        }
    }

    static func json(_ totals: [UsageTotal]) -> JSONValue {
        .array(
            totals.map { total in
                [
                    "provider": .string(total.provider.rawValue), "model": .string(total.model),
                    "turns": JSONValue(total.turns), "usage": AnswerReport.usage(total.usage),
                ]
            })
    }
}
