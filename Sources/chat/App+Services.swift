import AgentCore
import Base
import CalendarFiles
import ChatKit
import DateLanguage
import Glibc
import Letters
import Library
import MCP
import Outside
import Persistence
import Planner
import Routines
import Stories
import TerminalKit
import Texts
import ToolServers
import Transcription

/// Assembles the program: its capabilities and their dependencies.
extension App {
    func services(for invocation: Invocation) throws -> Services {
        let global: GlobalOptions =
            switch invocation {
            case .version, .help: GlobalOptions()
            case .repl(let options): options.global
            case .oneShot(let options): options.global
            case .command(_, _, let options): options
            }
        let paths = try Paths(variables: variables)
        let settings = try settings(global, paths)
        if settings.error == nil { try settings.checkProvider(global.provider) }
        let shared = SharedServices(
            environment: environment, variables: variables, paths: paths, settings: settings,
            keyRing: KeyRing(
                variables: variables, commands: settings.keyCommands,
                service: SecretService(variables: variables, mayPrompt: isatty(0) == 1),
                file: KeyFile(path: paths.keys, uuid: environment.uuid), own: settings.access,
                pins: ProviderPins(path: paths.providerPins, uuid: environment.uuid)),
            isVerbose: global.verbose && !Self.ownsTerminal(invocation))
        let (calendars, library) = (shared.calendars, shared.library)
        let routines = RoutineAssembly(paths: paths, environment: environment)
        let undo = UndoHistory([
            CalendarUndoSource(calendars), LibraryUndoSource(library), shared.files,
            RoutineUndoSource(routines.book),
            RestoreLog(state: paths.stateFolder), shared.refused,
        ])
        let alerts = AlertAssembly(
            store: calendars, undo: undo,
            reminders: ReminderActions(
                store: calendars, context: shared.dates, environment: environment,
                defaultList: settings.defaultList),
            zones: shared.zones, settings: settings.alerts, paths: paths,
            environment: environment, routines: routines.book)
        let referent = RecentReferent { await alerts.rung.lastFired() }
        let judge = MessageJudge()
        let reminders = RemindersServer(
            store: calendars, context: shared.dates,
            options: .init(
                defaultList: settings.defaultList, allDayHour: settings.alerts.allDayHour),
            environment: environment,
            judge: judge, referent: referent, eventStarts: EventMatcher.starts)
        let calendar = CalendarServer(
            store: calendars, environment: environment,
            defaultCalendar: settings.defaultCalendar,
            reminderList: settings.defaultList, alerts: settings.alerts,
            context: shared.dates, judge: judge, referent: referent)
        let resumes = LibraryAssembly.resumes(library, variables, home: paths.home)
        let kept = LibraryAssembly.server(
            library, files: shared.files, disclosure: shared.disclosure, resumes: resumes,
            settings: settings, paths: paths, variables: variables, environment: environment)
        let prices = PriceTable(settings.prices)
        let letters = LetterAssembly.server(
            library: kept.dependencies, resumes: resumes, profile: shared.profile,
            generator: shared.generator, prompts: shared.prompts, prices: prices, paths: paths,
            variables: variables)
        let writing = WritingAssembly(
            library: kept.dependencies, files: shared.files, generator: shared.generator,
            prompts: shared.prompts, paths: paths, variables: variables,
            reminders: reminders, calendar: calendar,
            review: { try await letters.review.remark($0) })
        let stories = StoryAssembly.server(
            kept.dependencies, voice: shared.voice, generator: shared.generator,
            prompts: shared.prompts, prices: prices)
        let servers = ServerBook(
            path: paths.servers, pins: paths.serverPins, environment: environment)
        let web = WebServer.Dependencies(
            transport: shared.transport, userAgent: "chat/\(HelpText.version)",
            environment: environment)
        let capabilities: [Capability] = [
            // The actions of these servers can be undone.
            Capability(UndoNoticeServer(reminders, store: calendars)),
            Capability(
                UndoNoticeServer(calendar, store: calendars),
                completions: alerts.completions),
            writing.capability,
            Capability(
                UndoServer(
                    undo, environment: environment, width: { WindowWidth.columns(of: 1) },
                    disclosed: { [disclosure = shared.disclosure] in
                        try await disclosure.text($0)
                    })),
            kept.capability, shared.voice.transcription.capability, shared.voice.speech,
            Capability(IdeasServer(shared.ideas)),
            PromptServer(
                book: shared.prompts, library: library, files: shared.files,
                width: { WindowWidth.columns(of: 1) }
            ).capability,
            PrivacyAssembly.profile(shared.profile, paths, variables),
            MemoryServer(
                MemoryBook(library), isOffered: invocation.offersMemory(settings),
                isOn: { [live = shared.live] in live.now.memory || invocation.isOneShot }
            ).capability,
            Capability(letters),
            stories.server.capability,
            Capability(FilesServer(shared.folders, environment: environment)),
            Capability(WebServer(web)),
            routines.server(
                dates: shared.dates, fetcher: PageFetcher(web),
                hasDue: { try await calendar.glance(after: nil)?.line != nil },
                formatted: kept.dependencies.formatted, home: paths.home
            ).capability,
            Capability(
                SentServer(
                    ledger: shared.ledger, prices: prices,
                    dates: shared.dates, programs: { await servers.programs() })),
        ]
        let external = ExternalServers(
            book: servers,
            records: paths.serverOffers, environment: environment,
            identity: MCPIdentity(name: "chat", version: HelpText.version),
            transport: shared.transport, home: paths.home,
            wait: { [live = shared.live] in live.now.mcp.startTimeout },
            ownKeys: Set(settings.access.flatMap(\.variables)),
            token: { [keys = shared.keyRing] in try await keys.token(of: $0, origin: $1)?.text },
            log: { [log = shared.log] in log.write($0) })
        let services = Services(
            shared, registry: ToolRegistry(servers: capabilities.compactMap(\.server)),
            capabilities: capabilities, alerts: alerts, routines: routines.book,
            glance: { [calendar] in try await calendar.glance(after: $0) }, writing: writing,
            stories: stories.server, external: external, grammar: Self.grammar(invocation))
        services.offerGeneration()
        routines.attach(services)
        stories.presenter.begin(with: services)
        return services
    }

    /// The settings of the file and the variables; if the file is unusable the defaults,
    /// and the reason.
    private func settings(_ global: GlobalOptions, _ paths: Paths) throws -> Settings {
        let flags = Settings.Flags(provider: global.provider, model: global.model)
        do throws(ConfigurationError) {
            return try Settings.load(paths.configuration)
                .applying(flags: flags, variables: variables, paths: paths)
        } catch {
            var standard = Settings().applying(flags: flags, variables: [:], paths: paths)
            standard.error = error
            return standard
        }
    }
}

extension Invocation {
    /// Whether the model may be offered the memory tools.
    func offersMemory(_ settings: Settings) -> Bool {
        switch self {
        case .oneShot(let options): options.usesMemory
        // The user is not asked about notes that a host's model wants to store.
        case .command(MCPCommand.noun, _, _): false
        // The setting may change during a session, which reads it each time.
        case .repl: true
        case .version, .help, .command: settings.memory
        }
    }

    var isOneShot: Bool { if case .oneShot = self { true } else { false } }
}
