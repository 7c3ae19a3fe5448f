import AgentCore
import Base
import CalendarFiles
import ChatKit
import DateLanguage
import FoundationEssentials
import Persistence
import TerminalKit

/// `chat sent` and the model's tool: everything that left the machine, from the ledger. Only reads
/// it; the transport writes it.
struct SentServer: ActServer {
    static let noun = ProgramNoun.sent.rawValue
    var name: String { Self.noun }
    let description = "What left this machine: every request, to whom, why and how much."

    let ledger: SendBook
    let prices: PriceTable
    let dates: @Sendable () -> DateContext
    /// Names of the tool servers that run as programs.
    let programs: @Sendable () async -> [String]

    var commands: [Command] {
        [
            Command(
                name: name, summary: "everything that left this machine",
                takesWordsWithoutVerb: true, verbs: verbs
            ).with(\.usesConversations)
        ]
    }

    let topic = "ledger telemetry"

    struct Query: Sendable {
        var filter = SentFilter(limit: 30)
    }

    func actContext() -> SentServer { self }
    /// Names of files and hosts are untrusted.
    func areUntrusted(_ paths: [String]) async -> Bool { true }

    static let acts: [Act<SentServer>] = [list, show]
    private static let json =
        "id time host purpose content model conversation title approval routine status bytesOut …"

    private static let list = Act<SentServer>(
        Verb("list", "the latest requests, newest first", json: json),
        tool: Tool(
            name: "list_sent", title: "List what was sent",
            description: "Lists the requests that left this machine, newest first.",
            toolClass: .read,
            cues: """
                was+sent been+sent left+the+machine left+my+machine leaves+my+machine did+you+send \
                gesendet übertragen
                """),
        [
            ActField<Query, SentServer>(
                "--since WHEN", "only from then on: monday, 2 hours ago, 2026-11-22",
                model: .init("since", .string(description: "Day"))
            ) { query, value, server in
                query.filter.since = try server.moment(value)
            },
            ActField<Query, SentServer>(
                "--host NAME", "only to that host, or those under it, at any port",
                model: .init("host", .string())
            ) { query, value, _ in query.filter.host = value.text.lowercased() },
            ActField<Query, SentServer>(
                "--last-turn ID", "only for the last turn of that conversation, and since",
                .conversation
            ) { query, value, _ in query.filter.lastTurnOf = value.text },
            ActField<Query, SentServer>("--limit N", "so many; default: 30") { query, value, _ in
                guard let limit = Int(value.text), (1...100_000).contains(limit) else {
                    throw value.refusal("is a number from 1 to 100,000")
                }
                query.filter.limit = limit
            },
        ]
    ) { call in
        try await call.context.listing(try await call.read(into: Query()).filter)
    }

    private static let show = Act<SentServer>(
        Verb("show", "one request, with its body if that is kept", json: json, example: "12"),
        [
            ActField<Int64, SentServer>(words: .init("N", "the number of a request")) {
                number, value, _ in
                guard let wanted = Int64(value.text) else {
                    throw value.refusal("wants the number of a request")
                }
                number = wanted
            }
        ]
    ) { call in
        let server = call.context
        let number = try await call.read(into: Int64(0))
        await server.ledger.writeAnswers()
        guard let row = try await server.ledger.store().sent(number) else {
            throw ToolError.failed("There is no request \(number); chat sent lists them.")
        }
        let bodies = await QueueExecutor.run("chat.ledger") { [bodies = server.ledger.bodies] in
            SentBodies.Part.allCases.map { ($0.rawValue, bodies.text($0, of: number)) }
        }
        let members =
            (server.json(row).objectValue?.members ?? [])
            + bodies.map { .init($0, $1.map(JSONValue.string) ?? .null) }
        return Outcome([
            Outcome.Row(
                json: { .object(JSONObject(members)) }, told: { server.told(row) })
        ]) {
            server.details(row) + bodies.flatMap { server.lines(of: $1, titled: $0) }
        }
    }

    // MARK: - Rows

    private func moment(_ value: ActValue) throws -> Date {
        let context = dates()
        let fields = DateFieldParser(context: context) { DateParser(context).parse($0) }
        do {
            return try fields.past(value.text)
        } catch {
            throw value.refusal(error.sentence)
        }
    }

    private func listing(_ filter: SentFilter) async throws -> Outcome {
        await ledger.writeAnswers()
        let rows = try await ledger.store().sent(filter)
        let programs = await programs()
        return Outcome(
            rows.map(row),
            listing: .init(
                noun: "request", empty: "Nothing was sent.", more: "give a later day"),
            notices: programs.isEmpty
                ? []
                : [
                    "Not known: what tool servers that are programs send by themselves "
                        + "(\(programs.joined(separator: ", ")))."
                ]
        ) { lines(rows) }
    }

