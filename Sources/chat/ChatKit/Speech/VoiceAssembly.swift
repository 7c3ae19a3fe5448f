import AgentCore
import Base
import Glibc
import Persistence
import Sound
import Synchronization
import Transcription

/// Assembles transcription, recording and speech from the settings; made once, in
/// `Services`. Nothing is started, opened or contacted before it is needed.
package final class VoiceAssembly: Sendable {
    package let settings: VoiceSettings
    let paths: Paths
    let variables: [String: String]
    let environment: Environment
    let transport: any HTTPTransport
    /// One for the life of the program, since its client remembers a server's refusals.
    package let transcription: TranscriptionServer
    /// Decides which sound plays; one for the life of the program.
    package let sound: SoundOwner
    /// Access to the speech server.
    let speechAccess: ServiceAccess
    private let endings: SpeechModelEndings
    /// Cached voices for completion.
    let offered = Mutex<[SpeechVoice]?>(nil)

    package init(
        settings: Settings, paths: Paths, variables: [String: String], environment: Environment,
        transport: any HTTPTransport, keys: KeyRing, library: LibraryStore? = nil
    ) {
        let voice = settings.voice
        self.settings = voice
        self.paths = paths
        self.variables = variables
        self.environment = environment
        self.transport = transport
        sound = SoundOwner(path: paths.soundLock, environment: environment)
        let keys = ServiceKeys(settings: settings, variables: variables, ring: keys)
        speechAccess = keys.access(voice.speech.baseURL, voice.speech.keyCommand)
        var dependencies = TranscriptionServer.Dependencies(
            settings: voice.transcription,
            access: keys.access(voice.transcription.baseURL, voice.transcription.keyCommand),
            folder: paths.transcriptions, home: paths.home, environment: environment)
        dependencies.recordings = paths.recordings
        dependencies.library = library
        let endings = SpeechModelEndings(path: paths.modelLists)
        self.endings = endings
        let access = dependencies.access
        dependencies.ending = { endings.sentence($0, access) }
        dependencies.price = { AudioPrices().transcription($0, seconds: $1)?.text }
        transcription = TranscriptionServer(dependencies, transport: transport)
    }

    /// The announced end of the configured speech model, if a server speaks; reported once.
    package func ending(_ engine: any SpeechEngine) -> String? {
        engine is ServerSpeechEngine ? endings.sentence(settings.speech.model, speechAccess) : nil
    }
}

/// The announced ends of speech models, from the last fetched list of the vendor; never fetches
/// one.
private final class SpeechModelEndings: Sendable {
    private let path: String
    private let said = Mutex<Set<String>>([])

    init(path: String) { self.path = path }

    /// Nil if none is known, or if it was already reported.
    func sentence(_ model: String, _ access: ServiceAccess) -> String? {
        // An unusable address is reported when it is used.
        guard let address = try? access.address(),
            let ending = ModelCache(at: path).entry(.openai, address: address.text)?
                .endings.first(where: { $0.model == model }),
            said.withLock({ $0.insert(model).inserted })
        else { return nil }
        return ending.sentence
    }
}

/// Addresses and keys of servers that are not used as models. A key may be sent only to its
/// own origin.
private final class ServiceKeys: Sendable {
    private let vendor: String
    private let allowHTTP: [String]
    private let variables: [String: String]
    private let ring: KeyRing
    /// Cached output of key commands, by their arguments.
    private let printed = Mutex<[[String]: Secret]>([:])

    init(settings: Settings, variables: [String: String], ring: KeyRing) {
        vendor = settings[server: .openai].baseURL
        allowHTTP = settings.allowHTTP
        self.variables = variables
        self.ring = ring
    }

    /// - Parameters:
    ///   - own: an address to use instead of the vendor's.
    ///   - command: prints the key for it.
    func access(_ own: String?, _ command: [String]?) -> ServiceAccess {
        let text = own ?? vendor
        return ServiceAccess(
            text: text,
            address: { [allowHTTP] () throws(BaseURL.Problem) in
                // Plain http only for this machine and configured hosts.
                let any = try BaseURL(text, allowsPlainHTTP: true)
                return try BaseURL(text, allowsPlainHTTP: allowHTTP.contains(any.host))
            },
            key: { base in
                if let key = try await self.commandKey(command, own, base) { return key.text }
                return try await self.lookup(base)?.key?.text
            },
            keySource: { base in
                if let program = command?.first {
                    return KeySource.command(program: program).description
                }
                // Only cancelling throws, and then the answer is not needed.
                return (try? await self.lookup(base)?.source)?.description
            },
            isVendor: { KeyOrigin($0.origin) == ProviderName.openai.vendorOrigin })
    }

    /// The key printed by the command configured with a base URL; it may be sent only there.
    private func commandKey(
        _ words: [String]?, _ own: String?, _ base: BaseURL
    ) async throws -> Secret? {
        guard let words,
            let origin = own.map({ KeyOrigin($0) }) ?? ProviderName.openai.vendorOrigin,
            origin == KeyOrigin(base.origin), let command = KeyCommand(words: words, origin: origin)
        else { return nil }
        if let known = printed.withLock({ $0[words] }) { return known }
        let key = try await command.key(variables: variables)
        printed.withLock { $0[words] = key }
        return key
    }

    /// Stored under OpenAI's name or the local server's: only its origin matters.
    private func lookup(_ base: BaseURL) async throws -> KeyLookup? {
        guard let origin = KeyOrigin(base.origin) else { return nil }
        for name in [ProviderName.openai, .local] {
            let found = try await ring.lookup(name, origin: origin)
            if found.key != nil { return found }
        }
        return nil
    }
}
