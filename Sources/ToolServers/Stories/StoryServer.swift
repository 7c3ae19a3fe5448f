import AgentCore
import Base
import Library
import Persistence

/// The story tool server: `chat story …` and the model's tools.
///
/// It only delegates: to `DocumentReader` for reading documents, `StoryBook` for storage,
/// and StoryKit for finding who speaks.
package struct StoryServer: ToolServer {
    package static let noun = "story"
    package let name = "stories"
    package let description = "Imports stories and reads them with a voice for every character."

    package let book: StoryBook
    /// Library functions for `edit` and `delete`.
    let library: LibraryServer.Dependencies
    /// Nil if there is no speech.
    let sound: StorySound?

    package let voiceBook: StoryVoiceBook?
    /// Nil if no model is used.
    let model: StoryModel?
    /// The program's player; nil without sound.
    package let player: StoryPlayer?
    let listening: StoryListening?

    /// - Parameter player: needs `listening`, which shows it.
    package init(
        book: StoryBook, library: LibraryServer.Dependencies, sound: StorySound? = nil,
        voices: StoryVoiceBook? = nil, model: StoryModel? = nil, player: StoryPlayer? = nil,
        listening: StoryListening? = nil
    ) {
        self.book = book
        self.library = library
        self.sound = sound
        voiceBook = voices
        self.model = model
        self.player = player
        self.listening = listening
    }

    package var bookmarks: StoryBookmarks { StoryBookmarks(book: book) }

    package var commands: [Command] {
        var verbs = StoryCommand(book: book, library: library).verbs
        verbs.append(StoryIndexCommand(book: book, library: library, model: model).verb)
        verbs += StoryCastCommand(book: book, library: library).verbs
        verbs += StorySegmentCommand(book: book, library: library).verbs
        if let voiceBook {
            verbs.append(
                StoryVoicesCommand(voiceBook: voiceBook, library: library, model: model).verb)
        }
        if let player, let listening {
            verbs.append(
                StoryPlayCommand(book: book, player: player, listening: listening).verb)
            verbs.append(
                StoryBookmarkCommand(
                    bookmarks: StoryBookmarks(book: book), library: library, player: player,
                    listening: listening
                ).verb)
        }
        if let sound {
            verbs.append(StoryRenderCommand(book: book, library: library, sound: sound).verb)
        }
        verbs.append(StoryExport(book: book, library: library).verb)
        verbs.append(
            StoryAttributeCommand(
                read: { [book] in try await book.bytes(of: $0) }, width: library.width
            ).verb)
        for index in verbs.indices {
            let run = verbs[index].run
            verbs[index].run = { [player] arguments in
                var output = try await run(arguments)
                // Titles, names and texts are of others.
                if output.json?.arrayValue?.isEmpty != true { output.quotesOthers = true }
                // If the story cannot be read again, playback continues unchanged.
                try? await player?.follow()
                return output
            }
        }
        return [
            Command(
                name: Self.noun,
                summary: "import stories and listen to them, a voice for each speaker",
                verbs: verbs)
        ]
    }

    private var toolGroups: [any StoryToolGroup] {
        var groups: [any StoryToolGroup] = [StoryTools(book: book, voiceBook: voiceBook)]
        if let player, let listening, let sound {
            groups.append(
                StoryPlaybackTools(
                    book: book, player: player, listening: listening, host: sound.host))
        }
        return groups
    }

    package var topic: String {
        """
        story stories tale* book books novel* audiobook* chapter* s# narrator* fairy* bedtime character* \
        geschichte* buch bücher hörbuch* roman* kapitel* erzähler* märchen* krimi* thriller*
        """
    }

    package static let steering = [
        "story_control", "story_fix_speaker", "story_set_voice", "story_segments",
    ]

    /// Tools to control playback and to correct its speakers.
    package var toolsInUse: [String] {
        switch player?.state?.phase {
        case nil, .ended: []
        default: Self.steering
        }
    }

    package func listTools() -> [Tool] { toolGroups.flatMap(\.tools) }

    /// The speech engine may have changed since the tools were listed.
    package func effects(of name: String, arguments: JSONObject) async -> [CallEffect]? {
        listTools().first { $0.name == name }.map { [CallEffect($0, arguments)] }
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard let group = toolGroups.first(where: { $0.tools.contains { $0.name == name } }) else {
            throw ToolError.toolNotFound(name: name)
        }
        let output = try await group.answer(name, arguments, emit: emit)
        // If the story cannot be read again, playback continues unchanged.
        try? await player?.follow()
        return output
    }

    package var capability: Capability {
        var capability = Capability(self, completions: completions)
        capability.offer = { path in
            guard Self.isBook(path) else { return nil }
            return FileOffer(
                question: "\(FilePath.name(path)) is a book. Import it as a story?",
                declined: "Not imported.", command: [Self.noun, "import", path])
        }
        return capability
    }

    /// Checks the first bytes: an EPUB is identified after the header of its first file.
    private static func isBook(_ path: String) -> Bool {
        // An unreadable file is not a book to import.
        guard let file = try? OpenFile(path), let head = try? file.read(at: 0, count: 58) else {
            return false
        }
        return head.dropFirst(30).elementsEqual("mimetypeapplication/epub+zip".utf8)
    }

    /// Story IDs with titles, for Tab completion.
    private var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]] {
        let book = book
        return [
            .story: {
                // An unreadable library offers no completions.
                let stories = (try? await book.stories(limit: 200)) ?? []
                return stories.map {
                    CompletionWord(book.lookup.id($0.id), $0.title.oneLine)
                }
            }
        ]
    }
}
