import AgentCore
import ICalendar
import Persistence

/// Stories as a capability: `chat story …`.
///
/// It has no rules of its own: reading documents is `DocumentReader`'s business, what is
/// kept `StoryBook`'s, who speaks StoryKit's.
package struct StoryServer: ToolServer {
    package static let noun = "story"
    package let name = "stories"
    package let description = "Imports stories and reads them with a voice for every character."

    let book: StoryBook
    /// What the library does with items, for `edit` and `delete`.
    let library: LibraryServer.Dependencies
    /// Nil where nothing speaks.
    let sound: StorySound?

    let voiceBook: StoryVoiceBook?

    package init(
        book: StoryBook, library: LibraryServer.Dependencies, sound: StorySound? = nil,
        voices: StoryVoiceBook? = nil
    ) {
        self.book = book
        self.library = library
        self.sound = sound
        voiceBook = voices
    }

    package var commands: [Command] {
        var verbs = StoryCommand(book: book, library: library).verbs
        verbs += StoryCastCommand(book: book, library: library).verbs
        verbs += StorySegmentCommand(book: book, library: library).verbs
        if let voiceBook {
            verbs.append(StoryVoicesCommand(voiceBook: voiceBook, library: library).verb)
        }
        if let sound {
            verbs.append(StoryRenderCommand(book: book, library: library, sound: sound).verb)
        }
        verbs.append(StoryExport(book: book, library: library).verb)
        verbs.append(
            StoryAttributeCommand(
                read: { [book] in try await book.bytes(of: $0) }, width: library.width
            ).verb)
        return [
            Command(
                name: Self.noun, summary: "import stories, and see who speaks in them",
                verbs: verbs)
        ]
    }

    package func listTools() -> [Tool] { [] }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        throw ToolError.toolNotFound(name: name)
    }

    package func canHandle(message: String) -> IntentMatch { .none }

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

    /// By its first bytes: an EPUB says what it is behind the header of its first file.
    private static func isBook(_ path: String) -> Bool {
        // What cannot be read is no book that could be imported.
        guard let file = try? OpenFile(path), let head = try? file.read(at: 0, count: 58) else {
            return false
        }
        return head.dropFirst(30).elementsEqual("mimetypeapplication/epub+zip".utf8)
    }

    /// Stories by their ids, with their titles, for Tab.
    private var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]] {
        let book = book
        return [
            .story: {
                // A library that cannot be read offers nothing.
                let stories = (try? await book.stories(limit: 200)) ?? []
                return stories.map {
                    CompletionWord(book.lookup.id($0.id), TextValue.oneLine($0.title))
                }
            }
        ]
    }
}
