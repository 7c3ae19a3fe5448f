import AgentCore
import Base
import Outside

/// The files and transcripts queued for the next message, as they were when they were
/// attached. Values; nothing is read or shown here.
package struct AttachmentQueue {
    /// The transcript of a recording.
    package struct Transcript: Equatable {
        package var name: String
        var text: String

        /// The transcript as an attachment; kept but not sent if the message already
        /// contains it.
        package func attachment(for message: String) -> Attachment {
            Attachment(
                name: name, mediaType: "text/plain", bytes: Array(text.utf8),
                isKeptOnly: DraftedTranscript.holds(message, text))
        }
    }

    package private(set) var transcripts: [Transcript] = []
    /// Texts dictated into the line.
    private var dictated: [String] = []
    package private(set) var files: [InputFiles.Loaded] = []
    /// Paths of files that look secret and that the user agreed to send.
    private var approved: Set<String> = []

    package init() {}

    /// Adds a file; one already queued is replaced.
    package mutating func add(_ file: InputFiles.Loaded) {
        files.removeAll { $0.path == file.path }
        files.append(file)
    }

    /// `clipboard.png`, `clipboard-2.png`: a name not used in the queue.
    package func freeName(_ stem: String, _ ending: String) -> String {
        var name = "\(stem).\(ending)"
        var number = 2
        while files.contains(where: { $0.path == name }) {
            name = "\(stem)-\(number).\(ending)"
            number += 1
        }
        return name
    }

    /// - Parameter recording: a file's name; `talk.txt` for `talk.m4a`.
    /// - Returns: the transcript's name. One of the same name is replaced.
    package mutating func keep(_ text: String, of recording: String) -> String {
        let name = FilePath.stem(recording) + ".txt"
        transcripts.removeAll { $0.name == name }
        transcripts.append(Transcript(name: name, text: text))
        return name
    }

    package mutating func heard(_ words: String) { dictated.append(words) }

    /// Dictated texts: never treated as file names.
    package var said: [String] { transcripts.map(\.text) + dictated }

    package var count: Int { files.count + transcripts.count }

    package mutating func clear() { self = AttachmentQueue() }

    /// - Returns: their names.
    package mutating func dropTranscripts() -> [String] {
        defer { transcripts = [] }
        return transcripts.map(\.name)
    }

    package mutating func approve(_ file: InputFiles.Loaded) { approved.insert(file.path) }

    package func needsQuestion(_ file: InputFiles.Loaded) -> Bool {
        !approved.contains(file.path)
            && SecretFile.looksSecret(path: file.path, bytes: file.bytes)
    }
}
