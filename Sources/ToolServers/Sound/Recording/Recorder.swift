import Base
import Glibc

/// Records speech into a file that survives everything except cancellation by the user. It
/// uses the first installed program that delivers sound, until `RecordingStop`, the time
/// limit, or silence ends it.
///
/// It neither shows anything nor removes recordings.
package final class Recorder: Sendable {
    private let settings: VoiceSettings.Recording
    private let variables: [String: String]
    private let folder: RecordingsFolder
    private let environment: Environment
    private let place: LocalTime
    private let format: PCMFormat

    private static let tick = Duration.milliseconds(50)

    /// - Parameters:
    ///   - variables: this process's environment, of which the recorder gets a part.
    ///   - folder: path of the recordings' folder; created if missing.
    ///   - place: the time zone for file names.
    package init(
        settings: VoiceSettings.Recording, variables: [String: String], folder: String,
        environment: Environment, place: LocalTime = LocalTime(),
        format: PCMFormat = .dictation
    ) {
        self.settings = settings
        self.variables = variables
        self.folder = RecordingsFolder(folder)
        self.environment = environment
        self.place = place
        self.format = format
    }

    /// - Throws: `needsProgram`. Call it before anything is shown.
    package func check() throws(RecordingError) {
        guard installed().isEmpty else { return }
        let names = settings.command.map { Array($0.prefix(1)) } ?? RecorderProgram.knownNames
        throw RecordingError(reason: .needsProgram(names))
    }

    /// Returns when the recording has ended and its file is complete; no program of ours is running
    /// then.
    ///
    /// Cancelling the task ends the recording soon and keeps the file; `stop.cancel()` removes it.
    ///
    /// - Parameter onLevel: called twenty times a second, one call at a time.
    /// - Throws: `RecordingError`; `CancellationError` after either kind of cancellation.
    package func record(
        onLevel: @escaping @Sendable (RecordingLevel) -> Void, until stop: RecordingStop
    ) async throws -> Recording {
        try Task.checkCancellation()
        // A separate task, awaited here, so that samples from before a cancellation are
        // still read and written.
        let task = Task { try await recordUninterrupted(onLevel, stop) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            stop.interrupt()
        }
    }

    private func recordUninterrupted(
        _ onLevel: @escaping @Sendable (RecordingLevel) -> Void, _ stop: RecordingStop
    ) async throws -> Recording {
        try check()
        let programs = installed()
        let session = RecordingSession(format, settings, environment: environment)
        do {
            try await session.createFile(in: folder, place: place)
        } catch {
            throw RecordingError(reason: .file(error.code))
        }
        var attempts: [RecordingError.Attempt] = []
        for (program, path) in programs {
            let (recording, attempt) = try await record(
                with: program, at: path, session, onLevel, stop)
            if let recording { return recording }
            if let attempt { attempts.append(attempt) }
        }
        await session.discard()
        guard let first = attempts.first else { throw RecordingError(reason: .nothingRecorded) }
        throw RecordingError(
            reason: .programFailed(first.program, status: first.status, message: first.message),
            attempts: attempts)
    }

    /// The installed programs in the order in which they are tried.
    private func installed() -> [(program: RecorderProgram, path: String)] {
        RecorderProgram.candidates(own: settings.command, format).compactMap { program in
            // Not installed or not executable: there may be another.
            (try? Subprocess.find(program.name, in: variables)).map { (program, $0) }
        }
    }

    /// Whether the server accepts a connection; true if unknown.
    private static func listens(
        _ server: RecorderProgram.Server, _ variables: [String: String]
    ) -> Bool {
        guard let paths = server.sockets(variables) else { return true }
        return paths.contains { path in
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let room = MemoryLayout.size(ofValue: address.sun_path)
            // No server could use a longer name either.
            guard path.utf8.count < room else { return false }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
            let descriptor = socket(AF_UNIX, Int32(kind), 0)
            guard descriptor >= 0 else { return true }
            defer { close(descriptor) }
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            // EAGAIN: it exists, and is busy (unix(7)).
            return status == 0 || errno == EAGAIN
        }
    }

    private enum Part { case reader, ticker, asker }

    private func record(
        with program: RecorderProgram, at path: String, _ session: RecordingSession,
        _ onLevel: @escaping @Sendable (RecordingLevel) -> Void, _ stop: RecordingStop
    ) async throws -> (Recording?, RecordingError.Attempt?) {
        let process: RunningProcess
        do {
            process = try RunningProcess.start(
                program: path, arguments: program.arguments,
                environment: RecorderProgram.environment(from: variables), readsOutput: true)
        } catch {
            return (nil, RecordingError.Attempt(error, program.name))
        }
        let isMissing = program.server.map { !Self.listens($0, variables) } ?? false
        await session.begin(program.name, missing: isMissing ? program.server : nil)
        await withTaskGroup(of: Part.self) { group in
            group.addTask {
                // Only a cancelled wait throws: it was abandoned.
                while let bytes = try? await process.read() {
                    if Self.perform(await session.received(bytes), process) { break }
                }
                return .reader
            }
            group.addTask { [environment] in
                // Only a cancelled sleep throws: the reader has ended.
                while (try? await environment.sleep(Self.tick)) != nil {
                    let (actions, level) = await session.tick()
                    if Self.perform(actions, process) { break }
                    onLevel(level)
                }
                return .ticker
            }
            group.addTask {
                var last: RecordingStop.Request?
                while let request = await stop.next(after: last) {
                    last = request
                    if Self.perform(await session.asked(for: request), process) { break }
                }
                return .asker
            }
            _ = await group.next()
            group.cancelAll()
        }
        // No signal yet: a program that has closed its output gets a moment to exit.
        let status = await process.stop(0, grace: .milliseconds(500))
        let (recording, attempt) = try await session.ended(
            program.name, status: status.number,
            message: RecorderProgram.lastWords(of: process.errorOutput))
        return (recording, attempt)
    }

    /// - Returns: whether to stop waiting for the program's end.
    private static func perform(
        _ actions: [RecordingStateMachine.Action], _ process: RunningProcess
    ) -> Bool {
        for case .signal(let number) in actions { process.signal(number) }
        return actions.contains(.abandon)
    }
}

/// A finished recording; the file belongs to the caller.
package struct Recording: Sendable, Equatable {
    package enum Ending: String, Sendable {
        /// Requested; too long; silence; the program exited with success.
        case stop, cap, silence, recorder
    }

    package var path: String
    package var format: PCMFormat
    /// Seconds.
    package var duration: Double
    /// Whether no sound above the background was heard.
    package var wasSilent: Bool
    package var endedBy: Ending
    /// The program that recorded it.
    package var program: String
}

extension RecordingError.Attempt {
    /// A program that exists but cannot be started.
    fileprivate init(_ error: SubprocessError, _ program: String) {
        self.init(program: program, status: 127, message: Diagnostic.system(error.code))
    }
}

extension Subprocess.Result.Status {
    /// The exit status as a shell shows it: for a signal, 128 plus its number.
    fileprivate var number: Int32 {
        switch self {
        case .exited(let code): code
        case .signalled(let signal): 128 + signal
        }
    }
}
