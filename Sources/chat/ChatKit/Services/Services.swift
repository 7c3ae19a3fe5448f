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

/// The program that all front ends share: its capabilities, its models, and what both have in
/// common. Assembled once, in `App`.
package final class Services: Sendable {
    package let shared: SharedServices
    package let connector: Connector
    package let models: ModelDirectory
    package let registry: ToolRegistry
    package let capabilities: [Capability]
    /// The only writer of standard output, so that every failure is noticed.
    package let output = StandardOutput(descriptor: 1)
    /// Nil without alerts, as in most tests.
    package let alerts: AlertAssembly?
    /// Nil in most tests.
    package let routines: RoutineBook?
    /// The day at a glance: `CalendarServer.glance`.
    package let glance: Glance
    package let diagnostics: ErrorDescriber
    /// Nil in most tests.
    package let writing: WritingAssembly?
    /// The story server; nil in most tests.
    package let stories: StoryServer?
    /// The external tool servers; nil in most tests.
    package let external: ExternalServers?
    /// The tools offered to each conversation.
    package let offers: OfferRecords

    package typealias Glance = @Sendable (String?) async throws -> (day: String, line: String?)?

    package init(
        _ shared: SharedServices, registry: ToolRegistry, capabilities: [Capability]? = nil,
        alerts: AlertAssembly? = nil, routines: RoutineBook? = nil,
        glance: @escaping Glance = { _ in nil }, writing: WritingAssembly? = nil,
        stories: StoryServer? = nil, external: ExternalServers? = nil,
        grammar: CommandGrammar = .shell
    ) {
        self.shared = shared
        self.registry = registry
        self.capabilities =
            capabilities ?? [shared.voice.transcription.capability, shared.voice.speech]
        self.alerts = alerts
        self.routines = routines
        self.glance = glance
        self.writing = writing
        self.stories = stories
        self.external = external
        offers = OfferRecords(path: shared.paths.toolOffers, uuid: shared.environment.uuid)
        let settings = shared.settings
        let hasOwnServer = settings.source(of: "local.base_url") != .standard
        diagnostics = ErrorDescriber(
            grammar: grammar, localServer: hasOwnServer ? settings[server: .local].baseURL : nil)
        connector = Connector(
            settings: settings, keys: shared.keyRing, transport: shared.transport,
            environment: shared.environment, person: shared.person,
            onResponse: { [log = shared.log] in log.record($0) })
        models = ModelDirectory(
            connector: connector, paths: shared.paths, environment: shared.environment)
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

    /// Ends the transport's thread and checkpoints the database; call it last.
    package func close() async {
        await stories?.player?.stop()
        await external?.stop()
        transport.shutDown()
        await library.close()
        await ledger.finish()
    }
}

extension Services {
    package var environment: Environment { shared.environment }
    package var variables: [String: String] { shared.variables }
    package var paths: Paths { shared.paths }
    /// The current settings; `config set` at the prompt changes them.
    package var settings: Settings { shared.live.now }
    package var live: LiveSettings { shared.live }
    package var keyRing: KeyRing { shared.keyRing }
    package var transport: any HTTPTransport { shared.transport }
    package var ledger: SendBook { shared.ledger }
    package var log: LogFile { shared.log }
    package var library: LibraryStore { shared.library }
    package var memory: MemoryBook { MemoryBook(shared.library) }
    package var prompts: PromptBook { shared.prompts }
    package var profile: ProfileFile { shared.profile }
    package var person: @Sendable () async throws -> PersonalData { shared.person }
    package var disclosure: ItemDisclosure { shared.disclosure }
    package var generator: SessionTextGenerator { shared.generator }
    package var refused: RefusedMessage { shared.refused }
    package var folders: OpenFolders { shared.folders }
    package var voice: VoiceAssembly { shared.voice }

    /// The conversations; see `SendBook.store`.
    package func store() throws(SQLiteError) -> ConversationStore { try ledger.store() }

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
