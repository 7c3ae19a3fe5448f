import AgentCore
import Base
import Glibc

/// `chat calendar sync-setup`: writes a configuration for vdirsyncer and says
/// what to do with it.
///
/// It neither syncs nor talks to the server, and touches no configuration of
/// vdirsyncer's own: the file is one of ours, given to it with `-c`.
package struct SyncSetup: Sendable {
    private let roots: [String]
    private let configuration: String
    private let status: String
    private let uuid: @Sendable () -> String

    /// `roots` are the configured folders of calendars; the first is synced.
    /// The configuration is `vdirsyncer.conf` in that folder, what vdirsyncer
    /// remembers is `vdirsyncer` in the state folder.
    package init(
        roots: [String], configurationFolder: String, stateFolder: String,
        uuid: @escaping @Sendable () -> String
    ) {
        self.roots = roots
        configuration = configurationFolder + "/vdirsyncer.conf"
        status = stateFolder + "/vdirsyncer"
        self.uuid = uuid
    }

    /// One of the calendar's command.
    package var verb: Verb {
        Verb(
            "sync-setup", "share calendars with phones: write a vdirsyncer configuration",
            [.init("URL", "the address of a server")], options: SyncRequest.options,
            json: "configuration calendars status url user commands",
            example: SyncRequest.example
        ) { try setUp($0) }
    }

    func setUp(_ call: CommandArguments) throws -> CommandOutput {
        let request = try SyncRequest(call)
        guard let root = roots.first else { throw UsageError("no folder of calendars is set") }
        var sync = SyncConfiguration(server: request.server, calendars: root, status: status)
        sync.user = request.user
        sync.password = request.password
        sync.conflicts = request.conflicts
        let old = try write(sync.text, mayReplace: call.isConfirmed)
        return output(sync, isNew: old == nil, isSame: old == sync.text)
    }

    // MARK: - The file

    /// - Returns: what was there before; nil when there was no file.
    private func write(_ text: String, mayReplace: Bool) throws -> String? {
        guard let slash = configuration.lastIndex(of: "/") else { return nil }
        let name = String(configuration[configuration.index(after: slash)...])
        let path = String(configuration[..<slash])
        try FileCall.makeFolder(path)
        // vdirsyncer makes its own folder, but readable by others.
        try FileCall.makeFolder(status)
        let folder = try FileCall.openFolder(path)
        let old = try existing(name, in: folder)
        if old == text { return old }
        guard old == nil || mayReplace else {
            throw UsageError(
                "\(configuration) already exists and differs",
                hint: "the same line with --yes replaces it")
        }
        let temporary = ".\(name).\(uuid()).tmp"
        _ = try FileCall.write(
            Array(text.utf8), new: temporary, in: folder, path: configuration)
        if old == nil {
            do throws(FileCallError) {
                try FileCall.renameNew(
                    temporary, in: folder, to: name, in: folder, path: configuration)
            } catch {
                unlinkat(folder.number, temporary, 0)
                throw error
            }
        } else if renameat(folder.number, temporary, folder.number, name) != 0 {
            let failure = FileCall.failure(configuration)
            unlinkat(folder.number, temporary, 0)
            throw failure
        }
        FileCall.flush(folder)
        return old
    }

    private func existing(
        _ name: String, in folder: FileCall.Descriptor
    ) throws(FileCallError) -> String? {
        do throws(FileCallError) {
            let (bytes, _) = try FileCall.read(
                name, in: folder, path: configuration, limit: 1 << 20)
            return String(decoding: bytes, as: UTF8.self)
        } catch {
            if error.reason == .notFound { return nil }
            throw error
        }
    }

    // MARK: - What is said

    private func output(_ sync: SyncConfiguration, isNew: Bool, isSame: Bool) -> CommandOutput {
        let commands = commands(sync)
        let done = isSame ? "unchanged" : isNew ? "written" : "replaced"
        var lines = [
            StyledLine("✓ \(done): \(configuration)", .success),
            StyledLine("  \(sync.calendars) ↔ \(sync.server.text)"),
            StyledLine("Next:"),
        ]
        for (command, why) in commands {
            lines.append(
                StyledLine([.init("  " + command, .accent), .init("   # " + why, .dim)]))
        }
        var notices: [String] = []
        if sync.user == nil {
            notices.append("without --user, only a server that needs no login will answer")
        }
        for root in roots.dropFirst() { notices.append("not synced: \(root)") }
        return CommandOutput(
            lines: lines,
            json: .object(
                JSONObject([
                    .init("configuration", .string(configuration)),
                    .init("calendars", .string(sync.calendars)),
                    .init("status", .string(sync.status)),
                    .init("url", .string(sync.server.text)),
                    .init("user", sync.user.map { .string($0) } ?? .null),
                    .init("commands", .array(commands.map { .string($0.command) })),
                ])),
            notices: notices)
    }

    private func commands(_ sync: SyncConfiguration) -> [(command: String, why: String)] {
        let program = ["vdirsyncer", "-c", configuration]
        func line(_ words: [String]) -> String {
            words.map(ShellTokenizer.quoted).joined(separator: " ")
        }
        var lines: [(command: String, why: String)] = [
            ("sudo apt install vdirsyncer", "if it is not there yet")
        ]
        if let store = sync.storingPassword {
            lines.append((line(store), "asks for the password"))
        }
        lines.append(
            (line(program + ["discover", SyncConfiguration.pair]), "finds the calendars of both"))
        lines.append((line(program + ["sync"]), "copies both ways; again whenever you like"))
        return lines
    }
}
