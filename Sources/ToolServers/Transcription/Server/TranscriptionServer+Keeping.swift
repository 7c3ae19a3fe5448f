import Base
import FoundationEssentials
import Persistence
import Sound

/// Saves transcripts as library items automatically (`transcription.keep`). The
/// same words of the same file are saved once, and later edits by the user are
/// left alone.
///
/// The program's own recordings are not saved as transcripts: those are words
/// dictated into a message, and the user's own.
extension TranscriptionServer {
    /// Number of latest transcripts in which a duplicate is searched.
    private static let known = 200

    func keep(_ done: inout Transcribed, language: String?) async {
        guard dependencies.settings.keepsItems, let library = dependencies.library,
            !done.draft.allSatisfy(\.isWhitespace), !isDictated(done.path)
        else { return }
        let draft = Self.draft(done, language: language)
        do {
            let latest = try await library.items(
                ItemFilter(kinds: [.transcript], order: .newest, limit: Self.known),
                bodyLimit: 0)
            let same = latest.first { item in
                ["path", "words"].allSatisfy { item.metadata[$0] == draft.metadata[$0] }
            }
            if let same {
                done.item = same.id
                return
            }
            // Other people may be speaking in it.
            let origin = RevisionOrigin(by: .tool, name: "transcribe", hasUntrustedText: true)
            done.item = try await library.add([draft], by: origin, verb: "kept").first?.id
        } catch {
            done.isDegraded = true
            done.notices.append("Not kept in the library: \(Diagnostic(of: error).what)")
        }
    }

    /// Whether it is in the folder of the program's own recordings.
    private func isDictated(_ path: String) -> Bool {
        dependencies.recordings.map { path.hasPrefix($0 + "/") } ?? false
    }

    static func draft(_ done: Transcribed, language: String?) -> ItemDraft {
        var metadata = JSONObject([
            .init("file", .string(done.name)), .init("path", .string(done.path)),
        ])
        if let duration = done.duration {
            // Tenths of a second are precise enough.
            metadata["duration"] = .number("\((duration * 10).rounded() / 10)")
        }
        if let language { metadata["language"] = .string(language) }
        metadata["model"] = .string(done.facts.model)
        let words = done.draft
        metadata["words"] = .string(
            SHA256.digest(Array(words.utf8)).map { $0.padded(to: 2, radix: 16) }.joined())
        return ItemDraft(
            kind: .transcript, title: FilePath.stem(done.name), body: words, metadata: metadata)
    }
}
