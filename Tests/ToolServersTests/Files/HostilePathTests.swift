import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Outside

/// What a hostile model asks for: nothing outside of the open folder and no file of keys
/// is opened, by any way that leads there. The kernel itself tells what was (inotify(7)).
final class HostilePathTests: XCTestCase {
    private static let canary = "CANARY-4711"

    /// A tree with a folder that is open, and what must not be read.
    private struct Tree {
        let top: TemporaryFolder
        let folders: OpenFolders
        let server: FilesServer
        var open: String { top.path("open") }
        /// Files that no call may open.
        let forbidden: [String]

        init() throws {
            top = try TemporaryFolder()
            let manager = FileManager.default
            for name in [
                "open/sub/deep", "open/.ssh", "open/.SSH2", "open/.git", "open/keyrings",
                "outside/inner", "own/state",
            ] {
                try manager.createDirectory(
                    atPath: top.path(name), withIntermediateDirectories: true)
            }
            var forbidden: [String] = []
            let secret = Array("\(HostilePathTests.canary)\n".utf8)
            for name in [
                "outside/secret.txt", "outside/inner/b.txt", "own/chat.db", "own/state/token",
                "open/.env", "open/.ENV.local", "open/id_rsa", "open/id_rsa.bak", "open/id_work",
                "open/tls.PEM", "open/sub/server.key~", "open/.ssh/config", "open/.netrc",
                "open/vault.kdbx", "open/.git/config", "open/keyrings/login.keyring",
                "open/sub/deep/.\u{FF45}nv", "open/.en\u{200B}v", "open/prod.env",
            ] {
                forbidden.append(try top.write(secret, to: name))
            }
            try top.write(Array("fine\n".utf8), to: "open/a.txt")
            try top.write(Array("fine too\n".utf8), to: "open/sub/b.txt")
            for (link, target) in [
                ("open/out", "../outside/secret.txt"), ("open/outdir", "../outside"),
                ("open/abs", top.path("outside/secret.txt")), ("open/root", "/"),
                ("open/chain1", "chain2"), ("open/chain2", "sub/chain3"),
                ("open/sub/chain3", "../../outside/secret.txt"), ("open/self", "self"),
                ("open/tokey", "id_rsa"), ("open/todir", ".ssh"),
                ("open/updown", "sub/../../outside/secret.txt"),
                ("open/inside", "sub/b.txt"), ("open/zero", "/dev/zero"),
                ("open/environ", "/proc/self/environ"), ("open/own", "../own/chat.db"),
                ("open/absin", top.path("open") + "/a.txt"),
                ("open/absinout", top.path("open") + "/../outside/secret.txt"),
            ] {
                try manager.createSymbolicLink(
                    atPath: top.path(link), withDestinationPath: target)
            }
            XCTAssertEqual(mkfifo(top.path("open/fifo"), 0o600), 0)
            XCTAssertEqual(link(top.path("own/chat.db"), top.path("open/hard.txt")), 0)
            forbidden.append(top.path("open/hard.txt"))
            self.forbidden = forbidden
            folders = OpenFolders(home: top.path("home"), ownFolders: [top.path("own")])
            try folders.open(top.path("open"))
            server = FilesServer(folders, environment: .system(variables: [:]))
        }

        func call(_ name: String, _ arguments: JSONValue) async -> String {
            do {
                return try await server.callTool(
                    name, arguments: arguments.objectValue ?? JSONObject()
                ).text
            } catch let error as ToolError {
                return error.modelText
            } catch {
                return "\(error)"
            }
        }
    }

