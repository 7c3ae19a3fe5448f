import Base
import Glibc
import TerminalKit

/// The entry point. Crash handlers are installed first: a trap before them would print
/// registers, and a key with them.
@main
struct Main {
    static func main() {
        CrashGuard.install()
        openStandardDescriptors()
        exit(App.run(CommandLine.arguments).rawValue)
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
