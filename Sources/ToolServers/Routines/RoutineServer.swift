import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar
import Library
import Persistence

/// `chat routine`, `/routine`, and the model's tools: prompts that are sent on a schedule. It
/// lists, makes and changes them; `RoutineClock` starts them, `RoutineRunner` carries them out.
package struct RoutineServer: ActServer {
    /// The model that a routine would ask.
    package struct Model: Sendable {
        package var provider: String
        package var model: String
        package var host: String
        /// The price of a million tokens; nil if unknown.
        package var price: (input: Money, output: Money)?

        package init(
            provider: String, model: String, host: String, price: (input: Money, output: Money)?
        ) {
            (self.provider, self.model) = (provider, model)
            (self.host, self.price) = (host, price)
        }
    }

    package struct Dependencies: Sendable {
        package var book: RoutineBook
        package var environment: Environment
        package var dates: @Sendable () -> DateContext
        /// The model of that name, or the one that a new conversation has.
        package var model: @Sendable (_ name: String?) async throws -> Model
        package var tools: @Sendable () async -> [Tool]
        /// The reason why a routine cannot be run in the place where it will be, with the fix.
        package var obstacle: @Sendable (Routine) async -> Diagnostic?
        /// The reason why it cannot be run in this process, by provider and host.
        package var here: @Sendable (_ provider: String, _ host: String) async -> Diagnostic?
        /// Whether anything runs routines while no chat is open.
        package var isWatched: @Sendable () async -> Bool
        /// Nil if it is not due, or another process runs it.
        package var run:
            @Sendable (_ entry: RoutineBook.Entry, _ isDue: Bool, _ isChat: Bool) async throws ->
                RoutineLog.Run?
        /// The last answer of a conversation.
        package var answer: @Sendable (_ conversation: String) async throws -> String?
        /// A result drawn like an answer; nil where it is to be plain.
        package var formatted: @Sendable (String) -> [StyledLine]?
        /// Makes a call that was held back, after the user's yes.
        package var call: @Sendable (HeldCall) async -> ToolOutput
        /// Expands `~`, and a path relative to the working folder.
        package var path: @Sendable (String) -> String

        package init(
            book: RoutineBook, environment: Environment,
            dates: @escaping @Sendable () -> DateContext,
            model: @escaping @Sendable (String?) async throws -> Model,
            tools: @escaping @Sendable () async -> [Tool],
            obstacle: @escaping @Sendable (Routine) async -> Diagnostic?,
            here: @escaping @Sendable (String, String) async -> Diagnostic?,
            isWatched: @escaping @Sendable () async -> Bool,
            run:
                @escaping @Sendable (RoutineBook.Entry, Bool, Bool) async throws ->
                RoutineLog.Run?,
            answer: @escaping @Sendable (String) async throws -> String?,
            formatted: @escaping @Sendable (String) -> [StyledLine]?,
            call: @escaping @Sendable (HeldCall) async -> ToolOutput,
            path: @escaping @Sendable (String) -> String
        ) {
            (self.book, self.environment, self.dates, self.model) = (
                book, environment, dates, model
            )
            (self.tools, self.obstacle, self.here) = (tools, obstacle, here)
            self.isWatched = isWatched
            (self.run, self.answer, self.formatted) = (run, answer, formatted)
            (self.call, self.path) = (call, path)
        }
    }

    package static let noun = "routine"
    package var name: String { Self.noun }
    package let description = "Prompts that are sent on a schedule, and what came of them."
    package let topic = "routine* scheduled+prompt*"

    let dependencies: Dependencies
    var book: RoutineBook { dependencies.book }

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    package var commands: [Command] {
        [
            Command(name: Self.noun, summary: "prompts that are sent on a schedule", verbs: verbs)
                .with(\.usesConversations).with(\.answersInLocalTime)
        ]
    }

    package var capability: Capability {
        var capability = Capability(
            self, completions: [.routine: { [book] in await Self.words(book) }])
        capability.check = check
        return capability
    }

    private static func words(_ book: RoutineBook) async -> [CompletionWord] {
        // Tab offers none if they cannot be read.
        ((try? await book.entries()) ?? []).map {
            CompletionWord($0.routine.name, $0.routine.prompt)
        }
    }

    package func actContext() -> RoutineServer { self }
    /// Always true: a routine's results come from a model.
    package func areUntrusted(_ paths: [String]) async -> Bool { true }

    var text: RoutineText {
        let dates = dependencies.dates()
        return RoutineText(local: dates.local, now: dates.now)
    }

    // MARK: - Plain messages

    private func reading(_ message: PlainMessage) -> RoutineMessage? {
        message.reading(by: Self.self) { message in
            let dates = dependencies.dates()
            let fields = DateFieldParser(context: dates) { DateParser(dates).parse($0) }
            return RoutineMessage(message) { text in
                // A text that is not a repetition is an error, which is the answer.
                guard let found = try? fields.repetition(text) else { return false }
                return !found.isFromCompletion
            }
        }
    }

    package func canHandle(message: PlainMessage) -> IntentMatch {
        guard reading(message) != nil else { return .none }
        return IntentMatch(
            confidence: 1, suggestedTools: [Self.createTool],
            reasoning: "a repetition and a request", isComplete: true)
    }

    package func command(for message: PlainMessage) -> [String]? {
        reading(message).map { [Self.noun, "add", "--ask", "--", $0.times, $0.request] }
    }

    /// Without a prompt no question can be asked, so it only explains how to do it.
    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        guard let reading = reading(message) else { return nil }
        let line =
            "chat \(Self.noun) add \(ShellTokenizer.quoted(reading.times)) "
            + ShellTokenizer.quoted(reading.request)
        return CommandOutput(
            lines: [
                StyledLine("Nothing was done yet. To have it done on this schedule:"),
                StyledLine(line, .hint),
            ], outcome: .usage, sources: [])
    }

    // MARK: - Doctor

    /// Whether each routine could run where it will be run.
    private func check() async -> [Finding] {
        let (entries, damaged): ([RoutineBook.Entry], [String])
        do {
            (entries, damaged) = (try await book.entries(), try await book.damaged())
        } catch let error as ToolError {
            return [Finding(.calendar, .broken, Diagnostic(of: error).what)]
        } catch {
            // `calendar.db` has a separate finding.
            return []
        }
        var findings = damaged.map { Finding(.calendar, .broken, $0) }
        if entries.isEmpty { return findings }
        for entry in entries {
            let name = "routine \(entry.routine.name)"
            if let why = entry.pause {
                findings.append(
                    Finding(
                        .calendar, .warning, "\(name): paused: \(why)",
                        remedy: "chat routine resume \(ShellTokenizer.quoted(entry.routine.name))"))
            } else if let problem = await dependencies.obstacle(entry.routine) {
                findings.append(
                    Finding(.calendar, .broken, "\(name): \(problem.what)", remedy: problem.todo))
            } else {
                findings.append(Finding(.calendar, .good, "\(name): can run"))
            }
        }
        if await !dependencies.isWatched() {
            findings.append(
                Finding(
                    .calendar, .warning, "routines run only while a chat is open",
                    remedy: "chat alerts install"))
        }
        return findings
    }
}
