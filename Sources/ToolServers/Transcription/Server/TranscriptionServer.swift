import AgentCore
import Base
import Glibc
import Persistence
import Sound
import Synchronization

/// Transcription as a capability: a tool for the model, a command for the user,
/// and the plain message equivalent to the command.
///
/// It has no rules of its own: `TranscriptionJob` turns a recording into words,
/// `TranscriptWriter` turns words into a file.
package struct TranscriptionServer: ToolServer {
    package struct Dependencies: Sendable {
        package var settings: VoiceSettings.Transcription
        package var access: ServiceAccess
        /// Creates a transcriber on demand. Throws `noKey`, `badAddress`.
        package var transcriber: @Sendable () async throws -> any Transcriber
        /// The most precise times that a model provides.
        package var timesOffered: @Sendable (_ model: String) -> TranscriptionOptions.Times = {
            TranscriptionModel($0).times
        }
        /// Folder of unfinished jobs.
        package var folder: String
        /// Folder of the program's own recordings.
        package var recordings: String?
        package var home: String?
        package var workingFolder: @Sendable () -> String = { FilePath.workingFolder() }
        package var environment: Base.Environment
        /// Library in which transcripts are saved as items; nil if they are not.
        package var library: LibraryStore?
        /// The vendor's approximate price of this many seconds; nil if unknown.
        package var price: @Sendable (_ model: String, _ seconds: Double) -> String? = {
            _, _ in nil
        }

        /// A sentence about the announced end of a model; nil if none is known, and from the
        /// second time on.
        package var ending: @Sendable (_ model: String) -> String? = { _ in nil }

        package init(
            settings: VoiceSettings.Transcription, access: ServiceAccess, folder: String,
            home: String?, environment: Base.Environment,
            transcriber: @escaping @Sendable () async throws -> any Transcriber = {
                preconditionFailure("a server without a transport has no transcriber")
            }
        ) {
            self.settings = settings
            self.access = access
            self.folder = folder
            self.home = home
            self.environment = environment
            self.transcriber = transcriber
        }
    }

    /// The result for one recording.
    package struct Transcribed: Sendable {
        /// Absolute.
        package var path: String
        package var transcript: Transcript
        /// The text in the requested form: text, subtitles or JSON.
        package var text: String
        /// Seconds of sound, if known.
        package var duration: Double?
        /// The file beside the recording, or the named one.
        package var saved: String?
        /// The place where the words are saved, as text for the user; nil if they are not.
        package var savedLine: StyledLine?
        /// The new or already existing library item.
        package var item: ItemID?
        /// The approximate cost, if known: `$0.07`.
        package var price: String?
        /// Whether it is text instead of subtitles, or could not be written to
        /// the named file; it is then printed.
        package var isDegraded = false
        /// Further notices, for stderr.
        package var notices: [String]
        var facts: TranscriptWriter.Facts

        package var name: String { FilePath.name(path) }
        /// The text for an input line: one paragraph, unless speakers or times were requested.
        package var draft: String { isMarked ? text : transcript.text }
        var isMarked = false
        /// `meeting.m4a · 12:30 · 1,834 words`
        package var line: String {
            TranscriptFacts.line(file: name, duration: duration, text: transcript.text)
                + (price.map { " · about \($0)" } ?? "")
        }
    }

    package static let noun = "transcribe"
    package let name = "transcription"
    package let description = "Turns recordings of speech into text."

    package var dependencies: Dependencies
    let files = TranscriptFiles()

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Uses one client for the server's lifetime: it remembers what the service
    /// refused.
    package init(
        _ dependencies: Dependencies, transport: any HTTPTransport
    ) {
        self.dependencies = dependencies
        let known = Mutex<WhisperClient?>(nil)
        let (access, environment) = (dependencies.access, dependencies.environment)
        self.dependencies.transcriber = {
            let base = try Self.address(access)
            _ = try await Self.key(base, access)
            return known.withLock { known in
                let client =
                    known
                    ?? WhisperClient(
                        address: base, key: { try await Self.key(base, access) },
                        transport: transport, environment: environment)
                known = client
                return client
            }
        }
    }

    package var command: Command { TranscribeCommand(server: self).command }
    package var commands: [Command] { [command] }

    // MARK: - The service

    func address() throws(TranscriptionError) -> BaseURL { try Self.address(dependencies.access) }

    func key(_ base: BaseURL) async throws -> String? {
        try await Self.key(base, dependencies.access)
    }

    /// - Throws: `badAddress`.
    static func address(_ access: ServiceAccess) throws(TranscriptionError) -> BaseURL {
        do throws(BaseURL.Problem) {
            return try access.address()
        } catch {
            throw TranscriptionError(reason: .badAddress(access.text))
        }
    }

    /// - Throws: `noKey` for the vendor, and errors of `ServiceAccess.key`.
    static func key(_ base: BaseURL, _ access: ServiceAccess) async throws -> String? {
        if let key = try await access.key(base) { return key }
        if access.isVendor(base) { throw TranscriptionError(reason: .noKey, host: base.authority) }
        return nil
    }

    /// Host and port that recordings are sent to, for questions.
    var host: String {
        // An unusable address is reported when it is used.
        (try? dependencies.access.address())?.authority ?? "the transcription server"
    }

    /// The vendor's prices do not apply to other servers.
    func price(_ model: String, _ seconds: Double?) -> String? {
        guard let seconds, isVendor else { return nil }
        return dependencies.price(model, seconds)
    }

    private var isVendor: Bool {
        // An unusable address is not the vendor's.
        (try? dependencies.access.address()).map(dependencies.access.isVendor) ?? false
    }

    // MARK: - One recording

    /// Sends a recording and returns its words, in pieces if it is long.
    ///
    /// - Throws: errors of `TranscriptionJob`; `UsageError` if `output` cannot
    ///   be written.
    package func transcribe(
        _ path: String, _ request: TranscriptionRequest, replaces: Bool = false,
        _ interaction: Interaction = Interaction()
    ) async throws -> Transcribed {
        let path = absolute(path)
        var reminder: [StyledLine] = []
        if let recordings = dependencies.recordings, path.hasPrefix(recordings + "/") {
            reminder = [StyledLine("The recording is kept: /transcribe \"\(path)\"", .hint)]
        }
        let meter = MeteredTranscription(
            title: FilePath.name(path), reminder: reminder, emit: interaction.emit,
            environment: dependencies.environment)
        return try await meter.run { meter in
            do {
                return try await transcribe(
                    path, request, replaces: replaces, interaction, meter: meter)
            } catch let error as TranscriptionError where error.reason == .modelNotFound {
                let model = request.model ?? dependencies.settings.model
                // The successor provides no times: output that needs them would be
                // impossible.
                guard isVendor, let next = ModelEnding.successor(of: model),
                    !request.format.needsTimes, !request.showsTimes
                else { throw error }
                var request = request
                request.model = next
                var done = try await transcribe(
                    path, request, replaces: replaces, interaction, meter: meter)
                done.notices.insert("\(model) has ended; \(next) was used.", at: 0)
                return done
            }
        }
    }

    private func transcribe(
        _ path: String, _ request: TranscriptionRequest, replaces: Bool, _ interaction: Interaction,
        meter: MeteredTranscription
    ) async throws -> Transcribed {
        let audio = try await files.open(path)
        let options = request.options(dependencies.settings, offered: dependencies.timesOffered)
        let output = request.output.map(absolute)
        if let output { try await files.check(output, replaces: replaces, of: path) }
        let job = TranscriptionJob(
            transcriber: try await dependencies.transcriber(), server: host,
            limitInBytes: dependencies.settings.limitInBytes, folder: dependencies.folder,
            environment: dependencies.environment,
            mayRetry: { error in
                await interaction.confirm(
                    error.diagnostic.what,
                    "You may already have been charged for it. Send it again?")
            })
        let facts = TranscriptWriter.Facts(
            file: FilePath.name(path), model: options.model, showsTimes: request.showsTimes)
        var done = Transcribed(
            path: path, transcript: Transcript(text: ""), text: "", duration: audio.duration,
            notices: [], facts: facts)
        let kept = Kept()
        done.transcript = try await job.run(
            audio, options, fresh: request.isFresh,
            keeping: { [files, environment = dependencies.environment] transcript in
                let format = Self.format(of: transcript, request)
                let text = TranscriptWriter.write(transcript, as: format, facts)
                if let output, format == request.format {
                    kept.set(
                        await files.write(
                            text, to: output, replaces: replaces, like: path,
                            id: environment.uuid()))
                } else if request.saves, !text.isEmpty {
                    kept.set(
                        await files.save(
                            text, beside: path, as: format, id: environment.uuid()))
                }
            },
            onProgress: { meter.observe($0) })
        let format = Self.format(of: done.transcript, request)
        done.text = TranscriptWriter.write(done.transcript, as: format, facts)
        if format != request.format {
            done.isDegraded = true
            done.notices.append(
                "\(options.model) returned no timestamps, so this is text, not \(request.format.rawValue)."
            )
        }
        done.isMarked = request.showsTimes || request.wantsSpeakers
        for missing in Self.missing(in: done.transcript, request) {
            done.isDegraded = true
            done.notices.append("\(options.model) returned no \(missing).")
        }
        done.duration = done.transcript.duration ?? audio.duration
        (done.saved, done.savedLine) = (kept.value.path, kept.value.line)
        if output != nil, done.saved == nil { done.isDegraded = true }
        if let notice = kept.value.notice { done.notices.append(notice) }
        if let notice = dependencies.ending(options.model) { done.notices.append(notice) }
        await keep(&done, language: done.transcript.language ?? options.language)
        done.price = price(options.model, done.duration)
        if request.wantsSpeakers, await job.wasCut {
            done.notices.append(
                "\(done.name) was sent in pieces: a speaker's letter may change between them.")
        }
        return done
    }

    /// A server that returns no times although they were requested was still paid: its words are
    /// not discarded.
    private static func format(
        of transcript: Transcript, _ request: TranscriptionRequest
    ) -> TranscriptWriter.Format {
        let hasWords = !transcript.text.trimmingSpace().isEmpty
        guard request.format.needsTimes, hasWords, TranscriptCue.cues(of: transcript).isEmpty else {
            return request.format
        }
        return .text
    }

    /// Requested facts that are missing although words arrived.
    private static func missing(
        in transcript: Transcript, _ request: TranscriptionRequest
    ) -> [String] {
        if transcript.text.trimmingSpace().isEmpty { return [] }
        var missing: [String] = []
        if request.showsTimes, TranscriptCue.cues(of: transcript).isEmpty {
            missing.append("times")
        }
        if request.wantsSpeakers, !transcript.segments.contains(where: { $0.speaker != nil }) {
            missing.append("speakers")
        }
        return missing
    }

    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return FilePath.tidy(path) }
        if path == "~" || path.hasPrefix("~/"), let home = dependencies.home {
            return FilePath.tidy(home + path.dropFirst())
        }
        let folder = dependencies.workingFolder()
        return FilePath.tidy(folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)")
    }

    // MARK: - Unfinished jobs

    func unfinished() async -> [TranscriptionJobFolder.Job] {
        await files.jobs(in: dependencies.folder)
    }

    func clearUnfinished() async -> Int { await files.clear(dependencies.folder) }

    func open(_ path: String) async throws -> AudioFile { try await files.open(absolute(path)) }
}
