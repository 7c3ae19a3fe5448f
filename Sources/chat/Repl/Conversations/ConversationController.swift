import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Library
import Persistence
import Synchronization
import TerminalKit

/// Controls the open conversation: starting, resuming, searching, summarizing, and exporting.
struct ConversationController: ReplController {
    let context: ReplContext
    let commands: CapabilityCommands
    let answers: AnswerController
    let roles: RoleController

    func startNew() async throws {
        try await session.openNew()
        await showNew()
    }

    func showNew() async {
        await showBanner(
            await session.expectedChoice(), record: nil, prefix: "New conversation")
    }

    /// Opens the conversation of this launch: the latest, a new, or a named one.
    func openFirst() async throws {
        switch options.start {
        case .new:
            try await session.openNew()
            await showBanner(await session.expectedChoice(), record: nil)
        case .latest:
            if let latest = try await services.store().latest(kinds: [.repl]) {
                try await open(latest, isLaunch: true)
            } else {
                try await session.openNew()
                await showFirstSteps()
            }
        case .named(let query): try await open(ConversationFinder(services: services).find(query))
        case .pick:
            try await resume("")
            if await session.record == nil { await showNew() }
        }
    }

    func resume(_ query: String) async throws {
        if query.isEmpty {
            let open = await session.record?.id
            let request = try await ConversationChoices(services: services)
                .conversations(heading: "Which conversation?", except: open)
            if request.items.isEmpty { throw SessionError.noConversation(query: nil) }
            try await pick(request)
            return
        }
        try await open(ConversationFinder(services: services).find(query))
    }

    /// - Parameter place: the place of a match in the conversation of that id.
    private func pick(
        _ request: PickerRequest, place: (String) -> SearchHit? = { _ in nil }
    ) async throws {
        let picked = await terminal.pick(request, services.environment)
        if let picked, ItemID(picked) != nil {
            return try await commands.run(LibraryServer.noun, arguments: ["show", picked])
        }
        guard let id = picked, let record = try await services.store().conversation(id)
        else {
            await tell("Nothing chosen.", .dim)
            return
        }
        try await open(record, at: place(id))
    }

    /// Searches all conversations and kept items; opens the picked conversation at the
    /// match, or shows the item.
    func search(_ arguments: [String]) async throws {
        let text = arguments.joined(separator: " ").trimmingSpace()
        if SearchQuery(text).isEmpty {
            throw UsageError("/search needs words to look for.", hint: "/search WORDS")
        }
        guard terminal.isInteractive else {
            try await commands.run("conversations", arguments: ["search"] + arguments)
            return
        }
        let found = FoundPlaces()
        let request = try await ConversationChoices(services: services).conversations(
            heading: "Search in conversations and library", query: text, findsItems: true,
            found: { found.set($0) })
        try await pick(request) { found[$0] }
    }

    func open(
        _ record: ConversationRecord, at hit: SearchHit? = nil, isLaunch: Bool = false
    ) async throws {
        switch try await session.open(record) {
        case .busy where isLaunch:
            try await session.openNew()
            await showBanner(await session.expectedChoice(), record: nil)
            await tell(
                "\"\(record.title)\" is open in another chat; this is a new conversation.", .warning
            )
        case .busy: throw SessionError.busy(title: record.title)
        case .opened:
            let choice = await session.expectedChoice()
            await showBanner(choice, record: record)
            if let choice, choice.provider != record.provider, choice.provider != .offline,
                record.provider != .offline
            {
                let host = await services.connector.host(of: choice.provider)
                await tell(
                    "The whole conversation goes to \(host) with the next message.", .warning)
            }
            await roles.showCurrent()
            if let hit {
                try await answers.showPlace(hit)
            } else {
                try await answers.showLastTurns()
            }
        }
    }

