import AgentCore
import Base
import FoundationEssentials
import Persistence
import TerminalKit

/// The screen of `/usage` for the open conversation: its last turns, its models, the sum,
/// and how full the model's window is. Pure.
package struct UsageScreen {
    /// The last turns, oldest first.
    package var turns: [StoredTurn]
    package var models: [UsageTotal]
    /// Tokens of the last request, and the model's limit.
    package var context: (filled: Int, window: Int?)?
    /// Number of times tools were added to the conversation after its first request, and how many
    /// of them changed the part before the messages.
    package var joinings = (all: 0, misses: 0)
    /// Number of earlier reasoning blocks that the provider has dropped, since the start.
    package var droppedReasoning = 0
    package var prices: PriceTable
    package var hasOwnPrices = false

    package init(
        turns: [StoredTurn], models: [UsageTotal], context: (filled: Int, window: Int?)? = nil,
        prices: PriceTable, hasOwnPrices: Bool = false
    ) {
        self.turns = turns
        self.models = models
        self.context = context
        self.prices = prices
        self.hasOwnPrices = hasOwnPrices
    }

    package static let turnLimit = 10

    package func lines(width: Int) -> [StyledLine] {
        let rows = UsageRow.byModel(models, prices)
        let total = UsageRow.sum("total", of: rows)
        if total.usage.isEmpty { return [StyledLine("  Nothing has been used here yet.", .dim)] }
        var lines: [StyledLine] = []
        let recent = turns.filter { !$0.turn.usage.isEmpty }.suffix(Self.turnLimit).map(row)
        if !recent.isEmpty {
            lines.append(StyledLine("Last turns", .bold))
            lines += UsageTable.lines(Array(recent), total: nil, width: width)
        }
        lines.append(StyledLine("By model", .bold))
        lines += UsageTable.lines(rows, total: total, width: width)
        if let percent = total.cachedPercent {
            lines.append(StyledLine("Cache    \(percent) % of the input"))
        }
        if joinings.all > 0 {
            lines.append(
                StyledLine(
                    "Tools    joined \(Quantities.count(joinings.all, "time")): at most "
                        + Quantities.count(joinings.misses, "cache miss", plural: "cache misses")))
        }
        if droppedReasoning > 0 {
            lines.append(
                StyledLine(
                    "Thinking \(Quantities.count(droppedReasoning, "part")) dropped by the provider"
                        + " because something before it changed"))
        }
        if let context {
            var text = "Context  \(Quantities.short(context.filled))"
            if let window = context.window, window > 0 {
                let percent = Int(
                    (Double(context.filled) / Double(window) * 100).rounded())
                text += " of \(Quantities.short(window)), \(percent) % full"
            }
            lines.append(StyledLine(text))
        }
        let used = rows.filter { !$0.usage.isEmpty }
        lines.append(PriceTable.note(used.map(\.cost), isConfigured: hasOwnPrices))
        return lines
    }

    private func row(_ stored: StoredTurn) -> UsageRow {
        let words = stored.turn.messages.first?.text ?? ""
        let firstLine = words.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return UsageRow(
            name: DisplayWidth.cut(HostileText.line(firstLine), to: 30), turns: 0,
            usage: stored.turn.usage,
            cost: prices.cost(
                of: stored.turn.usage, model: stored.model, provider: stored.provider,
                isOneTurn: true))
    }

    /// Estimated size of a stored turn's last request: only the sum over its requests is
    /// kept.
    package static func filled(by turn: StoredTurn) -> Int {
        let requests = max(1, turn.turn.messages.count { $0.role == .assistant })
        let (sum, overflow) = turn.turn.usage.input.addingReportingOverflow(turn.turn.usage.output)
        return (overflow ? .max : sum) / requests
    }
}
