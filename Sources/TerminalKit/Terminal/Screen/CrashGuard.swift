import Base
import Glibc

/// Installs crash handlers before anything else runs: a crash restores the terminal, prints nothing
/// and leaves nothing behind. Swift's own crash report shows registers and the memory they point
/// to, which may contain a key. It handles no errors that the program could handle.
package enum CrashGuard {
    /// A core limit of 0 does not prevent a core dump that is piped to a program; this does, and it
    /// protects our memory from the user's other processes.
    private static func setUndumpable() {
        // prctl is variadic, but integers are passed as to a plain function.
        let prctl: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32)? =
            CFunction.named("prctl")
        let setDumpable: Int32 = 4
        _ = prctl?(setDumpable, 0, 0, 0, 0)
    }

    package static func install() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        setUndumpable()
        signal(SIGPIPE, SIG_IGN)

        // A stack overflow leaves no room on the normal stack.
        let size = 64 * 1024
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = size
        sigaltstack(&stack, nil)

        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            SavedTerminal.restore()
            signal(number, SIG_DFL)
            raise(number)
        }
        // SA_NODEFER: the signal raised again must end the process at once.
        action.sa_flags = SA_ONSTACK | SA_NODEFER
        for number in [SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGABRT, SIGTRAP, SIGSYS] {
            sigaction(number, &action, nil)
        }
    }
}