    /// Each with the word that tells why.
    private func hostile(_ tree: Tree) -> [(path: String, why: String)] {
        let long = String(repeating: "a", count: 300)
        return [
            ("..", "goes up"), ("../outside/secret.txt", "goes up"),
            ("sub/../../outside/secret.txt", "goes up"), ("open/../outside", "goes up"),
            (tree.top.path("outside/secret.txt"), "is outside"), ("/etc/passwd", "is outside"),
            ("/", "is outside"), ("~/.ssh/id_rsa", "is outside"), ("/dev/zero", "is outside"),
            ("/proc/self/environ", "is outside"),
            (tree.open + "/../outside/secret.txt", "goes up"),
            (tree.open + "x/a.txt", "is outside"),
            ("out", "symbolic link"), ("outdir/secret.txt", "symbolic link"),
            ("outdir", "symbolic link"), ("abs", "symbolic link"),
            ("root/etc/passwd", "symbolic link"),
            ("chain1", "symbolic link"), ("self", "too many"), ("updown", "symbolic link"),
            ("absinout", "symbolic link"), ("own", "symbolic link"), ("zero", "symbolic link"),
            ("environ", "symbolic link"), ("tokey", "keys"), ("todir/config", "keys"),
            ("fifo", "pipe"), ("hard.txt", "belongs to chat"),
            (".env", "keys"), ("open/.env", "keys"), (".ENV.local", "keys"), ("id_rsa", "keys"),
            ("id_rsa.bak", "keys"), ("id_work", "keys"), ("tls.PEM", "keys"),
            ("sub/server.key~", "keys"), (".ssh", "keys"), (".ssh/config", "keys"),
            (".netrc", "keys"), ("vault.kdbx", "keys"), (".git/config", "keys"),
            ("keyrings/login.keyring", "keys"), ("prod.env", "keys"),
            ("sub/deep/.\u{FF45}nv", "keys"), (".en\u{200B}v", "keys"),
            (".\u{435}nv", "There is no"), ("\u{2024}\u{2024}/outside/secret.txt", "There is no"),
            ("..\u{2215}outside", "There is no"), ("\u{FF0F}etc\u{FF0F}passwd", "There is no"),
            ("a.txt\u{0}.png", "is not a path"), ("a\nb", "is not a path"),
            (long, "longer"), (String(repeating: "a/", count: 3_000), "longer"),
            ("a.txt/x", "is a file"), ("file:///etc/passwd", "There is no"),
            ("$HOME/.ssh/id_rsa", "There is no"), ("sub", "is a folder"),
        ]
    }

    func testNoHostilePathIsReadAndEachRefusalSaysWhy() async throws {
        let tree = try Tree()
        let watch = try ReadWatch(tree.forbidden + ["/dev/zero", "/etc/passwd"])
        let paths = hostile(tree)
        XCTAssertGreaterThanOrEqual(paths.count, 50)
        for (path, why) in paths {
            let text = await tree.call("read_file", ["path": .string(path)])
            XCTAssertTrue(text.contains(why), "\(path): \(text)")
            for name in ["list_folder", "search_files"] {
                let arguments: JSONValue =
                    name == "list_folder"
                    ? ["path": .string(path)]
                    : ["path": .string(path), "text": .string("CANARY"), "hidden": .bool(true)]
                let text = await tree.call(name, arguments)
                XCTAssertFalse(text.contains(Self.canary), "\(name) \(path): \(text)")
            }
            XCTAssertFalse(text.contains(Self.canary), "\(path): \(text)")
        }
        XCTAssertEqual(watch.opened, [], "opened")
    }

    func testAWholeSearchReadsWhatMayBeReadAndCountsTheRest() async throws {
        let tree = try Tree()
        let watch = try ReadWatch(tree.forbidden)
        for hidden in [true, false] {
            let text = await tree.call(
                "search_files", ["text": "CANARY", "hidden": .bool(hidden)])
            XCTAssertFalse(text.contains(Self.canary), text)
            XCTAssertTrue(text.contains("that may hold keys"), text)
        }
        let all = await tree.call("search_files", ["text": "fine", "hidden": true])
        XCTAssertTrue(all.contains("open/a.txt:1: fine\nopen/sub/b.txt:1: fine too\n"), all)
        XCTAssertTrue(all.contains("1 of version control"), all)
        let list = await tree.call("list_folder", ["depth": 4])
        XCTAssertTrue(list.contains("\n.env  (may hold keys: not read)\n"), list)
        XCTAssertTrue(list.contains("\n.ssh/  (keys: not read)\n"), list)
        XCTAssertTrue(list.contains("\nfifo  (no file: not read)\n"), list)
        XCTAssertTrue(list.contains("\nhard.txt  (chat's own: not read)\n"), list)
        XCTAssertTrue(list.contains("\nsub/b.txt  9 bytes"), list)
        XCTAssertEqual(watch.opened, [], "opened")
    }

