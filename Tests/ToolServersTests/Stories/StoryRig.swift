import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport

@testable import Library
@testable import Stories

/// `chat story` over a real library in a temporary folder.
final class StoryRig: Sendable {
    let library: LibraryRig
    let width: Int?
    let sound: StorySound?
    let voice: StoryVoiceBook.Dependencies?
    /// Set by a test that has one.
    let model = Mutex<StoryModel?>(nil)

    init(
        width: Int? = nil, sound: StorySound? = nil, voice: StoryVoiceBook.Dependencies? = nil
    ) throws {
        library = try LibraryRig()
        self.width = width
        self.sound = sound
        self.voice = voice
    }

    var store: LibraryStore { library.store }

    var server: StoryServer {
        let dependencies = library.server(width: width).dependencies
        let book = StoryBook(
            StoryBook.Dependencies(
                library: store, variables: ["PATH": "/nonexistent"], home: library.folder.path,
                input: { [library] _ in library.input.withLock { $0 } }))
        return StoryServer(
            book: book, library: dependencies, sound: sound,
            voices: voice.map { StoryVoiceBook(book: book, $0) },
            model: model.withLock { $0 })
    }

    func run(_ words: String...) async throws -> CommandOutput {
        try await server.commands[0].run(words, library.interaction)
    }

    func lines(_ words: String...) async throws -> [String] {
        try await server.commands[0].run(words, library.interaction).lines.map(\.text)
    }

    /// Writes a file in the folder and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        try library.folder.write(Array(text.utf8), to: name)
    }

    func item(_ id: Int64) async throws -> LibraryItem? {
        try await store.item(ItemID(rawValue: id))
    }
}
