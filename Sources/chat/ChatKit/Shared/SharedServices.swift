import AgentCore
import Base
import CalendarFiles
import DateLanguage
import Library
import Outside
import Persistence
import Privacy
import Texts

/// The services that front ends and capabilities have in common; made once, in `App`. A capability
/// is given the members that it needs. The database is opened only when needed.
package struct SharedServices: Sendable {
    package let environment: Environment
    package let variables: [String: String]
    package let paths: Paths
    /// The settings at the start; `live` has later changes.
    package let settings: Settings
    package let live: LiveSettings
    package let keyRing: KeyRing
    /// The ledger of sent data; it opens the database.
    package let ledger: SendBook
    package let transport: any HTTPTransport
    package let log: LogFile
    package let calendars: CalendarStore
    package let zones = TimeZoneDatabase()
    /// Ideas, drafts, transcripts, prompts; opens the database on first use.
    package let library: LibraryStore
    /// The user's files that a command rewrites, and their earlier contents.
    package let files: RewrittenFiles
    package let prompts: PromptBook
    /// The user's identity: for redaction and letters, never for a model.
    package let profile: ProfileFile
    /// The user's data in the profile; read again each time.
    package let person: @Sendable () async throws -> PersonalData
    /// Decides how much of an item goes with a message.
    package let disclosure: ItemDisclosure
    /// Text generation for tool servers, by the session's model.
    package let generator = SessionTextGenerator()
    package let refused = RefusedMessage()
    /// Folders the model may read; empty at first.
    package let folders: OpenFolders
    package let voice: VoiceAssembly

    /// - Parameters:
    ///   - transport: nil for libcurl with the ledger.
    ///   - person: nil for the profile's.
    package init(
        environment: Environment, variables: [String: String], paths: Paths, settings: Settings,
        keyRing: KeyRing, isVerbose: Bool, transport: (any HTTPTransport)? = nil,
        person: PersonalData? = nil
    ) {
        self.environment = environment
        self.variables = variables
        self.paths = paths
        self.settings = settings
        self.keyRing = keyRing
        live = LiveSettings(settings)
        ledger = SendBook(
            path: paths.database, environment: environment, bodyDays: settings.ledger.bodies)
        let transport = transport ?? CurlTransport(ledger: ledger)
        self.transport = transport
        log = LogFile(path: paths.log, environment: environment, isVerbose: isVerbose)
        calendars = CalendarStore(
            roots: settings.calendars, trash: paths.trash, state: paths.stateFolder,
            environment: environment)
        let library = LibraryStore(path: paths.database, environment: environment)
        self.library = library
        files = RewrittenFiles(folder: paths.stateFolder, environment: environment)
        prompts = PromptBook(PromptBook.Sources(settings, paths, library: library))
        let profile = ProfileFile(path: paths.profile)
        self.profile = profile
        self.person = if let person { { person } } else { { try await profile.read().person } }
        disclosure = ItemDisclosure(library: library, profile: profile)
        folders = OpenFolders(home: paths.home, ownFolders: paths.own)
        voice = VoiceAssembly(
            settings: settings, paths: paths, variables: variables, environment: environment,
            transport: transport, keys: keyRing, library: library)
    }

    /// The moment and the settings by which phrases about dates are read.
    package func dates() -> DateContext { settings.dates(environment, zones: zones) }
}
