import AgentCore
import Dispatch
import Glibc
import Persistence
import Synchronization
import TerminalKit
import ToolServers

/// The composition root: the only place that names concrete types of every
/// layer. Reads the command line, puts the pieces together, runs one of them.
struct App {
    let variables: [String: String]
    let environment: Environment

    static func run(_ arguments: [String]) -> ExitCode {
        // The fast way out: nothing is set up for it. Where it fails, the other
        // way tells.
        if arguments.dropFirst() == ["--version"], Self.writeVersion() == 0 { return .ok }
        let variables = Self.variables()
        let app = App(variables: variables, environment: .system(variables: variables))
        return app.run(Array(arguments.dropFirst()))
    }

    /// 0 or the `errno`.
    private static func writeVersion() -> Int32 {
        FileDescriptorText.write("chat \(HelpText.version)\n", to: 1)
    }

    private static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return variables
    }

    private func run(_ words: [String]) -> ExitCode {
        let parser = OptionParser(commands: Self.commandNames, stdinIsTerminal: isatty(0) == 1)
        do {
            let invocation = try parser.parse(words)
            if case .version = invocation {
                let output = StandardOutput(descriptor: 1)
                output.note(Self.writeVersion())
                return ended(.ok, output)
            }
            let services = try services(for: invocation)
            if let error = services.settings.error, !worksWithDefaults(invocation, services) {
                throw error
            }
            if invocation.touchesData, BackupEngine.isInterrupted(state: services.paths.stateFolder)
            {
                Self.finishRestore(services)
            }
            if invocation.needsStore { services.openStore() }
            let code = Self.wait { await run(invocation, services) }
            return ended(code, services.output)
        } catch {
            return tell(error)
        }
    }

    /// A run whose output did not reach its place has failed, however well the
    /// rest went.
    private func ended(_ code: ExitCode, _ output: StandardOutput) -> ExitCode {
        do throws(OutputFailure) {
            try output.finish()
            return code
        } catch {
            let failure = tell(error)
            return code == .ok || code == .degraded ? failure : code
        }
    }

    /// Runs an asynchronous piece from the program's first thread.
    private static func wait(_ body: @escaping @Sendable () async -> ExitCode) -> ExitCode {
        TaskThreads.install()
        let done = DispatchSemaphore(value: 0)
        let result = Mutex(ExitCode.failure)
        Task {
            let code = await body()
            result.withLock { $0 = code }
            done.signal()
        }
        done.wait()
        return result.withLock { $0 }
    }

    /// Does again what a kill has cut.
    private static func finishRestore(_ services: Services) {
        _ = wait {
            let text: String
            do {
                guard let path = try await BackupEngine(services.backups).finishInterrupted()
                else { return .ok }
                text = "The interrupted restore of \(path) is now complete."
            } catch {
                let folder = BackupEngine.interruptedFolder(state: services.paths.stateFolder)
                text =
                    "An interrupted restore is not complete yet. "
                    + services.diagnostics.describe(error).what
                    + " chat will try again; to give up: rm -r \(folder)"
            }
            FileDescriptorText.write(HostileText.line("chat: \(text)") + "\n", to: 2)
            return .ok
        }
    }

    func tell(_ error: any Error) -> ExitCode {
        let style = Style(isTerminal: isatty(2) == 1, variables: variables)
        let diagnostic = ErrorDescriber().describe(error)
        let lines = diagnostic.shellLines(columns: WindowWidth.columns(of: 2))
        FileDescriptorText.write(lines.map { style.text($0) + "\n" }.joined(), to: 2)
        return diagnostic.exit
    }

    // MARK: - Pieces

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
        let live = LiveSettings(settings)
        let keyRing = KeyRing(
            variables: variables, commands: settings.keyCommands,
            service: SecretService(variables: variables, mayPrompt: isatty(0) == 1),
            file: KeyFile(path: paths.keys, uuid: environment.uuid))
        let calendars = CalendarStore(
            roots: settings.calendars, trash: paths.trash, state: paths.stateFolder,
            environment: environment)
        let files = RewrittenFiles(folder: paths.stateFolder, environment: environment)
        let library = LibraryStore(path: paths.database, environment: environment)
        let undo = UndoHistory([
            CalendarUndoSource(calendars), LibraryUndoSource(library), files,
            RestoreLog(state: paths.stateFolder),
        ])
        let zones = TimeZoneDatabase()
        let alerts = AlertParts(
            store: calendars, undo: undo,
            reminders: ReminderActions(
                store: calendars,
                context: { [environment] in settings.dates(environment, zones: zones) },
                environment: environment, defaultList: settings.defaultList),
            zones: zones, settings: settings.alerts, paths: paths, environment: environment)
        let referent = RecentReferent { await alerts.rung.lastFired() }
        let judge = MessageJudge()
        // For the servers that have a model write.
        let generator = SessionTextGenerator()
        let prompts = PromptBook(PromptBook.Sources(settings, paths, library: library))
        let profile = ProfileFile(path: paths.profile)
        let disclosure = ItemDisclosure(library: library, profile: profile)
        let reminders = RemindersServer(
            store: calendars,
            context: { [environment] in settings.dates(environment, zones: zones) },
            options: .init(defaultList: settings.defaultList), environment: environment,
            judge: judge, referent: referent, eventStarts: EventMatcher.starts)
        var calendar = CalendarServer(
            store: calendars, environment: environment,
            defaultCalendar: settings.defaultCalendar,
            reminderList: settings.defaultList,
            context: { [environment] in settings.dates(environment, zones: zones) },
            judge: judge, referent: referent)
        calendar.moreVerbs = [
            SyncSetup(
                roots: settings.calendars,
                configurationFolder: paths.configurationFolder, stateFolder: paths.stateFolder,
                uuid: environment.uuid
            ).verb
        ]
        let transport = CurlTransport()
        let voice = VoiceParts(
            settings: settings, paths: paths, variables: variables, environment: environment,
            transport: transport, keys: keyRing, library: library)
        let kept = LibraryParts.server(
            library, files, disclosure, settings, variables, environment, paths)
        let letters = LetterParts.server(
            LetterParts.Dependencies(
                generator: generator, library: kept.dependencies, prompts: prompts,
                paths: paths, settings: settings, variables: variables,
                profile: { PrivacyParts.sender(try await profile.read()) },
                setName: { try await PrivacyParts.setName($0, in: profile) }))
        let writing = WritingParts(
            generator: generator, library: library, files: files, disclosure: disclosure,
            reminders: reminders, calendar: calendar, paths: paths, variables: variables,
            review: { try await letters.review.remark($0) },
            tools: { await prompts.writingTools() })
        let stories = StoryParts.server(
            kept.dependencies, voice, StoryParts.model(generator, prompts, voice, settings))
        let folders = OpenFolders(home: paths.home, ownFolders: paths.own)
        let capabilities: [Capability] = [
            // What these do can be undone.
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
            PrivacyParts.profile(profile, paths, variables),
            MemoryServer(
                MemoryBook(library), isOffered: invocation.offersMemory(settings),
                isOn: { live.now.memory || invocation.isOneShot }
            ).capability,
            Capability(letters),
            stories.server.capability,
            Capability(FilesServer(folders, environment: environment)),
            Capability(
                WebServer(
                    .init(
                        transport: transport, userAgent: "chat/\(HelpText.version)",
                        environment: environment))),
        ]
        let log = LogFile(
            path: paths.log, environment: environment,
            isVerbose: global.verbose && !Self.ownsTerminal(invocation))
        let external = ExternalServers(
            book: ServerBook(
                path: paths.servers, pins: paths.serverPins, environment: environment),
            records: paths.serverOffers, environment: environment,
            identity: MCPIdentity(name: "chat", version: HelpText.version),
            transport: transport, home: paths.home,
            token: { try await keyRing.token(of: $0, origin: $1)?.text },
            log: { log.write($0) })
        let registry = ToolRegistry(servers: capabilities.compactMap(\.server))
        let services = Services(
            environment: environment, variables: variables, paths: paths, settings: settings,
            live: live, keyRing: keyRing, registry: registry,
            capabilities: capabilities, log: log,
            alerts: alerts, voice: voice,
            ownsFiles: { await calendars.areOwn($0) },
            glance: { [calendar] in try await calendar.glance(after: $0) }, transport: transport,
            generator: generator, library: library, prompts: prompts, profile: profile,
            disclosure: disclosure, writing: writing, stories: stories.server,
            external: external, folders: folders,
            grammar: Self.grammar(invocation))
        services.offerGeneration()
        stories.presenter.begin(with: services)
        return services
    }

    /// What the file and the variables say; where they cannot be used the
    /// defaults, and the reason.
    private func settings(_ global: GlobalOptions, _ paths: Paths) throws -> Settings {
        let flags = Settings.Flags(provider: global.provider, model: global.model)
        do throws(ConfigurationError) {
            return try Settings.load(paths.configuration)
                .applying(flags: flags, variables: variables, paths: paths)
        } catch {
            var standard = try Settings().applying(flags: flags, variables: [:], paths: paths)
            standard.error = error
            return standard
        }
    }

    /// Whether it works with a configuration that does not.
    private func worksWithDefaults(_ invocation: Invocation, _ services: Services) -> Bool {
        guard case .command(let name, _, _) = invocation else { return false }
        return name == CompleteRequest.name
            || Self.commands(services, .unattended(services), .unattended)
                .contains { $0.name == name && $0.worksWithoutConfiguration }
    }

    /// Known before anything is put together, for telling commands from text.
    private static let commandNames =
        CommandGrammar.nouns
        + [
            BackupCommand.restoreNoun, CompletionCommand.noun, ManCommand.noun,
            CompleteRequest.name,
        ]

    private static func grammar(_ invocation: Invocation) -> CommandGrammar {
        if case .repl = invocation { .prompt } else { .shell }
    }

    /// A prompt on the terminal that stderr is too has one writer.
    private static func ownsTerminal(_ invocation: Invocation) -> Bool {
        if case .repl = invocation { isatty(2) == 1 } else { false }
    }

    // MARK: - Front ends

    private func run(_ invocation: Invocation, _ services: Services) async -> ExitCode {
        let code: ExitCode
        switch invocation {
        case .version: code = .ok
        case .help(let topic):
            code = await CommandRunner(services: services)
                .help(topic, Self.commands(services, .unattended(services), .unattended))
        case .command(CompleteRequest.name, let words, _):
            code = await CompleteRequest(
                services: services,
                commands: Self.commands(services, .unattended(services), .unattended)
            ).answer(words)
        case .command(let name, let words, _):
            let terminal = KeyPrompt(variables: variables)
            code = await CommandRunner(
                services: services, confirm: terminal.dependencies(services).confirm,
                askLine: { try await terminal.ask($0, isHidden: $1) },
                lend: terminal.editorDependencies(services).lend
            ).run(
                name, words,
                Self.commands(
                    services, terminal.dependencies(services), terminal.editorDependencies(services)
                ))
            await terminal.close()
        case .oneShot(let options):
            if let error = options.misspelt?.error(
                among: Self.commands(services, .unattended(services), .unattended))
            {
                code = tell(error)
                break
            }
            code = await OneShot(
                services: services, options: options, stdinIsTerminal: isatty(0) == 1,
                variables: variables
            ).run()
            await outlastStory(services)
        case .repl(let options): code = await runRepl(options, services)
        }
        if let refusal = services.log.refusal, !Self.ownsTerminal(invocation) {
            FileDescriptorText.write("chat: \(Diagnostic(of: refusal).what)\n", to: 2)
        }
        await services.close()
        return code
    }

    /// What a tool began to read aloud is heard to its end, or to the next signal.
    private func outlastStory(_ services: Services) async {
        guard let player = services.stories?.player, let phase = player.state?.phase,
            phase != .ended
        else { return }
        EndSignals.call { Task { await player.stop() } }
        for problem in await player.outlast().problems {
            FileDescriptorText.write("chat: \(problem)\n", to: 2)
        }
    }
}

extension Invocation {
    /// Whether anything of the user's will be read or written.
    fileprivate var touchesData: Bool {
        switch self {
        case .version, .help: false
        case .repl, .oneShot: true
        case .command(let name, _, _): name != CompleteRequest.name
        }
    }

    /// Whether a model that is asked may be offered the tools of the memory.
    func offersMemory(_ settings: Settings) -> Bool {
        switch self {
        case .oneShot(let options): options.usesMemory
        // What a host's model wants kept, the user is not asked about.
        case .command(MCPCommand.noun, _, _): false
        // The session looks at the setting, which may change.
        case .repl: true
        case .version, .help, .command: settings.memory
        }
    }

    var isOneShot: Bool { if case .oneShot = self { true } else { false } }

    /// Whether the conversations will be read or written.
    fileprivate var needsStore: Bool {
        switch self {
        case .version, .help: false
        case .repl, .oneShot: true
        case .command(let name, _, _):
            [ConversationsCommand.noun, UsageCommand.noun, MCPCommand.noun].contains(name)
        }
    }
}
