import AgentCore
import Base
import FoundationEssentials
import Glibc
import Persistence

/// Makes the system start `chat alerts run`: through systemd if there is a user manager,
/// otherwise with the desktop session, otherwise through cron. Installing twice changes
/// nothing; uninstalling removes what was installed and nothing else.
package struct AlertInstaller: Sendable {
    package enum Way: String, Sendable, CaseIterable { case systemd, autostart, cron }

    private let variables: [String: String]
    private let startup: AlertStartup
    /// `$XDG_CONFIG_HOME` or `~/.config`.
    private let configFolder: String

    package init(variables: [String: String], configFolder: String, startup: AlertStartup) {
        self.variables = variables
        self.configFolder = configFolder
        self.startup = startup
    }

    /// The path of the running program, regardless of the name it was called by.
    package static func ownProgram() -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        let path = String(decoding: buffer.prefix(count), as: UTF8.self)
        // The kernel's word for a file that an upgrade has replaced.
        let mark = " (deleted)"
        return path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
    }

    private var unitPath: String { "\(configFolder)/systemd/user/\(AlertStartup.unitName)" }
    /// Created by `systemctl enable`, which may not respond when the link has to be removed.
    private var unitLink: String {
        "\(configFolder)/systemd/user/default.target.wants/\(AlertStartup.unitName)"
    }
    private var entryPath: String { "\(configFolder)/autostart/\(AlertStartup.entryName)" }

    /// The ways that are currently installed.
    package func installed() async -> [Way] {
        var ways: [Way] = []
        if isOurs(unitPath) { ways.append(.systemd) }
        if isOurs(entryPath) { ways.append(.autostart) }
        if let crontab = await crontab(), AlertStartup.removed(from: crontab) != crontab {
            ways.append(.cron)
        }
        return ways
    }

    /// The variables that the installed service passes on; for the desktop those of this process,
    /// which are the same. Nil if nothing is installed.
    package func serviceVariables() async -> [String: String]? {
        let own = Dictionary(
            startup.variables.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
        switch await installed().first {
        case nil: return nil
        case .autostart: return variables.merging(own) { $1 }
        case .cron:
            // crontab(5)
            var result = variables.filter { ["HOME", "LOGNAME"].contains($0.key) }
            (result["SHELL"], result["PATH"]) = ("/bin/sh", "/usr/bin:/bin")
            return result.merging(own) { $1 }
        case .systemd:
            let shown = await run("systemctl", ["--user", "show-environment"])
            let lines = String(decoding: shown?.output ?? [], as: UTF8.self).split(separator: "\n")
            var result: [String: String] = [:]
            for line in lines {
                guard let equals = line.firstIndex(of: "=") else { continue }
                // Values with special characters are quoted for a shell.
                let value = ShellTokenizer.words(of: String(line[line.index(after: equals)...]))
                result[String(line[..<equals])] = value?.joined(separator: " ") ?? ""
            }
            return result.merging(own) { $1 }
        }
    }

    package func install() async throws -> CommandOutput {
        guard startup.isPossible else {
            throw ToolError.failed(
                "the path of this program has characters that a unit file cannot contain")
        }
        if await succeeds("systemctl", ["--user", "show-environment"]) {
            try write(startup.unit, to: unitPath)
            guard await succeeds("systemctl", ["--user", "daemon-reload"]),
                await succeeds("systemctl", ["--user", "enable", "--now", AlertStartup.unitName])
            else {
                throw ToolError.failed(
                    "systemd did not start it; \"systemctl --user status chat-alerts\" shows why")
            }
            try await remove(except: .systemd)
            return told(
                .systemd, "systemd user unit", at: unitPath,
                note: "It runs now, and after each login. To run before a login too: "
                    + "loginctl enable-linger")
        }
        if hasDesktop {
            try write(startup.entry, to: entryPath)
            try await remove(except: .autostart)
            return told(
                .autostart, "autostart entry of the desktop", at: entryPath,
                note: "It starts with the next login.")
        }
        if let crontab = await crontab() {
            let wanted = startup.added(to: crontab)
            if wanted != crontab, await !succeeds("crontab", ["-"], input: wanted) {
                throw ToolError.failed("crontab rejected the new lines")
            }
            try await remove(except: .cron)
            return told(
                .cron, "crontab", at: "crontab -l",
                note: "It checks every minute, and starts with the machine.")
        }
        var output = CommandOutput(
            lines: [
                StyledLine(
                    "Nothing here starts programs: no systemd user session, no desktop, no cron."),
                StyledLine("Start it where you log in:  chat alerts run &", .hint),
            ],
            json: ["installed": .null], outcome: .missingProgram)
        output.notices = ["On a server, apt install cron is enough."]
        return output
    }

    package func uninstall() async throws -> CommandOutput {
        let ways = await installed()
        if ways.contains(.systemd) {
            // The unit is removed, stopped or not.
            _ = await run("systemctl", ["--user", "disable", "--now", AlertStartup.unitName])
        }
        try await remove(except: nil)
        if ways.contains(.systemd) { _ = await run("systemctl", ["--user", "daemon-reload"]) }
        let names = ways.map(\.rawValue)
        return CommandOutput(
            lines: [
                StyledLine(
                    ways.isEmpty
                        ? "Nothing was installed." : "Removed: \(names.joined(separator: ", "))",
                    ways.isEmpty ? .dim : .success)
            ],
            json: ["removed": .array(names.map { .string($0) })])
    }

    private func told(_ way: Way, _ what: String, at place: String, note: String) -> CommandOutput {
        CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ ", .success), .init("alerts are started by: \(what)"),
                    .init(" · \(place)", .dim),
                ]),
                StyledLine("  \(note)", .dim),
            ],
            json: ["installed": .string(way.rawValue), "place": .string(place)])
    }

    private func remove(except way: Way?) async throws {
        if way != .systemd, isOurs(unitPath) {
            try remove(unitPath)
            // Left alone unless it led there.
            if access(unitLink, F_OK) != 0 { unlink(unitLink) }
        }
        if way != .autostart { try remove(entryPath) }
        if way != .cron, let crontab = await crontab() {
            let rest = AlertStartup.removed(from: crontab)
            guard rest != crontab else { return }
            // There was no crontab before, so none is left.
            let words = rest.isEmpty ? ["-r"] : ["-"]
            if await !succeeds("crontab", words, input: rest.isEmpty ? nil : rest) {
                throw ToolError.failed("the previous crontab could not be restored")
            }
        }
    }

    private var hasDesktop: Bool {
        ["XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "WAYLAND_DISPLAY", "DISPLAY"].contains {
            variables[$0]?.isEmpty == false
        }
    }

    // MARK: - Files

    private func isOurs(_ path: String) -> Bool {
        text(of: path)?.hasPrefix(AlertStartup.mark) ?? false
    }

    private func text(of path: String) -> String? {
        // nil if it cannot be read; then it is not treated as ours.
        (try? WholeFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Leaves a file of that name alone if it is not ours.
    private func write(_ text: String, to path: String) throws {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard isOurs(path) else {
                throw ToolError.failed("\(path) was not made by chat, so it was not changed")
            }
            if self.text(of: path) == text { return }
        }
        try DatabaseFile.makeFolder(FilePath.folder(of: path))
        let temporary = path + ".new"
        unlink(temporary)
        let code = WholeFile.replace(text.utf8, at: path, temporary: temporary, mode: 0o644)
        guard code == 0 else { throw SQLiteError.system("write", path: path, error: code) }
    }

    private func remove(_ path: String) throws {
        guard isOurs(path) else { return }
        if unlink(path) != 0, errno != ENOENT { throw SQLiteError.system("unlink", path: path) }
    }

    // MARK: - Programs

    /// nil if the program is missing or hangs.
    private func run(
        _ name: String, _ words: [String], input: [UInt8]? = nil
    ) async -> Subprocess.Result? {
        // The reason why it cannot be run does not matter.
        guard let program = try? Subprocess.find(name, in: variables) else { return nil }
        var process = Subprocess(
            program: program, arguments: words,
            environment: Subprocess.baseEnvironment(from: variables),
            limits: Subprocess.Limits(time: .seconds(10), outputBytes: 1 << 20))
        if let input { process.input = .bytes(input) }
        // The same for one that hangs.
        return try? await process.run()
    }

    private func succeeds(
        _ name: String, _ words: [String], input: [UInt8]? = nil
    ) async -> Bool {
        await run(name, words, input: input)?.isSuccess == true
    }

    /// The user's crontab, empty before the first entry; nil without cron.
    private func crontab() async -> [UInt8]? {
        guard let result = await run("crontab", ["-l"]), !result.outputWasCut else { return nil }
        if result.isSuccess { return result.output }
        // "no crontab for …"; any other failure must not lose the lines there.
        let words = String(decoding: result.errorOutput, as: UTF8.self).lowercased()
        return words.contains("no crontab") ? [] : nil
    }
}
