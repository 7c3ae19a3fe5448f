import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence

/// `chat usage`: tokens and cost of the last days, by model, day or conversation.
package struct UsageCommand {
    static let noun = ProgramNoun.usage.rawValue
    let services: Services
    /// Columns of the output.
    var width = 80

    private enum Grouping: String, CaseIterable { case model, day, conversation, host }

    /// Number of conversations listed; the sums include all of them.
    private static let conversationLimit = 30

    var command: Command {
        Command(
            name: Self.noun, summary: "tokens and money, by model, day or conversation",
            verbs: [
                Verb(
                    "show", "for the last 30 days, including today",
                    options: [
                        .init("--days N", "for the last N days"),
                        .init(
                            "--by", oneOf: Grouping.allCases.map(\.rawValue), "one line for each"),
                    ], json: "provider model (or day, id title, or host month) turns usage cost"
                ) { try await show($0) }
            ])
    }

    private func show(_ arguments: CommandArguments) async throws -> CommandOutput {
        let days = try arguments.number("--days", upTo: 36_500) ?? 30
        let grouping = try arguments.choice("--by") ?? Grouping.model
        let zone = LocalTime()
        let today = zone.civil(at: services.environment.now()).date
        let since = zone.start(of: today.adding(days: 1 - days))
        let prices = services.prices
        if grouping == .host { return try await hosts(since: since, zone: zone, prices, days) }
        let totals = UsageRow.byModel(try await services.store().usage(since: since), prices)
        let rows =
            try await rows(grouping, since: since, zone: zone, today: today, prices) ?? totals
        let total = UsageRow.sum("total", of: totals)
        let json = UsageTable.json(rows) { row in
            let id = row.id ?? ""
            switch grouping {
            case .model:
                // A provider's name contains no slash.
                let slash = id.firstIndex(of: "/") ?? id.endIndex
                return [
                    ("provider", String(id[..<slash])), ("model", String(id[slash...].dropFirst())),
                ]
            case .day: return [("day", id)]
            case .conversation, .host: return [("id", id), ("title", row.name)]
            }
        }
        if total.usage.isEmpty {
            return CommandOutput(
                lines: [
                    StyledLine(
                        "Nothing was used in the last \(Quantities.count(days, "day")).", .dim)
                ], json: json)
        }
        var lines = UsageTable.lines(rows, total: total, width: width)
        lines.append(
            PriceTable.note(
                totals.filter { !$0.usage.isEmpty }.map(\.cost),
                isConfigured: !services.settings.prices.isEmpty))
        return CommandOutput(lines: lines, json: json)
    }

    /// Requests and bytes by host and month, from the ledger.
    private func hosts(
        since: Date, zone: LocalTime, _ prices: PriceTable, _ days: Int
    ) async throws -> CommandOutput {
        await services.ledger.writeAnswers()
        let totals = try await services.store().sentTotals(since: since, zone: zone)
        let costs = totals.map {
            UsageRow.sum($0.host, of: UsageRow.byModel($0.usage, prices)).cost
        }
        let json = JSONValue.array(
            zip(totals, costs).map { total, cost in
                [
                    "host": .string(total.host),
                    "month": .string(String(total.month.isoText.prefix(7))),
                    "requests": JSONValue(total.requests), "bytesOut": JSONValue(total.bytesOut),
                    "bytesIn": JSONValue(total.bytesIn), "cost": cost.known?.json ?? .null,
                ]
            })
        if totals.isEmpty {
            return CommandOutput(
                lines: [
                    StyledLine(
                        "Nothing was sent in the last \(Quantities.count(days, "day")).", .dim)
                ], json: json)
        }
        let lines = StyledLine.table(
            zip(totals, costs).map { total, cost in
                [
                    .init(String(total.month.isoText.prefix(7)), .dim),
                    .init(total.host, .accent),
                    .init(Quantities.count(total.requests, "request")),
                    .init(Quantities.bytes(total.bytesOut) + " out"),
                    .init(Quantities.bytes(total.bytesIn) + " in"), .init(cost.text ?? "", .dim),
                ]
            }, columns: 5, alignsRight: [2, 3, 4])
        return CommandOutput(lines: lines, json: json)
    }

    /// The rows of a grouping; nil by model (the caller has those rows) and by host.
    private func rows(
        _ grouping: Grouping, since: Date, zone: LocalTime, today: CivilDate, _ prices: PriceTable
    ) async throws -> [UsageRow]? {
        let store = try services.store()
        switch grouping {
        case .model, .host: return nil
        case .day:
            return try await store.usageByDay(since: since, zone: zone).map { day in
                .sum(
                    day.day.nearText(asOf: today), id: day.day.isoText,
                    of: UsageRow.byModel(day.totals, prices))
            }
        case .conversation:
            return try await store.usageByConversation(
                since: since, limit: Self.conversationLimit
            ).map { conversation in
                .sum(
                    conversation.title, id: conversation.id,
                    of: UsageRow.byModel(conversation.totals, prices))
            }
        }
    }
}
