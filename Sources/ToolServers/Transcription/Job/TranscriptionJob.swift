import AgentCore
import Base
import FoundationEssentials
import Glibc
import Sound
import Synchronization

/// Turns a recording into one transcript: in one upload if it fits, else in
/// pieces that are uploaded one after the other, retried separately, stored on
/// disk as they arrive, and stitched together.
///
/// If interrupted at any point, the next run continues after the last finished
/// piece. `Transcriber` does one upload, `TranscriptionSound` cuts and
/// converts.
package actor TranscriptionJob: QueuedActor {
    /// The options of a run, and where it reports.
    private struct Run {
        var options: TranscriptionOptions
        var journal: TranscriptionJournal
        var onProgress: @Sendable (TranscriptionProgress) -> Void
    }

    private enum Attempt {
        case heard(Transcript)
        case tooLarge(TranscriptionError)
    }

    private let transcriber: any Transcriber
    private let server: String
    private let limitInBytes: Int
    private let folder: TranscriptionJobFolder
    private let sound: TranscriptionSound
    private let environment: Base.Environment
    private let retry = TranscriptionRetry()
    private let mayRetry: @Sendable (TranscriptionError) async -> Bool
    /// Whether the last run sent more than one piece.
    private(set) var wasCut = false
    // Journals and samples are read and written here.
    package nonisolated let executor = QueueExecutor(label: "chat.transcription")

    /// - Parameters:
    ///   - server: host and port; another server makes it another job.
    ///   - folder: folder of unfinished jobs; created when needed.
    ///   - mayRetry: consent to send again a part that may have been paid for.
    package init(
        transcriber: any Transcriber, server: String, limitInBytes: Int, folder: String,
        environment: Base.Environment,
        mayRetry: @escaping @Sendable (TranscriptionError) async -> Bool = { _ in false }
    ) {
        self.init(
            transcriber: transcriber, server: server, limitInBytes: limitInBytes, folder: folder,
            sound: .system(variables: environment.variables, limitInBytes: limitInBytes),
            environment: environment, mayRetry: mayRetry)
    }

    init(
        transcriber: any Transcriber, server: String, limitInBytes: Int, folder: String,
        sound: TranscriptionSound, environment: Base.Environment,
        mayRetry: @escaping @Sendable (TranscriptionError) async -> Bool = { _ in false }
    ) {
        self.transcriber = transcriber
        self.server = server
        self.limitInBytes = limitInBytes
        self.folder = TranscriptionJobFolder(path: folder)
        self.sound = sound
        self.environment = environment
        self.mayRetry = mayRetry
    }

    /// - Parameters:
    ///   - fresh: discards the results of earlier runs of the same job.
    ///   - keeping: called with the whole transcript while the job can still be
    ///     resumed; the job is removed when it returns.
    /// - Throws: `TranscriptionError`, `TranscriptionJobError`, `AudioError`,
    ///   `OpenFile.Failure`, `CancellationError`, and errors of `keeping`.
    package func run(
        _ audio: AudioFile, _ options: TranscriptionOptions, fresh: Bool = false,
        keeping: @Sendable (Transcript) async throws -> Void = { _ in },
        onProgress: @escaping @Sendable (TranscriptionProgress) -> Void = { _ in }
    ) async throws -> Transcript {
        folder.prune(now: environment.now().timeIntervalSince1970)
        let key = try TranscriptionJobKey(
            audio.file, options, server: server, limitInBytes: limitInBytes)
        let jobFolder = folder.folder(of: key)
        let facts = TranscriptionJournal.Facts(
            file: audio.path, bytes: audio.bytes, model: options.model, server: server)
        var hasJournal = access(jobFolder + "/" + TranscriptionJournal.name, F_OK) == 0
        if hasJournal, fresh {
            try TranscriptionJournal.open(folder: jobFolder, facts: facts, fresh: true).remove()
            hasJournal = false
        }
        var learnt: Int?
        if !hasJournal, audio.kind.isAccepted, audio.bytes <= limitInBytes {
            try audio.file.checkUnchanged()
            let upload = TranscriptionUpload(
                audio: [.file(audio.file, offset: 0, count: audio.bytes)], kind: audio.kind,
                duration: audio.duration, options: options)
            switch try await attempt(upload, onProgress) {
            case .heard(let transcript):
                try await keeping(transcript)
                return transcript
            case .tooLarge:
                // Conversion makes files larger; pieces of seconds would be no better.
                learnt =
                    audio.wave?.isCuttable == true
                    ? audio.bytes / 2 : max(audio.bytes / 2, min(1_000_000, limitInBytes))
            }
        }
        let journal = try TranscriptionJournal.open(folder: jobFolder, facts: facts, fresh: false)
        if let learnt { journal.keep(limit: learnt) }
        let run = Run(options: options, journal: journal, onProgress: onProgress)
        let transcript: Transcript
        do {
            transcript = try await inPieces(audio, run)
        } catch {
            // Nothing to resume: the next run learns the same at once.
            if journal.content.plan.isEmpty { journal.remove() }
            throw error
        }
        try await keeping(transcript)
        journal.remove()
        return transcript
    }

    // MARK: - Pieces

    private func inPieces(_ original: AudioFile, _ run: Run) async throws -> Transcript {
        let journal = run.journal
        let audio = try await cuttable(original, run)
        guard let wave = audio.wave else {
            throw AudioError(reason: .notAccepted(audio.kind), path: original.path)
        }
        var limit = journal.content.limit ?? limitInBytes
        if journal.content.plan.isEmpty {
            journal.keep(plan: try await sound.pieces(audio, limit, run.onProgress))
        }
        func bytes(_ piece: AudioPiece) -> Int {
            piece.frames * wave.bytesPerFrame + WaveHeader.writtenBytes
        }
        var waiting = Array(journal.content.plan.reversed())
        var done: [TranscriptStitcher.Piece] = []
        while let piece = waiting.popLast() {
            try Task.checkCancellation()
            let total = done.count + 1 + waiting.count
            if let transcript = journal.content.transcript(of: piece) {
                run.onProgress(.piece(done.count + 1, of: total, wasDone: true))
                done.append(Self.part(piece, wave, transcript))
                continue
            }
            if let halves = journal.content.halves(of: piece) {
                waiting += halves.reversed()
                continue
            }
            // Larger than the server was seen to accept: it is not tried.
            if bytes(piece) > limit, let halves = try await sound.halves(piece, audio) {
                journal.keep(split: piece, into: halves)
                waiting += halves.reversed()
                continue
            }
            try original.file.checkUnchanged()
            guard let slices = PieceAudio.slices(piece, of: audio) else {
                throw OpenFile.Failure(reason: .changed, path: original.path)
            }
            run.onProgress(.piece(done.count + 1, of: total, wasDone: false))
            let upload = TranscriptionUpload(
                audio: slices, kind: .wav,
                duration: Double(piece.frames) / Double(wave.format.rate),
                options: options(run.options, after: done.last?.transcript.text))
            switch try await attempt(upload, run.onProgress) {
            case .heard(let transcript):
                // The result for a file that has changed meanwhile is discarded.
                try original.file.checkUnchanged()
                journal.keep(transcript, of: piece)
                done.append(Self.part(piece, wave, transcript))
            case .tooLarge(let error):
                guard let halves = try await sound.halves(piece, audio) else { throw error }
                // They differ in size; at least the larger one is tried.
                limit = halves.map(bytes).reduce(0, max)
                journal.keep(split: piece, into: halves)
                journal.keep(limit: limit)
                waiting += halves.reversed()
            }
        }
        wasCut = done.count > 1
        return TranscriptStitcher.stitch(done, duration: wave.duration)
    }

    private static func part(
        _ piece: AudioPiece, _ wave: WaveHeader, _ transcript: Transcript
    ) -> TranscriptStitcher.Piece {
        TranscriptStitcher.Piece(
            start: PieceAudio.seconds(piece.start, wave), end: PieceAudio.seconds(piece.end, wave),
            transcript: transcript)
    }

    /// The recording itself if we can cut it, else a converted one, which an
    /// earlier run may have made.
    private func cuttable(_ original: AudioFile, _ run: Run) async throws -> AudioFile {
        if original.wave?.isCuttable == true { return original }
        let journal = run.journal
        // A plan is made once the whole file exists. A file that cannot be
        // opened is converted again.
        if let last = journal.content.plan.last, let earlier = try? AudioFile(journal.soundPath),
            let wave = earlier.wave, wave.isCuttable, wave.frames >= last.end
        {
            return earlier
        }
        let converted: AudioFile
        do {
            converted = try await sound.wave(original, journal.soundPath, run.onProgress)
        } catch let error as AudioError {
            guard case .needsProgram(let programs, let bytes, _) = error.reason,
                journal.content.limit != nil, bytes <= limitInBytes
            else { throw error }
            // It has to be cut because the server said that it accepts less.
            throw AudioError(
                reason: .needsProgram(programs, bytes: bytes, limit: bytes - 1), path: error.path)
        }
        try original.file.checkUnchanged()
        return converted
    }

    /// The words just before a piece help a model with names and style. But Whisper, if it is given
    /// words, omits its timestamps: one segment for seventeen seconds. So none are sent if times
    /// are wanted.
    private func options(
        _ options: TranscriptionOptions, after words: String?
    ) -> TranscriptionOptions {
        var options = options
        // Models that distinguish speakers accept no prompt.
        if options.times != .none || options.wantsSpeakers { return options }
        let parts = [options.prompt, words.map(Self.ending)].compactMap { $0 }
            .filter { !$0.isEmpty }
        options.prompt = parts.isEmpty ? nil : parts.joined(separator: " ")
        return options
    }

    /// About 200 characters, beginning at a word if the script has words.
    static func ending(of text: String) -> String {
        let text = text.trimmingSpace()
        let ending = text.suffix(200)
        guard ending.startIndex > text.startIndex,
            let space = ending.prefix(40).firstIndex(where: \.isWhitespace)
        else { return String(ending) }
        return String(ending[space...]).trimmingSpace()
    }

    // MARK: - One upload

    private func attempt(
        _ upload: TranscriptionUpload,
        _ onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Attempt {
        var number = 1
        while true {
            let shown = Shown()
            do {
                let transcript = try await transcriber.transcribe(upload) { progress in
                    if case .text = progress { shown.note() }
                    onProgress(progress)
                }
                return .heard(transcript)
            } catch let error as TranscriptionError {
                let wait: Double
                switch retry.decision(for: error, attempt: number, random: environment.random()) {
                case .giveUp: throw error
                case .halve:
                    if shown.hasText { onProgress(.restarted) }
                    return .tooLarge(error)
                case .retry(let after): wait = after
                case .ask(let after):
                    guard await mayRetry(error) else { throw error }
                    wait = after
                }
                if shown.hasText { onProgress(.restarted) }
                number += 1
                onProgress(.retrying(reason: error, after: wait, attempt: number))
                try await environment.sleep(.seconds(wait))
            }
        }
    }

    /// Whether words of an attempt were passed on, by any thread.
    private final class Shown: Sendable {
        private let state = Mutex(false)
        var hasText: Bool { state.withLock { $0 } }
        func note() { state.withLock { $0 = true } }
    }

}
