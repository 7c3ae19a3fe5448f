import AgentCore
import Base
import FoundationEssentials
import Persistence

/// The acts on routines: the verbs of the command, and two tools.
extension RoutineServer {
    static let createTool = "create_routine"

    package static let acts: [Act<RoutineServer>] = [
        list, add, show, edit, pause, resume, run, log, last, held, check, delete,
    ]

    private typealias Field<Input: Sendable> = ActField<Input, RoutineServer>

    private static func named<Input: Sendable>(
        _ path: WritableKeyPath<Input, String> & Sendable
    ) -> Field<Input> {
        Field(words: .phrase("NAME", "the name of a routine", .routine)) { input, value, _ in
            input[keyPath: path] = value.text
        }
    }

    private struct Query: Sendable {
        var name = ""
        var limit = 30
    }

    /// One of them, or all.
    private static let anyOne = Field<Query>(
        words: .phrase("NAME", "the name of a routine", .routine, isOptional: true)
    ) { query, value, _ in query.name = value.text }

    // MARK: - Lists

    private static let list = Act<RoutineServer>(
        Verb(
            "list", "all routines, with the next time",
            json: "id name request times next paused when provider model host tools runBudget …"),
        tool: Tool(
            name: "list_routines", title: "List routines",
            description: "Lists the user's routines, prompts sent on a schedule.",
            toolClass: .read, cues: "routine* schedule* automat* geplant*"),
        [Field<Query>]()
    ) { call in
        let server = call.context
        let entries = try await server.book.entries()
        var shown: [(RoutineBook.Entry, RoutineLog.Run?)] = []
        for entry in entries {
            shown.append((entry, try await server.book.runs(of: entry.routine.id, limit: 1).first))
        }
        let (rows, text, damaged) = (shown, server.text, try await server.book.damaged())
        return Outcome(
            rows.map { entry, last in
                Outcome.Row(
                    json: { text.json(entry, last: last) },
                    told: { text.line(entry, last: last).map(\.text).joined(separator: " · ") })
            },
            listing: .init(
                noun: "routine", empty: "There are no routines.", more: "name one",
                unread: damaged.count), notices: damaged
        ) {
            if rows.isEmpty {
                return [
                    StyledLine("There are no routines yet.", .dim),
                    StyledLine(
                        "chat routine add \"every weekday at 7:30\" \"sum up my day\"", .hint),
                ]
            }
            return StyledLine.table(rows.map { text.line($0.0, last: $0.1) }, columns: 3)
        }
    }

    private static let show = Act<RoutineServer>(
        Verb("show", "what it does, when, and what it may do", json: "id name request times …"),
        [named(\Query.name)]
    ) { call in
        let server = call.context
        let entry = try await server.book.entry(try await call.read(into: Query()).name)
        let last = try await server.book.runs(of: entry.routine.id, limit: 1).first
        // Without a usable provider there is no price to show.
        let price = try? await server.dependencies.model(
            "\(entry.routine.provider)/\(entry.routine.model)"
        ).price
        let cost = RoutineDraft.cost(entry.routine, price, server.dependencies.dates())
        let text = server.text
        let json = text.json(entry, last: last)
        return Outcome([Outcome.Row(json: { json }, told: { entry.routine.name })]) {
            text.details(entry, cost: cost)
        }
    }

    private static let log = Act<RoutineServer>(
        Verb(
            "log", "when they ran and what came of it, the latest first",
            json: "name due state times started ended note conversation cost held"),
        [
            anyOne,
            Field("--limit N", "so many; default: 30") { query, value, _ in
                guard let limit = Int(value.text), (1...10_000).contains(limit) else {
                    throw value.refusal("is a number from 1 to 10,000")
                }
                query.limit = limit
            },
        ]
    ) { call in
        let server = call.context
        let query = try await call.read(into: Query())
        let one = query.name.isEmpty ? nil : try await server.book.entry(query.name)
        let names = try await server.book.names()
        let runs = try await server.book.runs(of: one?.routine.id, limit: query.limit)
        let text = server.text
        return Outcome(
            runs.map { run in
                let name = names[run.routine] ?? "(deleted)"
                let json = RoutineServer.named(name, text.json(run))
                return Outcome.Row(json: { json }, told: { name })
            }, listing: .init(noun: "run", empty: "Nothing ran yet.", more: "name a routine")
        ) {
            runs.isEmpty
                ? [StyledLine("Nothing ran yet.", .dim)]
                : StyledLine.table(
                    runs.map { text.line($0, name: names[$0.routine] ?? "(deleted)") }, columns: 3)
        }
    }

