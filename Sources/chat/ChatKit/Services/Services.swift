import AgentCore
import Base
import CalendarFiles
import Glibc
import Library
import Outside
import Persistence
import Privacy
import Routines
import Stories
import TerminalKit
import Texts
import ToolServers
import Transcription

/// The services shared by all front ends; assembled once, in `App`. The database is opened
/// only when needed.
package final class Services: Sendable {
    package let environment: Environment
    package let variables: [String: String]
    package let paths: Paths
    /// The current settings; `config set` at the prompt changes them.
    package var settings: Settings { live.now }
    package let live: LiveSettings
    package let keyRing: KeyRing
    package let transport: any HTTPTransport
    package let connector: Connector
    package let models: ModelDirectory
    package let voice: VoiceAssembly
    /// Ideas, drafts, transcripts, prompts; opens the database on first use.
    package let library: LibraryStore
    /// The notes about the user.
    package var memory: MemoryBook { MemoryBook(library) }
    package let prompts: PromptBook
    /// The user's identity: for redaction and letters, never for a model.
    package let profile: ProfileFile
    /// Decides how much of an item is sent with a message.
    package let disclosure: ItemDisclosure
    package let registry: ToolRegistry
    package let capabilities: [Capability]
    /// The only writer of standard output, so that every failure is noticed.
    package let output = StandardOutput(descriptor: 1)
    package let log: LogFile
    /// Nil without alerts, as in most tests.
    package let alerts: AlertAssembly?
    /// Nil in most tests.
    package let routines: RoutineBook?
    /// `CalendarStore.areOwn`; without calendars, no file is known.
    package let ownsFiles: @Sendable ([String]?) async -> Bool
    /// The day at a glance: `CalendarServer.glance`.
    package let glance: Glance
    /// The user's data in the profile; read again each time.
    package let person: @Sendable () async throws -> PersonalData
    package let diagnostics: ErrorDescriber
    /// Text generation for tool servers; created before them.
    package let generator: SessionTextGenerator
    package let refused: RefusedMessage
    /// Folders the model may read; empty at first.
    package let folders: OpenFolders
    /// Nil in most tests.
    package let writing: WritingAssembly?
    /// The story server; nil in most tests.
    package let stories: StoryServer?
    /// The external tool servers; nil in most tests.
    package let external: ExternalServers?
    /// The tools offered to each conversation.
    package let offers: OfferRecords
    /// The ledger of sent data; it opens the database.
    package let ledger: SendBook

    package typealias Glance = @Sendable (String?) async throws -> (day: String, line: String?)?

    package init(
        environment: Environment, variables: [String: String], paths: Paths, settings: Settings,
        live: LiveSettings? = nil, keyRing: KeyRing, registry: ToolRegistry,
        capabilities: [Capability]? = nil, log: LogFile,
        alerts: AlertAssembly? = nil, routines: RoutineBook? = nil,
        voice: VoiceAssembly? = nil,
        ownsFiles: @escaping @Sendable ([String]?) async -> Bool = { $0?.isEmpty == true },
        glance: @escaping Glance = { _ in nil },
        person: (@Sendable () async throws -> PersonalData)? = nil,
        transport other: (any HTTPTransport)? = nil, ledger: SendBook? = nil,
        generator: SessionTextGenerator = SessionTextGenerator(),
        library: LibraryStore? = nil, prompts: PromptBook? = nil, profile: ProfileFile? = nil,
        disclosure: ItemDisclosure? = nil,
        writing: WritingAssembly? = nil, stories: StoryServer? = nil,
        external: ExternalServers? = nil, folders: OpenFolders? = nil,
        refused: RefusedMessage = RefusedMessage(), grammar: CommandGrammar = .shell
    ) {
        let library = library ?? LibraryStore(path: paths.database, environment: environment)
        self.library = library
        self.prompts = prompts ?? PromptBook(.init(settings, paths, library: library))
        let profile = profile ?? ProfileFile(path: paths.profile)
        self.profile = profile
        self.disclosure =
            disclosure ?? ItemDisclosure(library: library, profile: profile)
        self.writing = writing
        self.stories = stories
        self.external = external
        offers = OfferRecords(path: paths.toolOffers, uuid: environment.uuid)
        self.folders = folders ?? OpenFolders(home: paths.home, ownFolders: paths.own)
        self.generator = generator
        self.refused = refused
        let hasOwnServer = settings.source(of: "local.base_url") != .standard
        diagnostics = ErrorDescriber(
            grammar: grammar, localServer: hasOwnServer ? settings[server: .local].baseURL : nil)
        self.environment = environment
        self.variables = variables
        self.paths = paths
        self.live = live ?? LiveSettings(settings)
        self.keyRing = keyRing
        self.registry = registry
        self.log = log
        self.alerts = alerts
        self.routines = routines
        self.ownsFiles = ownsFiles
        self.glance = glance
        let person = person ?? { try await profile.read().person }
        self.person = person
        let ledger = ledger ?? SendBook(path: paths.database, environment: environment)
        self.ledger = ledger
        transport = other ?? CurlTransport(ledger: ledger)
        connector = Connector(
            settings: settings, keys: keyRing, transport: transport, environment: environment,
            person: person, onResponse: { log.record($0) })
        models = ModelDirectory(connector: connector, paths: paths, environment: environment)
        let voice =
            voice
            ?? VoiceAssembly(
                settings: settings, paths: paths, variables: variables, environment: environment,
                transport: transport, keys: keyRing, library: library)
        self.voice = voice
        self.capabilities = capabilities ?? [voice.transcription.capability, voice.speech]
    }

    /// Opens the conversation database before anything runs: this blocks, and may wait for another
    /// instance. `store()` reports errors.
    package func openStore() {
        do {
            _ = try store()
        } catch {
            // Remembered, and thrown again whenever the database is used.
        }
    }

    /// The conversations; see `SendBook.store`.
    package func store() throws(SQLiteError) -> ConversationStore { try ledger.store() }

    /// Ends the transport's thread and checkpoints the database. Call it last.
    package func close() async {
        await stories?.player?.stop()
        await external?.stop()
        transport.shutDown()
        await library.close()
        await ledger.finish()
    }
}

