import Dispatch
import Glibc

/// One run of another program: words instead of a shell line, exactly the
/// variables given, descriptors 0 to 2 and nothing else, a process group of
/// its own, and limits on time and output.
///
/// It is for programs that end by themselves (`secret-tool`, a key command, a
/// converter). It does not interpret the exit status.
package struct Subprocess: Sendable {
    package enum Input: Sendable {
        /// `/dev/null`: the program reads end of file at once.
        case none
        /// Written while the output is read; a program that stops reading
        /// early is not an error.
        case bytes([UInt8])
    }

    package struct Limits: Sendable {
        /// From start to exit; nil for none.
        package var time: Duration?
        /// Between SIGTERM and SIGKILL when the run is ended from outside.
        package var grace: Duration
        /// Bytes kept of each stream. What comes after is read and dropped,
        /// so that the program never blocks on a full pipe.
        package var outputBytes: Int
        package var errorBytes: Int

        package init(
            time: Duration? = nil, grace: Duration = .seconds(1), outputBytes: Int = 16 << 20,
            errorBytes: Int = 64 << 10
        ) {
            self.time = time
            self.grace = grace
            self.outputBytes = outputBytes
            self.errorBytes = errorBytes
        }
    }

    package struct Result: Sendable, Equatable {
        package enum Status: Sendable, Equatable {
            case exited(Int32)
            case signalled(Int32)
        }

        package var status: Status
        package var output: [UInt8]
        package var errorOutput: [UInt8]
        /// More came than the limit allowed to keep.
        package var outputWasCut: Bool
        package var errorOutputWasCut: Bool

        package init(
            status: Status, output: [UInt8] = [], errorOutput: [UInt8] = [],
            outputWasCut: Bool = false, errorOutputWasCut: Bool = false
        ) {
            self.status = status
            self.output = output
            self.errorOutput = errorOutput
            self.outputWasCut = outputWasCut
            self.errorOutputWasCut = errorOutputWasCut
        }

        package var isSuccess: Bool { status == .exited(0) }
    }

    /// Absolute path; see `find`.
    package var program: String
    /// The words after the program's name.
    package var arguments: [String]
    /// All variables of the child. See `baseEnvironment`.
    package var environment: [String: String]
    package var input: Input
    package var limits: Limits

    package init(
        program: String, arguments: [String] = [], environment: [String: String],
        input: Input = .none, limits: Limits = Limits()
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.limits = limits
    }

    /// Starts the program and waits for its end on a thread of its own.
    ///
    /// When the task is cancelled or the time limit passes, the process group
    /// gets SIGTERM and after the grace SIGKILL, and the call returns when the
    /// program has been reaped: no child is left behind.
    /// - Throws: `SubprocessError`, `CancellationError`.
    package func run() async throws -> Result {
        try Task.checkCancellation()
        let wake = try WakePipe(program: program)
        let ending = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A new serial queue gets a thread outside of the cooperative
                // pool, which the loop below may block.
                DispatchQueue(label: "subprocess").async {
                    continuation.resume(
                        with: Swift.Result { try SubprocessLoop.run(self, wake: wake) })
                }
            }
        } onCancel: {
            wake.signal(.cancelled)
        }
        switch ending {
        case .finished(let result): return result
        case .cancelled: throw CancellationError()
        case .timedOut: throw SubprocessError(reason: .timedOut, program: program)
        }
    }
}

extension Subprocess {
    /// Runs the program on our terminal, with our descriptors 0 to 2 and in our
    /// process group, and waits for its end: an editor. Input and limits are
    /// not used, and cancelling does not end it: the user does.
    package func runOnTerminal() async throws(SubprocessError) -> Result.Status {
        let ended = await withCheckedContinuation {
            (continuation: CheckedContinuation<Swift.Result<Int32, SubprocessError>, Never>) in
            DispatchQueue(label: "terminal-process").async {
                continuation.resume(
                    returning: Swift.Result { () throws(SubprocessError) -> Int32 in
                        let child = try ProcessSpawn.startOnTerminal(self)
                        var status: Int32 = 0
                        while waitpid(child, &status, 0) < 0 {
                            // Nobody else waits for it.
                            if errno != EINTR { return 127 << 8 }
                        }
                        return status
                    })
            }
        }
        let status = try ended.get()
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }

    /// The variables a child may have. None of them holds a key, and the list
    /// is part of the manual.
    package static let inheritedVariables: Set<String> = [
        "PATH", "HOME", "USER", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
        "DISPLAY", "WAYLAND_DISPLAY",
    ]

    /// The allow-listed part of `variables`: `inheritedVariables`, `LC_*` and
    /// the names in `extra`.
    package static func baseEnvironment(
        from variables: [String: String], adding extra: Set<String> = []
    ) -> [String: String] {
        variables.filter { name, _ in
            inheritedVariables.contains(name) || name.hasPrefix("LC_") || extra.contains(name)
        }
    }

    /// Looks a program up in the `PATH` of `variables`.
    ///
    /// A name with a slash must be absolute. Relative folders in PATH are
    /// skipped: what is run never depends on the working directory.
    /// - Throws: `notFound`, or `notExecutable` when there is such a file but
    ///   it may not be run.
    package static func find(
        _ name: String, in variables: [String: String]
    ) throws(SubprocessError) -> String {
        if name.utf8.contains(UInt8(ascii: "/")) {
            guard name.hasPrefix("/") else {
                throw SubprocessError(reason: .notFound, program: name)
            }
            switch runnable(name) {
            case .some(true): return name
            case .some(false): throw SubprocessError(reason: .notExecutable, program: name)
            case .none: throw SubprocessError(reason: .notFound, program: name)
            }
        }
        var reason = SubprocessError.Reason.notFound
        let path = variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        for folder in path.split(separator: ":") where folder.hasPrefix("/") && !name.isEmpty {
            let candidate = "\(folder)/\(name)"
            switch runnable(candidate) {
            case .some(true): return candidate
            case .some(false): reason = .notExecutable
            case .none: continue
            }
        }
        throw SubprocessError(reason: reason, program: name)
    }

    /// Whether a regular file may be executed; nil where there is none.
    private static func runnable(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return access(path, X_OK) == 0
    }
}
