import Glibc

/// A started child: its id and our ends of its pipes.
///
/// This only starts it: the loop reads, waits and ends it.
struct ProcessSpawn {
    var pid: pid_t
    /// -1 if the child reads `/dev/null`.
    var input: Int32
    /// -1 if the child's output goes to `/dev/null`.
    var output: Int32
    var errorOutput: Int32

    /// The child gets its arguments and variables unchanged, descriptors 0 to 2, a process group of
    /// its own, and default signals; Ctrl-Z does not reach it.
    ///
    /// The loop also handles its input and limits.
    static func start(
        _ process: Subprocess, _ streams: ProcessState.Streams
    ) throws(SubprocessError) -> ProcessSpawn {
        let (writes, reads, pipeBytes) =
            switch streams {
            case .live(let writes, let reads, let pipeBytes): (writes, reads, pipeBytes)
            case .whole(let input, _): (input != nil, true, Int?.none)
            }
        var opened: [Int32] = []
        func makePipe() -> (read: Int32, write: Int32)? {
            guard let ends = Self.pipe() else { return nil }
            opened += [ends.read, ends.write]
            return ends
        }
        func failure(_ code: Int32) -> SubprocessError {
            for descriptor in opened { close(descriptor) }
            return SubprocessError(code: code, program: process.program)
        }

        guard let errorOutput = makePipe() else { throw failure(errno) }
        var output: (read: Int32, write: Int32)?
        if reads {
            output = makePipe()
            if output == nil { throw failure(errno) }
        }
        var input: (read: Int32, write: Int32)?
        if writes {
            input = makePipe()
            if input == nil { throw failure(errno) }
        }
        if let pipeBytes {
            for end in [input?.write, output?.read].compactMap({ $0 }) {
                // Only a request: above the system's limit the size stays unchanged.
                _ = fcntl(end, Self.setPipeSize, Int32(clamping: pipeBytes))
            }
        }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, errorOutput.write, 2)
        let pid: pid_t
        do {
            pid = try spawn(process, &actions, hasOwnGroup: true)
        } catch {
            throw failure(error.code)
        }

        close(errorOutput.write)
        if let output { close(output.write) }
        if let input { close(input.read) }
        let child = ProcessSpawn(
            pid: pid, input: input?.write ?? -1, output: output?.read ?? -1,
            errorOutput: errorOutput.read)
        for descriptor in [child.input, child.output, child.errorOutput] where descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        return child
    }

    /// Starts a child with our descriptors 0 to 2, which are the terminal's, in our process
    /// group: Ctrl-C and Ctrl-Z reach it as if the shell had started it. Its arguments and
    /// variables are passed unchanged.
    static func startOnTerminal(_ process: Subprocess) throws(SubprocessError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        return try spawn(process, &actions, hasOwnGroup: false)
    }

    /// Common to all children: exactly the given variables, no descriptor above 2, default
    /// signals.
    private static func spawn(
        _ process: Subprocess, _ actions: inout posix_spawn_file_actions_t, hasOwnGroup: Bool
    ) throws(SubprocessError) -> pid_t {
        func failure(_ code: Int32) -> SubprocessError {
            SubprocessError(code: code, program: process.program)
        }
        // One of our libraries may have opened descriptors without O_CLOEXEC.
        guard let closeFrom = Self.closeFrom, closeFrom(&actions, 3) == 0 else {
            throw failure(ENOSYS)
        }
        if let folder = process.folder {
            guard let changeFolder = Self.changeFolder, changeFolder(&actions, folder) == 0 else {
                throw failure(ENOSYS)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var allSignals = sigset_t()
        sigfillset(&allSignals)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
        if hasOwnGroup {
            // Until it has a group of its own, our Ctrl-Z reaches the child too. It would
            // stop before the exec, for which our thread waits (vfork), so that we could
            // neither stop nor continue.
            sigaddset(&blocked, SIGTSTP)
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        }
        posix_spawnattr_setsigdefault(&attributes, &allSignals)
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = [process.program] + process.arguments
        let variables = process.environment.map { "\($0.key)=\($0.value)" }
        // A NUL would end an argument early in the child: refuse it here.
        if (words + variables).contains(where: { $0.utf8.contains(0) }) { throw failure(EINVAL) }
        var pid: pid_t = 0
        let code = withCStrings(words) { words in
            withCStrings(variables) { variables in
                posix_spawn(&pid, process.program, &actions, &attributes, words, variables)
            }
        }
        if code != 0 { throw failure(code) }
        // The program has just started. It runs for a moment without the limits, but everything it
        // starts later has them.
        for ceiling in process.ceilings {
            var limit = [ceiling.value, ceiling.value]
            _ = Self.setLimit?(pid, ceiling.resource, &limit, nil)
        }
        return pid
    }

    /// F_SETPIPE_SZ and F_GETPIPE_SZ (fcntl(2)), which the headers show only with
    /// _GNU_SOURCE.
    static let setPipeSize: Int32 = 1031
    static let getPipeSize: Int32 = 1032

    /// A pipe that no child inherits, or nil with `errno` set.
    ///
    /// Both ends are above 2, so that no `dup2` in a child overwrites an end that it still
    /// needs (we may have been started with 0 to 2 closed).
    static func pipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        // Set afterwards, since `pipe2` is not visible in Swift (it needs _GNU_SOURCE). A
        // child started in between is one of ours, and closes everything above 2.
        for index in ends.indices {
            let low = ends[index]
            ends[index] = fcntl(low, F_DUPFD_CLOEXEC, 3)
            close(low)
        }
        // `pipe` has filled both elements.
        let (read, write) = (ends[0], ends[1])
        if read >= 0, write >= 0 { return (read, write) }
        close(read)
        close(write)
        errno = EMFILE
        return nil
    }

    /// glibc 2.34, <spawn.h>. Without it no process can be started.
    private static let closeFrom:
        (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32)? =
            CFunction.named("posix_spawn_file_actions_addclosefrom_np")

    /// glibc 2.29, <spawn.h>.
    private static let changeFolder:
        (
            @convention(c) (
                UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
            ) -> Int32
        )? = CFunction.named("posix_spawn_file_actions_addchdir_np")

    /// prlimit(2), <sys/resource.h>: a `struct rlimit` is two numbers of 64 bits.
    private static let setLimit:
        (
            @convention(c) (
                pid_t, Int32, UnsafePointer<UInt64>?, UnsafeMutablePointer<UInt64>?
            ) -> Int32
        )? = CFunction.named("prlimit")

    private static func withCStrings<Value>(
        _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let pointers = strings.map { strdup($0) }
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers + [nil])
    }
}
