import AgentCore
import Base
import Library
import Persistence
import Synchronization

/// Ideas as a tool of the model: one is written by a request of its own, so that
/// it is as the user's prompt wants it and unlike those that are known. Its
/// commands are the program's, which has the screen for them.
package struct IdeasServer: ToolServer {
    private let book: IdeaBook

    /// Of the command.
    package static let noun = "idea"
    package let name = "ideas"
    package let description = "Has ideas of the kind the user wants."

    package init(_ book: IdeaBook) { self.book = book }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: "generate_idea", title: "Have an idea",
                description: """
                    Writes one new idea by the user's idea prompt. Keeps nothing; library_save does, \
                    if the user wants it.
                    """,
                inputSchema: .object([
                    .init(
                        "about",
                        .string(description: "What kind, in place of the idea prompt")),
                    .init("tone", .string(description: "Such as playful")),
                ]), toolClass: .read,
                cues: """
                    idea* spark* brainstorm* inspir* suggest+new something+new einfall* einfälle* \
                    idee* vorschlag*
                    """)
        ]
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let about = arguments["about"]?.stringValue?.trimmingSpace() ?? ""
        let kept = try await book.memory.read().prompt
        guard let prompt = about.isEmpty ? kept : about else {
            throw ToolError.failed(
                "The user has set no idea prompt. Ask what kind of idea is wanted, and give it "
                    + "as \"about\".")
        }
        let tone = try IdeaBook.tone(arguments["tone"]?.stringValue)
        let text = Mutex("")
        let request = IdeaBook.Request(prompt: prompt, tone: tone)
        let isForeign = try await book.sendsForeignText(request)
        let made = try await book.generate(request) { piece in
            var progress = ToolProgress(activity: "Having an idea", title: "")
            progress.text = text.withLock {
                $0 += piece
                return $0
            }
            emit(progress)
        }
        let like = try await book.similar(to: made.text)
        var output = ToolOutput(
            text: made.text, summary: ItemTitle.of(made.text), isForeign: isForeign)
        if let like {
            output.text += "\n\n(It is nearly the same as \(like.id), which the user has kept.)"
        }
        return output
    }
}
