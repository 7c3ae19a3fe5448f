import Foundation
import Glibc

/// A terminal for a test: the program or the code under test has one end, the
/// test types at the other and looks at the screen. It judges nothing.
///
/// Waiting is on a condition; time limits only guard against a hang. After a
/// minute in which the test did nothing the terminal hangs up, so that code
/// that waits for a key that nobody will type ends as well.
package final class PseudoTerminal: @unchecked Sendable {
    // Proof for @unchecked: `shown`, `bytes`, `hasEnded` and `lastDeed` are only
    // touched under `condition`; `child` only by the test's own thread.
    package let master: Int32
    /// The end of the program, for code that runs inside the test.
    package let slave: Int32
    private let condition = NSCondition()
    /// Closing the writing end ends the reading thread, which then closes
    /// `master`: a descriptor with a read going on does not close.
    private let stop: (read: Int32, write: Int32)
    private var shown: Screen
    private var bytes: [UInt8] = []
    private var hasEnded = false
    /// When the test last typed or looked.
    private var lastDeed = Date()
    private static let patience = 60.0
    package private(set) var child: pid_t = 0

    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// - Parameter isRefolded: a new width folds lines anew; else it cuts them.
    package init(rows: Int = 24, columns: Int = 80, isRefolded: Bool = false) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // posix_openpt and its kin are not in the Glibc module: pts(4), ioctl_tty(2).
        let unlock = UInt(0x4004_5431)  // TIOCSPTLCK
        var locked: Int32 = 0
        guard master >= 0, ioctl(master, unlock, &locked) == 0 else {
            throw Failure(description: "no pseudo-terminal: errno \(errno)")
        }
        slave = open(try Self.name(of: master), O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw Failure(description: "no slave end: errno \(errno)") }
        shown = Screen(rows: rows, columns: columns)
        shown.isRefolded = isRefolded
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe: errno \(errno)") }
        stop = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
        let thread = Thread { [self] in drain() }
        thread.start()
    }

    private static func name(of master: Int32) throws -> String {
        let getNumber = UInt(0x8004_5430)  // TIOCGPTN
        var number: Int32 = 0
        guard ioctl(master, getNumber, &number) == 0 else {
            throw Failure(description: "no name: errno \(errno)")
        }
        return "/dev/pts/\(number)"
    }

    private func drain() {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            var polled = [
                pollfd(fd: master, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.read, events: Int16(POLLIN), revents: 0),
            ]
            let rest = Self.patience - Date().timeIntervalSince(condition.withLock { lastDeed })
            let ready = poll(&polled, 2, Int32(max(0, rest) * 1_000) + 1)
            if polled[1].revents != 0 || rest <= 0 {
                condition.withLock { hasEnded = true }
                close(master)
                close(stop.read)
                return
            }
            guard ready > 0 else { continue }
            let count = read(master, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            condition.lock()
            if count > 0 {
                shown.feed(buffer[..<count])
                bytes += buffer[..<count]
            } else {
                hasEnded = true
            }
            condition.broadcast()
            condition.unlock()
            if count <= 0 { return }
        }
    }

    /// Closes the test's end: the program sees a hang-up.
    package func hangUp() { close(stop.write) }

    /// Gives all descriptors back; the last thing a test does with it.
    package func end() {
        hangUp()
        close(slave)
    }

    // MARK: The user

    package func type(_ text: String) { type(Array(text.utf8)) }

    package func type(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, noteDeed() {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }

    package func paste(_ text: String) { type("\u{1B}[200~" + text + "\u{1B}[201~") }

    package func resize(rows: Int, columns: Int) {
        guard noteDeed() else { return }
        condition.withLock { shown.resize(rows: rows, columns: columns) }
        var size = winsize(
            ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// False once the terminal is gone, and its descriptor perhaps another's.
    private func noteDeed() -> Bool {
        condition.withLock {
            lastDeed = Date()
            return !hasEnded
        }
    }

    // MARK: The screen

    package var screen: Screen { condition.withLock { shown } }
    /// Every byte the program wrote.
    package var transcript: [UInt8] { condition.withLock { bytes } }

    /// Waits until the screen is as `isReady` says and returns it.
    @discardableResult
    package func waitFor(
        _ what: String, limit: Double = 60, _ isReady: (Screen) -> Bool
    ) throws -> Screen {
        let end = Date(timeIntervalSinceNow: limit)
        _ = noteDeed()
        condition.lock()
        defer { condition.unlock() }
        while !isReady(shown) {
            if hasEnded { throw Failure(description: "ended before \(what):\n\(shown.text)") }
            if !condition.wait(until: end) {
                throw Failure(description: "never saw \(what):\n\(shown.text)")
            }
        }
        return shown
    }

    /// Waits until the program wrote something after its first `count` bytes.
    package func waitForOutput(after count: Int) throws {
        _ = noteDeed()
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: 60)
        while bytes.count <= count {
            guard !hasEnded, condition.wait(until: end) else {
                throw Failure(description: "no output after byte \(count):\n\(shown.text)")
            }
        }
    }

    @discardableResult
    package func waitFor(text: String) throws -> Screen {
        try waitFor("“\(text)”") { $0.text.contains(text) }
    }

    /// The whole screen, rows without trailing blanks.
    @discardableResult
    package func waitFor(lines: [String]) throws -> Screen {
        try waitFor(lines.joined(separator: "\n")) { $0.lines == lines }
    }

    // MARK: The settings

    package var settings: termios {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings
    }

    /// Flags and characters, for comparing.
    package var settingsText: String {
        let now = settings
        let characters = withUnsafeBytes(of: now.c_cc) { Array($0) }
        return "\(now.c_iflag) \(now.c_oflag) \(now.c_cflag) \(now.c_lflag) \(characters)"
    }

    // MARK: A program

    /// Starts a program in a session of its own, with this as its terminal.
    package func spawn(
        _ path: String, _ arguments: [String] = [], environment: [String: String]
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal a session leader opens becomes its own.
        posix_spawn_file_actions_addopen(&actions, 0, try Self.name(of: master), O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let setSession: Int16 = 0x80  // POSIX_SPAWN_SETSID
        posix_spawnattr_setflags(&attributes, setSession)
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let variables =
            TestMachine.apart(environment).map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        let error = posix_spawn(&child, path, &actions, &attributes, words, variables)
        guard error == 0 else { throw Failure(description: "cannot start \(path): \(error)") }
    }

    package func signal(_ number: Int32) { if child > 0 { kill(child, number) } }

    /// How the program ended: its exit code, or minus the signal.
    package func waitForExit() -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        child = 0
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }
}