    private static func named(_ name: String, _ json: JSONValue) -> JSONValue {
        .object(
            JSONObject([.init("name", .string(name))] + (json.objectValue?.members ?? [])))
    }

    // MARK: - Making and changing

    private static let shape: [Field<RoutineDraft>] = [
        Field(
            "--name NAME", "its name; default: the beginning of the request",
            model: .init("name", .string())
        ) { draft, value, _ in draft.name = value.text },
        Field(
            "--when due", "only if something is due or an event is today", .oneOf(["due"]),
            model: .init(
                "only_if_due", .boolean(description: "Only if something is due or on today"))
        ) { draft, _, _ in draft.gates.append(.due) },
        Field(
            "--when-changed WHAT", "only if that file, folder or page has changed", .file,
            repeats: true
        ) { draft, value, server in
            for text in value.texts {
                let isPage = text.hasPrefix("https://") || text.hasPrefix("http://")
                draft.gates.append(.changed(isPage ? text : server.dependencies.path(text)))
            }
        },
        Field("--when-command LINE", "only if that shell line succeeds; its output is sent") {
            draft, value, _ in
            draft.gates.append(.command)
            draft.command = value.text
        },
        Field("--unless-same", "report nothing if nothing is new") { draft, _, _ in
            draft.isUnlessSame = true
        },
        Field("--review", "ask about what is due, one by one, at the next launch") {
            draft, _, _ in
            draft.isReview = true
        },
        Field(
            "--allow TOOL", "tools that it may use to write or send", .tool, repeats: true,
            takesSeveral: true,
            model: .init(
                "allow", .array(of: .string(), description: "Tools it may use to write"))
        ) { draft, value, _ in draft.tools += value.texts },
        Field("--model MODEL", "default: the model of a new conversation", .model) {
            draft, value, _ in
            draft.model = value.text
        },
        Field("--budget DOLLARS", "above it a run stops; default: 0.50") { draft, value, _ in
            draft.runBudget = try dollars(value)
        },
        Field("--month DOLLARS", "above it it pauses; default: 5") { draft, value, _ in
            draft.monthBudget = try dollars(value)
        },
        Field("--catch-up TIME", "how late a missed run is made up for; default: 3h") {
            draft, value, _ in
            guard let seconds = RoutineServer.seconds(value.text) else {
                throw value.refusal("is a length of time up to 31 days, such as 3h or 90m")
            }
            draft.catchUp = seconds
        },
        Field("--to FILE", "append each result to that file", .file) { draft, value, server in
            draft.file = server.dependencies.path(value.text)
        },
    ]

    private static func dollars(_ value: ActValue) throws -> Double {
        guard let amount = Double(value.text), amount > 0, amount <= 10_000 else {
            throw value.refusal("is an amount in dollars above 0, such as 0.50")
        }
        return amount
    }

    private static let add = Act<RoutineServer>(
        Verb(
            "add", "make one", json: "id name request times next …",
            example: "\"every weekday at 7:30\" \"sum up my day\""),
        tool: Tool(
            name: createTool, title: "Make a routine",
            description: """
                Has a request sent to a model on a schedule, after asking the user. For what the \
                user has to do, make a reminder.
                """,
            toolClass: .outward, isAddition: true, cues: "routine* every jeden jede täglich daily"),
        [
            Field(
                words: .init(
                    "TIMES REQUEST", "its times and a request", isPhrase: true, repeats: true),
                model: .init(
                    "request", .string(description: "As the user would ask"), isRequired: true)
            ) { draft, value, _ in
                if value.isTyped {
                    draft.times = value.texts.first
                    draft.prompt = value.texts.dropFirst().joined(separator: " ")
                } else {
                    draft.prompt = value.text
                }
            },
            Field(
                model: .init(
                    "times", .string(description: "such as \"every weekday at 7:30\""),
                    isRequired: true)
            ) { draft, value, _ in draft.times = value.text },
        ] + shape + [Field("--ask", "show it and ask first")],
        touched: { call in
            // The question for approval shows everything.
            let (entry, cost, _) = try await call.context.drafted(
                try await call.read(into: RoutineDraft()), editing: nil)
            return .touches(
                call.context.text.details(entry, cost: cost).map(\.text)
                    .joined(separator: " · "))
        }
    ) { call in
        let server = call.context
        if call.words == nil, ToolCallContext.hasUntrustedText {
            throw ToolError.failed(
                "A routine is not made after untrusted text. The user can: /routine add")
        }
        let draft = try await call.read(into: RoutineDraft())
        return try await server.save(draft, editing: nil, asking: call.words)
    }