extension Services {
    package var prices: PriceTable { PriceTable(settings.prices) }

    /// The data included in backups.
    package var backups: BackupEngine.Dependencies {
        BackupEngine.Dependencies(
            database: paths.database, locks: paths.locks, state: paths.stateFolder,
            configurationFolder: paths.configurationFolder, dataFolder: paths.dataFolder,
            trash: paths.trash, profile: profile, version: HelpText.version,
            environment: environment,
            calendars: { [settings, paths, environment] in
                CalendarStore(
                    roots: settings.calendars, trash: paths.trash, state: paths.stateFolder,
                    environment: environment)
            },
            review: { bytes throws(ConfigurationError) in
                try Settings.widening(bytes, file: "config.json")
            })
    }

    /// Another provider to continue with after a failure; nil if none can be used or the user wants
    /// none.
    package func otherWay(after error: ProviderError, than provider: ProviderName) async
        -> StyledLine?
    {
        guard settings.failover != .off, Failover.isWorthOffering(error),
            let other = await connector.alternative(to: provider)
        else { return nil }
        return Failover.line(to: other, host: await connector.host(of: other))
    }

    /// The style of the configured theme.
    package func style(isTerminal: Bool) -> Style {
        var style = Style(
            isTerminal: isTerminal, variables: variables,
            theme: Theme(settings.theme, variables: variables))
        style.foldsLines = isTerminal && settings.wrap == .words
        return style
    }

    /// A line on stderr, if it is a terminal with a cursor.
    package var progressLine: ProgressScreen.Output {
        guard isatty(2) == 1, variables.hasCursor else { return .nowhere }
        return .line(
            columns: { WindowWidth.columns(of: 2) ?? 80 },
            write: { FileDescriptorText.write($0, to: 2) })
    }

    /// Symbols for a terminal.
    package var glyphs: VoiceGlyphs {
        VoiceGlyphs(usesUnicode: style(isTerminal: true).usesUnicode)
    }
}

extension [String: String] {
    /// Whether `TERM` names a terminal that can move its cursor. The output may still be a
    /// pipe.
    package var hasCursor: Bool { !["", "dumb"].contains(self["TERM"] ?? "") }
}

extension PromptBook.Sources {
    /// The built-in prompts, and those in the user's files, configuration and library.
    package init(_ settings: Settings, _ paths: Paths, library: LibraryStore?) {
        self.init(
            folder: paths.configurationFolder + "/roles",
            configured: settings.roles.map { name, role in
                Prompt(
                    name: name, text: role.system, model: role.model, effort: role.effort,
                    temperature: role.temperature, source: .configuration)
            }, library: library, builtIn: Prompt.builtIn)
    }
}
