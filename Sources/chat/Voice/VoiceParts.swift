import AgentCore
import Glibc
import Synchronization
import TerminalKit
import ToolServers

/// What transcribes, records and speaks, put together from the settings; made
/// once, in `Services`. Nothing is started, opened or asked before somebody
/// needs it.
final class VoiceParts: Sendable {
    let settings: VoiceSettings
    let paths: Paths
    let variables: [String: String]
    let environment: Environment
    let transport: any HTTPTransport
    private let keys: KeyRing
    private let openaiURL: String
    private let allowHTTP: [String]
    /// The voices that completion offers.
    let offered = Mutex<[SpeechVoice]?>(nil)
    /// What key commands have printed, by their words.
    private let printed = Mutex<[[String]: Secret]>([:])
    /// One for the life of the program: it remembers what a server refused.
    private let whisper = Mutex<WhisperClient?>(nil)
    private let prices: AudioPrices

    init(
        settings: Settings, paths: Paths, variables: [String: String], environment: Environment,
        transport: any HTTPTransport, keys: KeyRing
    ) {
        self.settings = settings.voice
        self.paths = paths
        self.variables = variables
        self.environment = environment
        self.transport = transport
        self.keys = keys
        prices = AudioPrices()
        openaiURL = settings.openai.baseURL
        allowHTTP = settings.allowHTTP
    }

    // MARK: - Transcribing

    /// For `TranscriptionServer`.
    var transcriptionDoors: TranscriptionServer.Doors {
        // An address that cannot be used is told when it is to be used.
        let address = try? transcriptionAddress()
        var doors = TranscriptionServer.Doors(
            settings: settings.transcription,
            server: address?.authority ?? "the transcription server",
            folder: paths.transcriptions, home: paths.home, environment: environment,
            timesOffered: { TranscriptionModel($0).times }, workingFolder: Self.workingFolder,
            transcriber: { try await self.transcriber() })
        // The vendor's prices say nothing of another server's.
        if let address, isVendor(address) {
            doors.price = { [prices] in prices.transcription($0, seconds: $1)?.text }
        }
        return doors
    }

    /// - Throws: `badAddress`, `noKey`: before anything is read or sent.
    private func transcriber() async throws -> any Transcriber {
        let base = try transcriptionAddress()
        _ = try await transcriptionKey(base)
        // The address is one for the life of the program, too.
        return whisper.withLock { whisper in
            let client =
                whisper
                ?? WhisperClient(
                    address: base, key: { [weak self] in try await self?.transcriptionKey(base) },
                    transport: transport, environment: environment)
            whisper = client
            return client
        }
    }

    private static func workingFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    // MARK: - Addresses

    /// A server of its own, else OpenAI's as it is set.
    /// - Throws: `badAddress`.
    func transcriptionAddress() throws(TranscriptionError) -> BaseURL {
        let text = settings.transcription.baseURL ?? openaiURL
        do throws(BaseURL.Problem) {
            return try address(text)
        } catch {
            throw TranscriptionError(reason: .badAddress(text))
        }
    }

    /// - Throws: `badAddress`.
    func speechAddress() throws(SpeechError) -> BaseURL {
        let text = settings.speech.baseURL ?? openaiURL
        do throws(BaseURL.Problem) {
            return try address(text)
        } catch {
            throw SpeechError(reason: .badAddress(text))
        }
    }

    /// Plain http for this machine, and for whom the settings name.
    private func address(_ text: String) throws(BaseURL.Problem) -> BaseURL {
        let any = try BaseURL(text, allowsPlainHTTP: true)
        return try BaseURL(text, allowsPlainHTTP: allowHTTP.contains(any.host))
    }

    // MARK: - Keys

    /// A key that belongs to that origin; none is fine for a server of one's
    /// own.
    /// - Throws: `noKey` for the vendor, `KeyCommand.Failure`,
    ///   `CancellationError`.
    func transcriptionKey(_ base: BaseURL) async throws -> String? {
        let own = settings.transcription
        if let key = try await commandKey(own.keyCommand, own.baseURL, base) { return key.text }
        if let key = try await lookup(base)?.key { return key.text }
        if isVendor(base) { throw TranscriptionError(reason: .noKey, host: base.authority) }
        return nil
    }

    /// As for transcription.
    func speechKey(_ base: BaseURL) async throws -> String? {
        let own = settings.speech
        if let key = try await commandKey(own.keyCommand, own.baseURL, base) { return key.text }
        if let key = try await lookup(base)?.key { return key.text }
        if isVendor(base) { throw SpeechError(reason: .noKey, host: base.authority) }
        return nil
    }

    /// What the command beside a base URL prints; it may go nowhere else.
    private func commandKey(
        _ words: [String]?, _ own: String?, _ base: BaseURL
    ) async throws -> Secret? {
        guard let words, let origin = own.map({ KeyOrigin($0) }) ?? KeyName.openai.vendorOrigin,
            origin == KeyOrigin(base.origin), let command = KeyCommand(words: words, origin: origin)
        else { return nil }
        if let known = printed.withLock({ $0[words] }) { return known }
        let key = try await command.key(variables: variables)
        printed.withLock { $0[words] = key }
        return key
    }

    /// Where the key for transcription comes from; nil where there is none.
    /// Runs no command.
    func keySource(_ base: BaseURL) async -> KeySource? {
        if let program = settings.transcription.keyCommand?.first {
            return .command(program: program)
        }
        // Only cancelling throws, and then nobody waits for the answer.
        return try? await lookup(base)?.source
    }

    func isVendor(_ base: BaseURL) -> Bool {
        KeyOrigin(base.origin) == KeyName.openai.vendorOrigin
    }

    /// Kept under OpenAI's name or the local server's: what counts is where
    /// it may go. nil where there is none.
    private func lookup(_ base: BaseURL) async throws -> KeyLookup? {
        guard let origin = KeyOrigin(base.origin) else { return nil }
        for name in [KeyName.openai, .local] {
            let found = try await keys.lookup(name, origin: origin)
            if found.key != nil { return found }
        }
        return nil
    }
}
