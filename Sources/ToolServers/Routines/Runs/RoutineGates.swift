import AgentCore
import Base
import FoundationEssentials
import Glibc
import Persistence

/// Looks whether a routine has a reason to run, without a model: something is due, a file or a
/// page has changed, a command succeeds. It stores nothing: `seen` belongs to the caller.
package struct RoutineGates: Sendable {
    /// A look at a page; `text` is nil if it has not changed.
    package struct Page: Sendable {
        package var text: String?
        /// The validators for the next conditional request.
        package var validators: JSONValue

        package init(text: String?, validators: JSONValue) {
            (self.text, self.validators) = (text, validators)
        }
    }

    package struct Dependencies: Sendable {
        /// Whether something is due or an event is today.
        package var hasDue: @Sendable () async throws -> Bool
        /// Makes one conditional request.
        package var fetch: @Sendable (_ url: String, _ validators: JSONValue) async throws -> Page
        package var variables: [String: String]

        package init(
            hasDue: @escaping @Sendable () async throws -> Bool,
            fetch: @escaping @Sendable (String, JSONValue) async throws -> Page,
            variables: [String: String]
        ) {
            (self.hasDue, self.fetch, self.variables) = (hasDue, fetch, variables)
        }
    }

    package struct Look: Sendable, Equatable {
        /// The reason why it is shut; nil if it is open.
        package var shut: String?
        /// Texts found by the gates, for the model: untrusted text.
        package var found: [Attachment] = []
        package var seen: String
    }

    private let dependencies: Dependencies

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// A hanging command is ended after this.
    private static let commandLimit = Duration.seconds(60)
    /// Maximum bytes of a text that a gate found: several go with one message, each as large as the
    /// result of a tool.
    static let textLimit = 48 << 10
    /// Maximum bytes of a watched file that is compared by its contents; a larger one is compared by
    /// size and time, which costs nothing.
    private static let fileLimit = 8 << 20

    /// - Throws: errors that prevent checking a gate, such as an unreachable page.
    package func look(_ entry: RoutineBook.Entry) async throws -> Look {
        let routine = entry.routine
        // Empty before the first look.
        let before = (try? JSONParser.parse(entry.pin?.seen ?? "")) ?? .null
        var members: [JSONObject.Member] = []
        var look = Look(seen: "")
        for gate in routine.gates {
            switch gate {
            case .due:
                if try await !dependencies.hasDue() {
                    look.shut = look.shut ?? "nothing is due or on today"
                }
            case .changed(let what):
                let (now, text, shut) = try await change(of: what, before[what] ?? .null)
                members.append(.init(what, now))
                look.shut = look.shut ?? shut
                if let text { look.found.append(Self.attachment(FilePath.name(what), text)) }
            case .command:
                let (output, shut) = try await run(entry.pin?.command ?? "")
                look.shut = look.shut ?? shut
                if shut == nil { look.found.append(Self.attachment("command output", output)) }
            }
        }
        if routine.isUnlessSame, !look.found.isEmpty {
            let digest = SHA256.hex(SHA256.digest(look.found.flatMap(\.bytes)))
            if before["found"]?.stringValue == digest {
                look.shut = look.shut ?? "it found the same as before"
            }
            members.append(.init("found", .string(digest)))
        }
        if !members.isEmpty { look.seen = JSONWriter.string(.object(JSONObject(members))) }
        return look
    }

    static func attachment(_ name: String, _ text: String) -> Attachment {
        let isCut = text.utf8.count > textLimit
        let mark = isCut ? "\n[cut: the first \(Quantities.bytes(textLimit)) are shown]" : ""
        return Attachment(
            name: name, mediaType: "text/plain",
            bytes: Array(text.utf8.prefix(textLimit)) + Array(mark.utf8))
    }

    // MARK: - Changes

    private typealias Change = (now: JSONValue, text: String?, shut: String?)

    private func change(of what: String, _ before: JSONValue) async throws -> Change {
        if what.hasPrefix("https://") || what.hasPrefix("http://") {
            let page = try await dependencies.fetch(what, before)
            guard let text = page.text else {
                return (page.validators, nil, "no change in \(what)")
            }
            // A server without validators sends the page each time.
            let digest = JSONValue.string(SHA256.hex(SHA256.digest(Array(text.utf8))))
            let now = Self.adding("digest", digest, to: page.validators)
            if before.isNull { return (now, nil, "first look at \(what)") }
            return before["digest"] == digest
                ? (now, nil, "no change in \(what)") : (now, text, nil)
        }
        let now = Self.listing(of: what)
        if before.isNull { return (now, nil, "first look at \(what)") }
        if before == now { return (now, nil, "no change in \(what)") }
        return (now, Self.difference(what, before, now), nil)
    }

    private static func adding(_ name: String, _ value: JSONValue, to json: JSONValue) -> JSONValue
    {
        .object(
            JSONObject(
                (json.objectValue?.members ?? []).filter { $0.name != name } + [.init(name, value)]
            ))
    }

    private static let entryLimit = 2_000

    /// The files below a path with size and time; of a single file its digest too.
    private static func listing(of path: String) -> JSONValue {
        var members: [JSONObject.Member] = []
        func add(_ place: String, _ name: String, depth: Int) {
            var status = stat()
            guard members.count < entryLimit, lstat(place, &status) == 0 else { return }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard depth < 8 else { return }
                for child in (FilePath.names(in: place) ?? []).sorted() where child != ".git" {
                    add(
                        "\(place)/\(child)", name.isEmpty ? child : "\(name)/\(child)",
                        depth: depth + 1)
                }
                return
            }
            let time =
                Int64(status.st_mtim.tv_sec) * 1_000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
            members.append(.init(name, .string("\(status.st_size) \(time)")))
        }
        // A link that the user named is followed, those below it are not.
        add(FilePath.real(path) ?? path, "", depth: 0)
        if members.count == 1, members[0].name.isEmpty,
            // An unreadable file counts by its size and time.
            let bytes = try? WholeFile.read(path, limit: fileLimit)
        {
            return ["digest": .string(SHA256.hex(SHA256.digest(bytes)))]
        }
        return .object(JSONObject(members))
    }

    private static func difference(
        _ path: String, _ before: JSONValue, _ now: JSONValue
    ) -> String {
        // A file that has become unreadable is only named.
        if now["digest"] != nil, let bytes = try? WholeFile.read(path, limit: fileLimit) {
            return String(decoding: bytes.prefix(textLimit + 1), as: UTF8.self)
        }
        let (old, new) = (before.objectValue ?? JSONObject(), now.objectValue ?? JSONObject())
        var lines: [String] = []
        for member in new.members where old[member.name] != member.value {
            lines.append((old[member.name] == nil ? "new: " : "changed: ") + member.name)
        }
        for name in old.names where new[name] == nil && name != "digest" {
            lines.append("removed: " + name)
        }
        return "Changes in \(path):\n" + lines.joined(separator: "\n")
    }

    // MARK: - The command

    private func run(_ line: String) async throws -> (output: String, shut: String?) {
        let process = Subprocess(
            program: "/bin/sh", arguments: ["-c", line],
            environment: Subprocess.baseEnvironment(from: dependencies.variables),
            limits: Subprocess.Limits(
                time: Self.commandLimit, outputBytes: Self.textLimit + 1, errorBytes: 4_096))
        let result = try await process.run()
        switch result.status {
        case .exited(0): return (String(decoding: result.output, as: UTF8.self), nil)
        case .exited(let code): return ("", "its command ended with \(code)")
        case .signalled(let signal): return ("", "its command was ended by signal \(signal)")
        }
    }
}
