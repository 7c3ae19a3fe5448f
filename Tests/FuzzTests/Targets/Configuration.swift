@testable import Base

extension FuzzTarget {
    /// JSON5, and the editor that keeps what it does not change.
    static let configuration = FuzzTarget("configuration") { bytes in
        guard let value = try? JSON5.parse(bytes), value.objectValue != nil else { return }
        var editor = JSON5Editor(bytes)
        guard (try? editor.set(["audio", "speed"], to: 2)) != nil else { return }
        let changed = try? JSON5.parse(editor.bytes)
        try demand(changed?["audio"]?["speed"]?.integerValue == 2, "not set")
        _ = editor.remove(["audio", "speed"])
        let left = try? JSON5.parse(editor.bytes)
        try demand(left != nil && left?["audio"]?["speed"] == nil, "not removed")
        for name in ["a", "b"] { _ = JSON5.offset(of: [name], in: bytes) }
    }
}