    func testLinksThatStayInsideAreFollowed() async throws {
        let tree = try Tree()
        for (path, text) in [
            ("inside", "fine too"), ("absin", "fine"), ("open/inside", "fine too"),
        ] {
            let read = await tree.call("read_file", ["path": .string(path)])
            XCTAssertTrue(read.contains("1\t\(text)"), read)
        }
    }

    /// A private key under another name is refused by its first words, which have to be
    /// read for that; nothing of it comes back.
    func testAKeyUnderAnotherNameIsNotGivenBack() async throws {
        let tree = try Tree()
        try tree.top.write(
            Array("-----BEGIN OPENSSH PRIVATE KEY-----\n\(Self.canary)\n".utf8),
            to: "open/notes.txt")
        let read = await tree.call("read_file", ["path": "notes.txt"])
        XCTAssertTrue(read.contains("keys"), read)
        let found = await tree.call("search_files", ["text": "canary"])
        XCTAssertFalse(read.contains(Self.canary) || found.contains(Self.canary))
    }

    /// A file is swapped with a link out of the folder, again and again, while it is read.
    func testALinkThatTakesTheFilesPlaceMeanwhileIsNotFollowed() async throws {
        let tree = try Tree()
        let (file, link) = (tree.open + "/swap.txt", tree.open + "/swap.link")
        try Data("fine\n".utf8).write(to: URL(fileURLWithPath: file))
        XCTAssertEqual(symlink("../outside/secret.txt", link), 0)
        let folder = tree.open + "/swapdir"
        XCTAssertEqual(mkdir(folder, 0o700), 0)
        try Data("fine\n".utf8).write(to: URL(fileURLWithPath: folder + "/secret.txt"))
        XCTAssertEqual(symlink("../outside", tree.open + "/swapdir.link"), 0)
        let watch = try ReadWatch([tree.top.path("outside/secret.txt")])
        let swapping = Task.detached {
            var swaps = 0
            while !Task.isCancelled {
                for name in ["swap.txt", "swapdir"] {
                    let path = tree.open + "/" + name
                    let other = tree.open + (name == "swapdir" ? "/swapdir.link" : "/swap.link")
                    let kept = path + ".kept"
                    if rename(path, kept) == 0, rename(other, path) == 0 {
                        swaps += 1
                        _ = rename(path, other)
                    }
                    _ = rename(kept, path)
                }
                await Task.yield()
            }
            return swaps
        }
        var texts: Set<String> = []
        for _ in 0..<400 {
            texts.insert(await tree.call("read_file", ["path": "swap.txt"]))
            texts.insert(await tree.call("read_file", ["path": "swapdir/secret.txt"]))
        }
        swapping.cancel()
        let swaps = await swapping.value
        XCTAssertGreaterThan(swaps, 0)
        XCTAssertFalse(texts.contains { $0.contains(Self.canary) })
        XCTAssertEqual(watch.opened, [], "opened")
    }
}

/// Which of some files were opened or read, by the kernel's own word.
private final class ReadWatch {
    private let descriptor: Int32
    private var paths: [Int32: String] = [:]

    init(_ files: [String]) throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        XCTAssertGreaterThanOrEqual(descriptor, 0)
        for file in files {
            let watch = inotify_add_watch(descriptor, file, UInt32(IN_OPEN | IN_ACCESS))
            // A file system without it would have the test say nothing.
            XCTAssertGreaterThanOrEqual(watch, 0, file)
            paths[watch] = file
        }
        // It sees what it is to see.
        let own = try TemporaryFolder()
        let path = try own.write([1], to: "a")
        let watch = inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_ACCESS))
        _ = try own.read("a")
        XCTAssertFalse(events().isEmpty)
        inotify_rm_watch(descriptor, watch)
        _ = events()
    }

    deinit { close(descriptor) }

    var opened: [String] { Set(events().compactMap { paths[$0] }).sorted() }

    private func events() -> [Int32] {
        var watches: [Int32] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return watches }
            var place = 0
            // `struct inotify_event`: watch, mask, cookie, length of the name.
            while place + 16 <= count {
                let words = buffer[place..<(place + 16)].withUnsafeBytes { bytes in
                    (
                        bytes.loadUnaligned(as: Int32.self),
                        bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
                    )
                }
                watches.append(words.0)
                place += 16 + Int(words.1)
            }
        }
    }
}
