import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Library

/// The library over a real file in a temporary folder, with the answers that the
/// tests give for the user and the editor.
final class LibraryRig: Sendable {
    let folder: TemporaryFolder
    let clock = ManualClock()
    let store: LibraryStore
    /// What the next questions are answered with; no when there is none left.
    let answers = Mutex<[Bool]>([])
    /// What was asked.
    let asked = Mutex<[String]>([])
    /// What the editor gives back for a text.
    let editor = Mutex<(@Sendable (String) async -> EditedText)?>(nil)
    let input = Mutex<[UInt8]>([])

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path("chat.db"), environment: clock.environment)
    }

    /// As another instance of the program sees the same file.
    var other: LibraryStore {
        LibraryStore(path: folder.path("chat.db"), environment: clock.environment)
    }

    func server(width: Int? = nil, isTerminal: Bool = false) -> LibraryServer {
        var dependencies = LibraryServer.Dependencies(
            store: store, environment: clock.environment, width: { width },
            formatted: { body in isTerminal ? ItemTable.lines(of: body) : nil },
            readInput: { _ in self.input.withLock { $0 } })
        dependencies.workingFolder = { [path = folder.path] in path }
        return LibraryServer(dependencies)
    }

    var interaction: Interaction {
        var interaction = Interaction()
        interaction.confirm = { warning, question in
            self.asked.withLock {
                $0.append([warning, question].compactMap(\.self).joined(separator: " "))
            }
            return self.answers.withLock { $0.isEmpty ? false : $0.removeFirst() }
        }
        interaction.edit = { text, _ in
            await self.editor.withLock { $0 }?(text) ?? .unchanged
        }
        return interaction
    }

    func run(_ words: String...) async throws -> CommandOutput {
        try await server().commands[0].run(words, interaction)
    }

    func lines(_ words: String...) async throws -> [String] {
        try await server().commands[0].run(words, interaction).lines.map(\.text)
    }

    @discardableResult
    func add(
        _ kind: ItemKind = .idea, _ title: String, _ body: String = "", tags: [String] = [],
        by origin: RevisionOrigin = .user
    ) async throws -> LibraryItem {
        let draft = ItemDraft(
            kind: kind, title: title, body: body.isEmpty ? title : body, tags: tags)
        return try await store.add([draft], by: origin)[0]
    }

    func body(_ id: Int64) async throws -> String? {
        try await store.item(ItemID(rawValue: id))?.body
    }
}

/// What a command says that it cannot do.
func failure(
    _ body: () async throws -> some Any, file: StaticString = #filePath, line: UInt = #line
) async -> Diagnostic? {
    do {
        _ = try await body()
        XCTFail("it was done", file: file, line: line)
        return nil
    } catch {
        return (error as? any DescribedError)?.diagnostic
    }
}
