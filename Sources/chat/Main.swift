import Glibc

/// The way in. Handlers for crashes come first: a trap before them would print
/// registers, and a key with them.
@main
struct Main {
    static func main() {
        CrashGuard.install()
        exit(App.run(CommandLine.arguments).rawValue)
    }
}
