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
        let live = LiveSettings(settings)
        let keyRing = KeyRing(
            variables: variables, commands: settings.keyCommands,
            service: SecretService(variables: variables, mayPrompt: isatty(0) == 1),
            file: KeyFile(path: paths.keys, uuid: environment.uuid), own: settings.access,
            pins: ProviderPins(path: paths.providerPins, uuid: environment.uuid))
        let calendars = CalendarStore(
            roots: settings.calendars, trash: paths.trash, state: paths.stateFolder,
            environment: environment)
        let files = RewrittenFiles(folder: paths.stateFolder, environment: environment)
        let library = LibraryStore(path: paths.database, environment: environment)
        let refused = RefusedMessage()
        let routines = RoutineAssembly(paths: paths, environment: environment)
        let undo = UndoHistory([
            CalendarUndoSource(calendars), LibraryUndoSource(library), files,
            RoutineUndoSource(routines.book),
            RestoreLog(state: paths.stateFolder), refused,
        ])
        let zones = TimeZoneDatabase()
        let alerts = AlertAssembly(
            store: calendars, undo: undo,
            reminders: ReminderActions(
                store: calendars,
                context: { [environment] in settings.dates(environment, zones: zones) },
                environment: environment, defaultList: settings.defaultList),
            zones: zones, settings: settings.alerts, paths: paths, environment: environment,
            routines: routines.book)
        let referent = RecentReferent { await alerts.rung.lastFired() }
        let judge = MessageJudge()
        // For servers that use a model to write.
        let generator = SessionTextGenerator()
        let prompts = PromptBook(PromptBook.Sources(settings, paths, library: library))
        let profile = ProfileFile(path: paths.profile)
        let disclosure = ItemDisclosure(library: library, profile: profile)
        let reminders = RemindersServer(
            store: calendars,
            context: { [environment] in settings.dates(environment, zones: zones) },
            options: .init(
                defaultList: settings.defaultList, allDayHour: settings.alerts.allDayHour),
            environment: environment,
            judge: judge, referent: referent, eventStarts: EventMatcher.starts)
        let calendar = CalendarServer(
            store: calendars, environment: environment,
            defaultCalendar: settings.defaultCalendar,
            reminderList: settings.defaultList, alerts: settings.alerts,
            context: { [environment] in settings.dates(environment, zones: zones) },
            judge: judge, referent: referent)
        let ledger = SendBook(
            path: paths.database, environment: environment, bodyDays: settings.ledger.bodies)
        let transport = CurlTransport(ledger: ledger)
        let voice = VoiceAssembly(
            settings: settings, paths: paths, variables: variables, environment: environment,
            transport: transport, keys: keyRing, library: library)
        let kept = LibraryAssembly.server(
            library, files: files, disclosure: disclosure, settings: settings,
            variables: variables, environment: environment, paths: paths)
        let letters = LetterAssembly.server(
            LetterAssembly.Dependencies(
                generator: generator, library: kept.dependencies, prompts: prompts,
                paths: paths, settings: settings, variables: variables,
                profile: { PrivacyAssembly.sender(try await profile.read()) },
                setName: { try await PrivacyAssembly.setName($0, in: profile) }))
        let writing = WritingAssembly(
            generator: generator, library: library, files: files, disclosure: disclosure,
            reminders: reminders, calendar: calendar, paths: paths, variables: variables,
            review: { try await letters.review.remark($0) },
            tools: { await prompts.writingTools() })
        let stories = StoryAssembly.server(
            kept.dependencies, voice, StoryAssembly.model(generator, prompts, voice, settings))
        let servers = ServerBook(
            path: paths.servers, pins: paths.serverPins, environment: environment)
        let folders = OpenFolders(home: paths.home, ownFolders: paths.own)
        let web = WebServer.Dependencies(
            transport: transport, userAgent: "chat/\(HelpText.version)", environment: environment)
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
                    disclosed: { try await disclosure.text($0) })),
            kept.capability, voice.transcription.capability, voice.speech,
            Capability(
                IdeasServer(IdeaBook(paths, library, generator, environment, prompts))),
            PromptServer(
                book: prompts, library: library, files: files,
                width: { WindowWidth.columns(of: 1) }
            ).capability,
            PrivacyAssembly.profile(profile, paths, variables),
            MemoryServer(
                MemoryBook(library), isOffered: invocation.offersMemory(settings),
                isOn: { live.now.memory || invocation.isOneShot }
            ).capability,
            Capability(letters),
            stories.server.capability,
            Capability(FilesServer(folders, environment: environment)),
            Capability(WebServer(web)),
            routines.server(
                dates: { [environment] in settings.dates(environment, zones: zones) },
                fetcher: PageFetcher(web),
                hasDue: { try await calendar.glance(after: nil)?.line != nil },
                formatted: kept.dependencies.formatted, home: paths.home
            ).capability,
            Capability(
                SentServer(
                    ledger: ledger, prices: PriceTable(settings.prices),
                    dates: { [environment] in settings.dates(environment, zones: zones) },
                    programs: { await servers.programs() })),
        ]
        let log = LogFile(
            path: paths.log, environment: environment,
            isVerbose: global.verbose && !Self.ownsTerminal(invocation))
        let external = ExternalServers(
            book: servers,
            records: paths.serverOffers, environment: environment,
            identity: MCPIdentity(name: "chat", version: HelpText.version),
            transport: transport, home: paths.home, wait: { live.now.mcp.startTimeout },
            ownKeys: Set(settings.access.flatMap(\.variables)),
            token: { try await keyRing.token(of: $0, origin: $1)?.text },
            log: { log.write($0) })
        let registry = ToolRegistry(servers: capabilities.compactMap(\.server))
        let services = Services(
            environment: environment, variables: variables, paths: paths, settings: settings,
            live: live, keyRing: keyRing, registry: registry,
            capabilities: capabilities, log: log,
            alerts: alerts, routines: routines.book, voice: voice,
            ownsFiles: { await calendars.areOwn($0) },
            glance: { [calendar] in try await calendar.glance(after: $0) }, transport: transport,
            ledger: ledger,
            generator: generator, library: library, prompts: prompts, profile: profile,
            disclosure: disclosure, writing: writing, stories: stories.server,
            external: external, folders: folders, refused: refused,
            grammar: Self.grammar(invocation))
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
