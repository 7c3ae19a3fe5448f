import Dispatch
import Glibc

/// A limit that the kernel enforces on a child (getrlimit(2)).
package struct ResourceCeiling: Sendable, Equatable {
    var resource: Int32
    var value: UInt64

    /// Limits for external programs that run beside us: no core files, and limits on files, memory
    /// and disk that such programs do not reach.
    package static let server = [
        ResourceCeiling(resource: Int32(RLIMIT_CORE.rawValue), value: 0),
        ResourceCeiling(resource: Int32(RLIMIT_NOFILE.rawValue), value: 1024),
        ResourceCeiling(resource: Int32(RLIMIT_DATA.rawValue), value: 4 << 30),
        ResourceCeiling(resource: Int32(RLIMIT_FSIZE.rawValue), value: 4 << 30),
    ]
}

/// One run of another program: arguments instead of a shell line, exactly the given
/// variables, descriptors 0 to 2 and nothing else, a process group of its own, and limits
/// on time and output.
///
/// It is for programs that end by themselves (`secret-tool`, a key command, a
/// converter). It does not interpret the exit status.
package struct Subprocess: Sendable {
    package enum Input: Sendable {
        /// `/dev/null`: the program reads end of file at once.
        case none
        /// Written while the output is read; a program that stops reading early is not an
        /// error.
        case bytes([UInt8])
    }

    package struct Limits: Sendable {
        /// Time from start to exit; nil for no limit.
        package var time: Duration?
        /// Between SIGTERM and SIGKILL when the run is ended by us.
        package var grace: Duration
        /// Number of bytes kept from the beginning of its output. The rest is read and discarded,
        /// so that the program never blocks on a full pipe.
        package var outputBytes: Int
        /// Number of bytes kept from the end of its error output.
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

            /// Waits for a child's end. The macros WIFEXITED and WTERMSIG are not available
            /// in Swift: the low seven bits are the signal, the next byte the exit status
            /// (wait(2)).
            init(reaping pid: pid_t) {
                // Nothing else waits for it; otherwise its status would be unknown.
                var word: Int32 = 127 << 8
                while waitpid(pid, &word, 0) < 0, errno == EINTR {}
                self = word & 0x7F == 0 ? .exited(word >> 8 & 0xFF) : .signalled(word & 0x7F)
            }
        }

        package var status: Status
        package var output: [UInt8]
        package var errorOutput: [UInt8]
        /// Whether there was more output than the limit.
        package var outputWasCut: Bool

        package var isSuccess: Bool { status == .exited(0) }
    }

    /// Absolute path; see `find`.
    package var program: String
    /// The arguments after the program's name.
    package var arguments: [String]
    /// All variables of the child. See `baseEnvironment`.
    package var environment: [String: String]
    package var input: Input
    package var limits: Limits
    /// The program's working folder; nil for our own.
    package var folder: String?
    /// Limits for it and its children.
    package var ceilings: [ResourceCeiling] = []

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
        let bytes: [UInt8]? = if case .bytes(let bytes) = input { bytes } else { nil }
        let child = try await Self.onItsOwnThread { () throws(SubprocessError) in
            try RunningProcess.start(
                self, .whole(input: bytes, outputBytes: limits.outputBytes))
        }
        let (stop, result) = await withTaskCancellationHandler {
            await child.result()
        } onCancel: {
            child.cancel()
        }
        switch stop {
        case .cancelled: throw CancellationError()
        case .timedOut: throw SubprocessError(reason: .timedOut, program: program)
        case nil: return result
        }
    }

    /// Runs the program on our terminal, with our descriptors 0 to 2 and in our process
    /// group, and waits for its end: an editor. Input and limits are not used, and
    /// cancelling does not end it: the user does.
    package func runOnTerminal() async throws(SubprocessError) -> Result.Status {
        try await Self.onItsOwnThread { () throws(SubprocessError) in
            Result.Status(reaping: try ProcessSpawn.startOnTerminal(self))
        }
    }

    /// Runs a blocking body: a new serial queue gets a thread outside of the cooperative
    /// pool.
    private static func onItsOwnThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SubprocessError) -> Value
    ) async throws(SubprocessError) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Swift.Result<Value, SubprocessError>, Never>) in
            DispatchQueue(label: "subprocess").async {
                continuation.resume(returning: Swift.Result(catching: body))
            }
        }
        return try result.get()
    }
}

extension Subprocess {
    /// The variables that a child may inherit. None of them contains a key; the manual has the same
    /// list.
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
    /// A name with a slash must be absolute. Relative folders in PATH are skipped, so that
    /// the program never depends on the working directory.
    /// - Throws: `notFound`, or `notExecutable` if such a file exists but may not be run.
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

    /// Whether a regular file may be executed; nil if there is no such file.
    private static func runnable(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return access(path, X_OK) == 0
    }
}