    private func row(_ row: SentRow) -> Outcome.Row {
        let json = json(row)
        return Outcome.Row(json: { json }, told: { told(row) })
    }

    /// Leaves out the contents of other conversations: titles and file names.
    private func told(_ row: SentRow) -> String {
        let kinds = row.outgoing.content.map { SentContent.isFile($0) ? "file" : $0 }
        return [
            "\(row.id)", dates().local.isoText(row.made), row.host, row.outgoing.purpose.rawValue,
            row.outgoing.model ?? "", "\(row.bytesOut) bytes out", answered(row),
            Set(kinds).sorted().joined(separator: ", "),
        ].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private func json(_ row: SentRow) -> JSONValue {
        let (out, answer) = (row.outgoing, row.answer)
        func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        return [
            "id": .integer(row.id), "time": .string(dates().local.isoText(row.made)),
            "host": .string(row.host), "purpose": .string(out.purpose.rawValue),
            "content": .array(out.content.map(JSONValue.string)),
            "provider": text(out.provider?.rawValue), "model": text(out.model),
            "conversation": text(out.conversation), "title": text(row.title),
            "approval": text(out.approval), "routine": text(out.routine),
            "status": answer?.status.map { JSONValue($0) } ?? .null,
            "bytesOut": JSONValue(row.bytesOut),
            "bytesIn": answer.map { JSONValue($0.bytes) } ?? .null,
            "usage": (answer?.usage ?? Usage()).json,
            "cost": cost(row).known?.json ?? .null,
        ]
    }

    private func cost(_ row: SentRow) -> Cost {
        guard let usage = row.answer?.usage, let model = row.outgoing.model,
            let provider = row.outgoing.provider
        else { return Cost() }
        return prices.cost(of: usage, model: model, provider: provider, isOneTurn: true)
    }

    private func lines(_ rows: [SentRow]) -> [StyledLine] {
        if rows.isEmpty { return [StyledLine("Nothing was sent.", .dim)] }
        let local = dates().local
        let today = local.civil(at: dates().now).date
        return StyledLine.table(
            rows.map { row in
                let made = local.civil(at: row.made)
                return [
                    .init("\(row.id)", .dim),
                    .init("\(made.date.text(asOf: today)) \(made.clockText)", .dim),
                    .init(row.host, .accent), .init(row.outgoing.purpose.rawValue),
                    .init(Quantities.bytes(row.bytesOut) + " out"),
                    .init(answered(row), isAnswered(row) ? .dim : .warning),
                    .init(cost(row).text ?? "", .dim),
                    .init(row.outgoing.content.joined(separator: ", "), .dim),
                ]
            }, columns: 7, alignsRight: [0, 4, 5, 6])
    }

    /// A sent body as lines; JSON is indented.
    private func lines(of body: String?, titled title: String) -> [StyledLine] {
        guard let body else { return [] }
        let gap = body.firstRange(of: "\n\n")
        let parts =
            [body[..<(gap?.lowerBound ?? body.endIndex)]]
            + (gap.map { [body[$0.upperBound...]] } ?? [])
        let shown = parts.map { part in
            // A text that is not JSON is shown as it is.
            (try? JSONParser.parse(String(part))).map({ JSONWriter.pretty($0) }) ?? String(part)
        }
        return [StyledLine(""), StyledLine(title, .bold)]
            + shown.joined(separator: "\n\n").split(
                separator: "\n", omittingEmptySubsequences: false
            ).map { StyledLine(String($0)) }
    }

    private func isAnswered(_ row: SentRow) -> Bool {
        row.answer?.status.map { $0 < 400 } ?? false
    }

    private func answered(_ row: SentRow) -> String {
        guard let status = row.answer?.status else { return "no answer" }
        let size = Quantities.bytes(row.answer?.bytes ?? 0) + " in"
        return status < 400 ? size : "\(status), \(size)"
    }

    private func details(_ row: SentRow) -> [StyledLine] {
        let (out, local) = (row.outgoing, dates().local)
        let model = [out.provider?.rawValue, out.model].compactMap(\.self).joined(separator: "/")
        let conversation = out.conversation.map { "\($0.prefix(8)) \(row.title ?? "")" }
        let allowed = out.approval ?? (out.purpose == .turn ? "your message" : "")
        let rows: [(String, String)] = [
            ("time", local.isoText(row.made)), ("host", row.host),
            ("purpose", out.purpose.rawValue), ("model", model),
            ("conversation", conversation ?? ""),
            ("routine", out.routine.map { String($0.prefix(8)) } ?? ""),
            ("content", out.content.joined(separator: ", ")), ("allowed by", allowed),
            ("sent", Quantities.bytes(row.bytesOut)), ("answer", answered(row)),
            ("cost", cost(row).text ?? ""),
        ]
        return StyledLine.table(
            rows.filter { !$0.1.isEmpty }.map { [.init($0.0, .dim), .init($0.1)] }, columns: 1)
    }
}
