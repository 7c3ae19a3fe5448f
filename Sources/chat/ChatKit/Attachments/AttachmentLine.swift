import AgentCore
import Base
import TerminalKit

/// The line for an attached file: `diagram.png  1,024 × 768, 212 KB`. Pure.
package enum AttachmentLine {
    package static func text(_ file: Attachment) -> String {
        content(file) + (file.isKeptOnly ? ", kept: the message has its words" : "")
    }

    private static func content(_ file: Attachment) -> String {
        let size = Quantities.bytes(file.bytes.count)
        switch AttachmentContent.kind(of: file) {
        case .image:
            let area = ImageHeader(file.bytes)?.size.map { "\(pixels($0)), " } ?? ""
            return "\(file.name)  \(area)\(size)"
        case .pdf:
            let pages = PDFFacts(file.bytes).pages.map { ", \(Quantities.count($0, "page"))" } ?? ""
            return "\(file.name)  \(size)\(pages)"
        case .text:
            let breaks = file.bytes.count { $0 == UInt8(ascii: "\n") }
            let isOpen = file.bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
            let lines = Quantities.count(breaks + (isOpen ? 1 : 0), "line")
            return "\(file.name)  \(size), \(lines)"
        case .other: return "\(file.name)  \(size), \(file.mediaType)"
        }
    }

    static func pixels(_ size: ImageHeader.Size) -> String {
        "\(Quantities.grouped(size.width)) × \(Quantities.grouped(size.height))"
    }

    /// Warnings about words with an `@` that name no file, shown above the message, which
    /// is sent all the same.
    package static func misses(_ misses: [FileMentions.Miss]) -> [String] {
        func line(_ kind: FileMentions.Miss.Kind, _ one: String, _ many: String) -> String? {
            let words = misses.filter { $0.kind == kind }.map(\.mention.shown)
            guard !words.isEmpty else { return nil }
            var shown = words.prefix(3).map { "@" + HostileText.line($0) }.joined(separator: ", ")
            if words.count > 3 { shown += " and \(words.count - 3) more" }
            return shown
                + (words.count == 1 ? " \(one); it goes as text." : " \(many); they go as text.")
        }
        return [
            line(.folder, "is a folder", "are folders"),
            line(
                .pattern, "names no file that a model can read",
                "name no files that a model can read"),
            line(.item, "is not in the library", "are not in the library"),
            line(.likeness, "is not a file here", "are not files here"),
        ].compactMap(\.self)
    }

    /// The lines below a message, in the list of sent data and in the history.
    static func lines(_ message: Message) -> [String] {
        short(
            message.parts.compactMap { part in
                guard case .attachment(let file) = part else { return nil }
                return text(file)
            }
        ).map { "+ \($0)" }
    }

    /// Shortens a long list: not all files of a folder are named.
    package static func short(_ lines: [String]) -> [String] {
        guard lines.count > shownLines + 2 else { return lines }
        return lines.prefix(shownLines) + ["\(lines.count - shownLines) more files"]
    }

    private static let shownLines = 12
}
