import Foundation
import XCTest

/// What a program that a test starts sees of this machine: its programs, but
/// a home of its own, no session bus, and stand-ins for those programs that
/// keep something of the user's. `RunningProgram`, `PseudoTerminal` and
/// `Process.apart` start every program with it; `scripts/check-style` looks for others.
package enum TestMachine {
    /// A crontab in the home, no systemd of the user and no store of keys.
    private static let standIns = [
        "crontab": """
        case $1 in
            -l) if [ -e "$HOME/.crontab" ]; then exec cat "$HOME/.crontab"; fi
                echo 'no crontab for a test' >&2; exit 1 ;;
            -) exec cat >"$HOME/.crontab" ;;
        esac
        exit 2
        """,
        "systemctl": "echo 'no systemd in a test' >&2; exit 1",
        "secret-tool": "echo 'no keys in a test' >&2; exit 1",
    ]

    /// One for the whole run.
    private static let folder: String = {
        do {
            let path = NSTemporaryDirectory() + "chat-tests-" + UUID().uuidString.lowercased()
            for name in ["bin", "home"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/\(name)", withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
            }
            for (name, script) in standIns {
                let file = "\(path)/bin/\(name)"
                try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: file))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o700], ofItemAtPath: file)
            }
            atexit { try? FileManager.default.removeItem(atPath: TestMachine.folder) }
            return path
        } catch { fatalError("no folder for the tests: \(error)") }
    }()

    package static let path = apart(path: "/usr/local/bin:/usr/bin:/bin")

    /// For a program that needs nothing of its own.
    package static var variables: [String: String] {
        ["PATH": path, "HOME": "\(folder)/home", "LANG": "C.UTF-8"]
    }

    /// Variables that a test chose, with what it left to the machine.
    package static func apart(_ chosen: [String: String]) -> [String: String] {
        var variables = chosen
        variables["PATH"] = chosen["PATH"].map(apart(path:)) ?? path
        variables["HOME"] = chosen["HOME"] ?? "\(folder)/home"
        return variables
    }

    /// The path of a program of this machine. One that is there and cannot be started, such
    /// as a jar or a script without its interpreter, is as good as absent.
    ///
    /// - Throws: `XCTSkip` that names the Debian package.
    package static func find(
        _ program: String, package: String,
        in folders: [String] = ["/usr/bin", "/usr/local/bin", "/bin"]
    ) throws -> String {
        if let path = folders.map({ "\($0)/\(program)" }).first(where: isStartable) {
            return path
        }
        throw XCTSkip("\(program) is not installed, or cannot be started (Debian: \(package))")
    }

    private static func isStartable(_ path: String) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: path),
            let head = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 256)
        else { return false }
        if head.starts(with: "\u{7F}ELF".utf8) { return true }
        guard head.starts(with: "#!".utf8) else { return false }
        let line = String(decoding: head.dropFirst(2), as: UTF8.self)
        let interpreter = line.split(whereSeparator: \.isWhitespace).first
        return FileManager.default.isExecutableFile(atPath: interpreter.map(String.init) ?? "")
    }

    /// The stand-ins before the first folder of the machine: what a test put
    /// in front of it stays there.
    private static func apart(path: String) -> String {
        var folders = path.split(separator: ":").map(String.init)
        let ours = folder + "/bin"
        if !folders.contains(ours),
            let first = folders.firstIndex(where: { $0.hasPrefix("/usr/") || $0 == "/bin" })
        {
            folders.insert(ours, at: first)
        }
        return folders.joined(separator: ":")
    }
}

extension Process {
    /// One that does not inherit what the runner of the tests was given.
    package static func apart() -> Process {
        let process = Process()
        process.environment = TestMachine.variables
        return process
    }
}
