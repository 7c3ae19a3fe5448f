import Base
import Glibc
import TerminalKit

/// The unsent text at the prompt when the program ended, kept for the next launch. One file, mode
/// 0600, without keys and without values entered for the profile; failure to store it is not
/// reported.
package struct DraftFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package func save(_ text: String) {
        guard text.contains(where: { !$0.isWhitespace }), !PrivateInput.isCommand(text)
        else { return }
        let text = KeyShape.redacted(text)
        let fresh = path + ".new"
        unlink(fresh)
        guard PrivateFolder.make(FilePath.folder(of: path)) == 0 else { return }
        _ = WholeFile.replace(text.utf8, at: path, temporary: fresh)
    }

    /// The stored text, given to this launch only; nil without one.
    package func take() -> String? {
        // Renamed first, so that only one of two launches gets it.
        let own = path + ".\(getpid())"
        guard rename(path, own) == 0 else { return nil }
        defer { unlink(own) }
        // A refused file gives no draft.
        guard let file = try? PrivateFile.open(own, O_RDONLY) else { return nil }
        defer { close(file) }  // Nor does an unreadable one.
        guard let bytes = try? WholeFile.read(file) else { return nil }
        let text = KeyDecoder.cleanPaste(bytes[...])
        return text.isEmpty ? nil : text
    }
}