    private struct Change: Sendable {
        var name = ""
        var draft = RoutineDraft()
    }

    private static let edit = Act<RoutineServer>(
        Verb(
            "edit", "change one", json: "id name request times next …",
            example: "Morning --at \"every day at 8\""),
        [named(\Change.name)]
            + [
                Field("--at TIMES", "other times") { change, value, _ in
                    change.draft.times = value.text
                },
                Field("--request TEXT", "another request") { change, value, _ in
                    change.draft.prompt = value.text
                },
            ] + shape.map { $0.declared() }
    ) { call in
        var change = try await call.read(into: Change())
        change.draft = try await call.read(shape, into: change.draft)
        let entry = try await call.context.book.entry(change.name)
        return try await call.context.save(change.draft, editing: entry, asking: nil)
    }

    private static let pause = Act<RoutineServer>(
        Verb("pause", "stop it until resume", json: "id name paused …"), [named(\Query.name)]
    ) { call in
        let server = call.context
        let entry = try await server.book.entry(try await call.read(into: Query()).name)
        try await server.book.pause(entry, "by you")
        return try await server.told(entry.routine.id, "✓ \(entry.routine.name) is paused")
    }

    private static let resume = Act<RoutineServer>(
        Verb(
            "resume", "let it run again; approves one that came from elsewhere",
            json: "id name paused …"),
        [named(\Query.name), Field("--yes", "approve it without being asked")]
    ) { call in
        let server = call.context
        let entry = try await server.book.entry(try await call.read(into: Query()).name)
        try await server.approve(entry, call.words)
        return try await server.told(entry.routine.id, "✓ \(entry.routine.name) runs again")
    }

    private static let delete = Act<RoutineServer>(
        Verb("delete", "remove one", json: "id name …"), [named(\Query.name)]
    ) { call in
        let server = call.context
        let entry = try await server.book.entry(try await call.read(into: Query()).name)
        try await server.book.delete(entry)
        let json = server.text.json(entry, last: nil)
        return Outcome([Outcome.Row(json: { json }, told: { entry.routine.name })]) {
            [
                StyledLine([
                    .init("✓ \(entry.routine.name) is deleted", .success),
                    .init(" · chat undo", .hint),
                ])
            ]
        }
    }

    // MARK: - Running

    private static let run = Act<RoutineServer>(
        Verb("run", "run it now", json: "name due state note text …"),
        [named(\Query.name), Field("--due", "only if its time has come; for timers")]
    ) { call in
        let server = call.context
        let entry = try await server.book.entry(try await call.read(into: Query()).name)
        let isDue = call.words?.has("--due") == true
        guard
            let run = try await server.dependencies.run(
                entry, isDue, call.words?.interaction.isChat == true)
        else {
            return Outcome(
                CommandOutput(
                    notices: isDue ? [] : ["It did not start: it runs already."]))
        }
        return try await server.result(run, entry)
    }

    private static let last = Act<RoutineServer>(
        Verb("last", "its latest result, for scripts and bars", json: "name due state note text …"),
        [named(\Query.name)]
    ) { call in
        let server = call.context
        let entry = try await server.book.entry(try await call.read(into: Query()).name)
        guard let run = try await server.book.lastResult(of: entry.routine.id) else {
            throw ToolError.failed("\(entry.routine.name) has no result yet.")
        }
        return try await server.result(run, entry)
    }

    private static let held = Act<RoutineServer>(
        Verb("held", "calls that were held back: asks about each", json: "name tool arguments"),
        [
            anyOne, Field("--drop", "forget them"),
        ]
    ) { call in
        try await call.context.settleHeld(try await call.read(into: Query()).name, call.words)
    }

    private static let check = Act<RoutineServer>(
        Verb("check", "whether they could run from here", json: "name ready problem fix"),
        [
            anyOne,
            Field("--provider NAME", "a provider, with its host instead of a routine", .provider),
            Field("--host HOST", "the host that it must have"),
        ]
    ) { call in
        try await call.context.readiness(
            try await call.read(into: Query()).name, provider: call.words?["--provider"],
            host: call.words?["--host"])
    }
}
