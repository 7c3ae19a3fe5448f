import AgentCore
import Base

/// Searches files by name, lines by text, or both, within bounds. It examines the files passed to
/// it, and opens none.
struct FileSearch: Sendable {
    var name: GlobPattern?
    var text: TextPattern?
    var showsHidden = false
    var limit = Self.usualLimit

    static let (usualLimit, mostResults) = (100, 500)
    static let seconds = 10.0
    /// Maximum bytes: a larger file is not text written by hand.
    static let fileLimitInBytes = 5 << 20
    /// Maximum characters of a shown line; maximum bytes of all lines.
    private static let (lineLimit, outputLimit) = (300, 50_000)
    private static let linesOfOneFile = 50

    struct Run {
        let search: FileSearch
        private var lines: [String] = []
        private var bytes = 0
        private var files = 0
        private var looked = 0
        private var walked = FolderWalk.Result()
        /// Whether there was more than is shown.
        private(set) var isFull = false

        init(_ search: FileSearch) { self.search = search }

        /// - Parameters:
        ///   - path: relative to the open folder; matched with the name.
        ///   - shown: the path for the model.
        mutating func look(
            at path: String, shown: String, size: Int,
            read: (Int) throws(FileRefusal) -> [UInt8]
        ) {
            if let name = search.name, !name.matches(path) { return }
            guard let text = search.text else {
                files += 1
                add("\(shown)  \(Quantities.bytes(size))")
                return
            }
            guard size <= FileSearch.fileLimitInBytes else {
                walked.skipped.large += 1
                return
            }
            let content: [UInt8]
            do throws(FileRefusal) {
                content = try read(size)
            } catch {
                walked.skipped.unreadable += 1
                return
            }
            if SecretFile.holdsKey(content) {
                walked.skipped.keys += 1
                return
            }
            guard !content.prefix(8_192).contains(0) else {
                walked.skipped.binary += 1
                return
            }
            looked += 1
            var count = 0
            text.lines(in: content) { number, range in
                count += 1
                if count > FileSearch.linesOfOneFile {
                    add("\(shown): more lines, not shown")
                    return false
                }
                let line = String(decoding: content[range].prefix(4_000), as: UTF8.self)
                add("\(shown):\(number): \(UntrustedText.line(line, limit: FileSearch.lineLimit))")
                return !isFull
            }
            if count > 0 { files += 1 }
        }

        private mutating func add(_ line: String) {
            guard lines.count < search.limit, bytes + line.utf8.count < FileSearch.outputLimit
            else {
                isFull = true
                return
            }
            lines.append(line)
            bytes += line.utf8.count + 1
        }

        mutating func add(_ result: FolderWalk.Result) {
            walked.isCut = walked.isCut || result.isCut
            walked.skipped.add(result.skipped)
        }

        var output: ToolOutput {
            let noun = search.text == nil ? "file" : "line"
            var head =
                lines.isEmpty
                ? "Nothing was found" : "\(Quantities.count(lines.count, noun)) found"
            if search.text != nil, !lines.isEmpty {
                head += " in \(Quantities.count(files, "file"))"
            }
            var notes: [String] = []
            if isFull { notes.append("There is more: look for something narrower.") }
            if walked.isCut {
                notes.append("Not everything was looked at: give a path to look in less.")
            }
            if let text = walked.skipped.text { notes.append("Left out: \(text).") }
            return ToolOutput(
                text: ([head + "."] + lines + notes).joined(separator: "\n"),
                summary: ([head] + (walked.skipped.text.map { ["left out: \($0)"] } ?? []))
                    .joined(separator: " · "),
                isUntrusted: !lines.isEmpty)
        }
    }
}

extension FolderWalk.Skipped {
    package mutating func add(_ other: Self) {
        hidden += other.hidden
        ignored += other.ignored
        versionControl += other.versionControl
        keys += other.keys
        links += other.links
        special += other.special
        binary += other.binary
        large += other.large
        empty += other.empty
        unreadable += other.unreadable
    }
}
