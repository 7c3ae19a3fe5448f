import AgentCore
import Base
import Glibc
import Library
import Persistence
import Planner
import Synchronization
import TerminalKit
import Texts
import ToolServers

/// The writing tools' engine, shared by the command, the model and the line editor.
package struct WritingAssembly: Sendable {
    package let engine: WritingEngine
    let server: WritingServer
    package let answer: LastAnswer
    private let check: @Sendable () async -> [Finding]

    package var capability: Capability {
        var capability = Capability(server)
        capability.check = check
        return capability
    }

    package init(
        library: LibraryServer.Dependencies, files: RewrittenFiles,
        generator: any TextGenerator, prompts: PromptBook, paths: Paths,
        variables: [String: String], reminders: RemindersServer, calendar: CalendarServer,
        review: @escaping @Sendable (LibraryItem) async throws -> StyledLine?
    ) {
        let answer = LastAnswer()
        let speller = Speller(variables: variables)
        let proofreader = Proofreader(speller: speller, ownWords: { OwnWords.read(paths.words) })
        engine = WritingEngine(
            generator: generator,
            proofread: { try await proofreader.proofread($0, language: $1) },
            tools: { await prompts.writingTools() })
        check = { [speller.finding()] }
        var dependencies = WritingServer.Dependencies(
            library: library.store, files: files, reminders: reminders, calendar: calendar,
            home: paths.home,
            screen: WritingServer.Screen(
                showsOutput: isatty(1) == 1,
                hasColours: Style(isTerminal: isatty(1) == 1, variables: variables).usesColor,
                showsErrors: isatty(2) == 1),
            input: {
                isatty(0) == 1 ? nil : try await files.read(0, shown: "Standard input")
            },
            lastAnswer: { try await answer.text() })
        dependencies.disclosure = library.disclosure
        dependencies.review = review
        server = WritingServer(engine: engine, dependencies: dependencies)
        self.answer = answer
    }
}

/// The model's last answer in the open conversation. Made before the servers that use it;
/// its source is set when a chat is opened.
package final class LastAnswer: Sendable {
    package typealias Source = @Sendable () async throws -> String?

    private let source = Mutex<Source?>(nil)

    package func attach(_ source: @escaping Source) { self.source.withLock { $0 = source } }

    /// Nil without a conversation, or without an answer in it.
    func text() async throws -> String? { try await source.withLock { $0 }?() }
}