    /// `chat 0.1 · claude-sonnet-5-5 · "Trip to Oslo", 12 messages, yesterday · /new for a new one, /help`
    func showBanner(
        _ choice: ProviderChoice?, record: ConversationRecord?, prefix: String? = nil
    ) async {
        var parts = [prefix ?? "chat \(HelpText.version)"]
        switch choice {
        case nil: parts.append("no key; the first message looks for a local model")
        case let choice? where choice.provider == .offline: parts.append("no model connected")
        case let choice?:
            let known = await services.connector.firstKnown(of: choice.provider)
            parts.append(choice.model ?? known ?? "\(choice.provider.rawValue), its first model")
        }
        if let record {
            let age = Quantities.ago(record.updated, now: services.environment.now())
            parts.append(
                "\"\(record.title)\", \(Quantities.count(record.messages, "message")), \(age)")
            parts.append("/new for a new one, /help")
        } else if prefix == nil {
            parts.append("/help")
        }
        let width = terminal.isInteractive ? terminal.size.columns - 2 : .max
        let lines = WindowWidth.lines(parts, joinedBy: " · ", width: width)
        await show(
            lines.enumerated().flatMap { index, line in
                StyledLine((index > 0 ? "  " : "") + line, .dim).folded(to: width)
            })
        if prefix == nil, let notice = TimeZoneNotice.text(LocalTime()) {
            await tell("\(notice)", .warning)
        }
    }

    /// The first screen of a new user. Without a key it looks once for local model servers, which
    /// this screen mentions.
    private func showFirstSteps() async {
        let server =
            await session.expectedChoice() == nil ? await services.connector.localServer() : nil
        let choice = await session.expectedChoice()
        await showBanner(choice, record: nil)
        await show(
            FirstSteps.lines(
                isConnected: choice.map { $0.provider != .offline } ?? false, server: server,
                columns: windowWidth))
    }

    /// `/compact [what matters]`
    func compact(_ arguments: [String]) async throws {
        let focus = arguments.isEmpty ? nil : arguments.joined(separator: " ")
        let (session, terminal, style) = (session, terminal, style)
        let report = try await stoppable {
            try await session.compact(focus: focus) { event in
                switch event {
                case .compaction(let event):
                    await terminal.write(style.bytes(CompactionText.line(event)))
                case .retrying(let error, let attempt, let of, let delay):
                    let line =
                        "  ! \(Diagnostic.cause(error, saysWait: false)). Trying again in "
                        + "\(Quantities.seconds(delay)), attempt \(attempt) of \(of) · Ctrl-C stops"
                    await terminal.write(style.bytes(StyledLine(line, .warning)))
                default: break
                }
            }
        }
        await show([CompactionText.line(.finished(report))])
    }

    /// `/export [md|json] [FILE] [--yes]`, by default into the folder the
    /// program was started in, named after the title.
    func export(_ arguments: CommandArguments) async throws {
        guard let record = await session.record, record.order > 0 else {
            throw UsageError("There is nothing to export yet: say something first.")
        }
        var rest = arguments.plain
        var format: ExportFormat?
        if let first = rest.first, let named = ExportFormat(rawValue: first) {
            format = named
            rest.removeFirst()
        }
        guard rest.count <= 1 else {
            throw UsageError("One file is enough.", hint: "/export [md|json] [FILE]")
        }
        let file = rest.first
        let chosen = try format ?? file.flatMap(ExportFormat.init(ofFile:)) ?? .md
        let (command, isForced) = (ExportCommand(services: services), arguments.isConfirmed)
        let output = try await stoppable {
            try await command.export(record, as: chosen, to: file, replaces: isForced)
        }
        await show(output.lines)
    }
}

/// The matches of the latest search, by conversation.
private final class FoundPlaces: Sendable {
    private let hits = Mutex<[String: SearchHit]>([:])

    func set(_ found: [SearchHit]) {
        let places = Dictionary(found.map { ($0.conversation.id, $0) }) { first, _ in first }
        hits.withLock { $0 = places }
    }

    subscript(id: String) -> SearchHit? { hits.withLock { $0[id] } }
}
