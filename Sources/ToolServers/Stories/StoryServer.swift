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
        [
            Command(
                name: Self.noun, summary: "import stories, and see who speaks in them",
                verbs: StoryCommand(book: book, library: library).verbs
                    + StoryCastCommand(book: book, library: library).verbs
                    + StorySegmentCommand(book: book, library: library).verbs
                    + (voiceBook.map {
                        [StoryVoicesCommand(voiceBook: $0, library: library).verb]
                    } ?? []) + [
                        StoryExport(book: book, library: library).verb,
                        StoryAttributeCommand(
                            read: { [book] in try await book.bytes(of: $0) }, width: library.width
                        ).verb,
                    ]
                    + (sound.map {
                        [StoryRenderCommand(book: book, library: library, sound: $0).verb]
                    } ?? []))
        ]
    }

    package func listTools() -> [Tool] { [] }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        throw ToolError.toolNotFound(name: name)
    }

    package func canHandle(message: String) -> IntentMatch { .none }

    /// Stories by their ids, with their titles, for Tab.
    package var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]] {
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
