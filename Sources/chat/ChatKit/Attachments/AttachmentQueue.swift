import AgentCore
import Base
import Outside

/// The files and transcripts that wait for the next message, as they were when
/// they were attached. Values; nothing is read or shown here.
package struct AttachmentQueue {
    /// What was said in a recording.
    package struct Transcript: Equatable {
        package var name: String
        var text: String

        /// Kept and not sent where the message itself says it.
        package func attachment(for message: String) -> Attachment {
            Attachment(
                name: name, mediaType: "text/plain", bytes: Array(text.utf8),
                isKeptOnly: DraftedTranscript.holds(message, text))
        }
    }

    package private(set) var transcripts: [Transcript] = []
    /// What was dictated into the line.
    private var dictated: [String] = []
    package private(set) var files: [InputFiles.Loaded] = []
    /// Paths of files that look secret and that the user wants to send.
    private var approved: Set<String> = []

    package init() {}

    /// A file that is queued already is read again.
    package mutating func add(_ file: InputFiles.Loaded) {
        files.removeAll { $0.path == file.path }
        files.append(file)
    }

    /// `clipboard.png`, `clipboard-2.png`: one that no file here has.
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
    /// - Returns: the name it is kept by. One of the same name is replaced.
    package mutating func keep(_ text: String, of recording: String) -> String {
        let name = FilePath.stem(recording) + ".txt"
        transcripts.removeAll { $0.name == name }
        transcripts.append(Transcript(name: name, text: text))
        return name
    }

    package mutating func heard(_ words: String) { dictated.append(words) }

    /// What was only said: it names no file, whatever it looks like.
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
