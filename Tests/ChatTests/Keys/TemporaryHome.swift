import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit

/// A folder of its own for each test, with a fake `secret-tool` when wanted.
struct TemporaryHome {
    let path: String

    init(_ test: XCTestCase) throws {
        // Not world-writable, as the rules for key files ask.
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "chat-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder.path
        test.addTeardownBlock { try FileManager.default.removeItem(at: folder) }
    }

    var keyFile: KeyFile { KeyFile(path: path + "/keys.json", uuid: { UUID().uuidString }) }

    func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, mode)
    }

    func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// Puts `secret-tool` on a PATH of its own. The default script keeps items
    /// in files, and answers as libsecret's tool does.
    func variables(secretTool script: String? = nil) throws -> [String: String] {
        try FileManager.default.createDirectory(
            atPath: path + "/bin", withIntermediateDirectories: true)
        if let script { try write("bin/secret-tool", "#!/bin/sh\n" + script, mode: 0o755) }
        return [
            "PATH": path + "/bin:" + TestMachine.path, "HOME": path,
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(path)/bus",
        ]
    }

    /// `store --label=… application chat key NAME origin ORIGIN`.
    static let tool = """
        D="$HOME/service"; mkdir -p "$D"; echo "$*" >> "$HOME/calls"
        env > "$HOME/tool-environment"
        case "$1" in
        store) F="$D/$6-$(echo "$8" | tr -c 'a-z0-9\\n' _)"
            cat > "$F.secret"; echo "$6" > "$F.key"; echo "$8" > "$F.origin";;
        search) for S in "$D"/*.secret; do
            [ -e "$S" ] || exit 0; B=${S%.secret}
            echo "[/org/freedesktop/secrets/collection/login/1]"; echo "label = chat"
            echo "secret = $(cat "$S")"; echo "created = 2026-11-20 10:00:00"
            echo "attribute.origin = $(cat "$B.origin")" >&2
            echo "attribute.application = chat" >&2
            echo "attribute.key = $(cat "$B.key")" >&2
            done;;
        clear) rm -f "$D/$5"-*;;
        esac
        """
}

/// Shaped like no real key, and found nowhere but where a test puts it.
let canary = "sk-canary-0123456789-ABCDEF-wxyz"
let openAI = KeyOrigin("https://api.openai.com")!  // a constant that parses
