import Base
import Glibc
import TerminalKit

/// The entry point. Crash handlers are installed first: a trap before them would print
/// registers, and a key with them.
@main
struct Main {
    static func main() {
        CrashGuard.install()
        returnFreedMemory()
        openStandardDescriptors()
        exit(App.run(CommandLine.arguments).rawValue)
    }

    /// Fixes the size from which an allocation is a mapping of its own, given back when freed.
    /// The C library would raise it with each one, up to 32 MB, and keep the space of every
    /// intermediate copy of a long answer: 30 MB for one of 4 MB.
    private static func returnFreedMemory() {
        // int mallopt(int param, int value), and M_MMAP_THRESHOLD and M_ARENA_MAX, in malloc.h.
        typealias Option = @convention(c) (Int32, Int32) -> Int32
        guard let set: Option = CFunction.named("mallopt") else { return }
        _ = set(-3, 128 << 10)
        _ = set(-8, 2)
    }

    /// Opens missing standard descriptors. If one were closed, the next opened file would
    /// take its number, and be read as input or written as output. These give end of file
    /// and EBADF instead.
    private static func openStandardDescriptors() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
