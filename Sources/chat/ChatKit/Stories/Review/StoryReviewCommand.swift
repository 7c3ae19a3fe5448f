import AgentCore
import Base
import Library
import Persistence
import Stories
import TerminalKit

/// `chat story review`: goes through the quotations whose speaker is uncertain.
package struct StoryReviewCommand: Sendable {
    private let services: Services
    private let decisions: StoryDecisions
    /// The chat's prompt; nil in the shell, which opens a panel when one is needed.
    private let prompt: PanelPlace?

    init(services: Services, decisions: StoryDecisions, prompt: PanelPlace?) {
        (self.services, self.decisions, self.prompt) = (services, decisions, prompt)
    }

    /// Adds the verb after `fix`, among the verbs of stories.
    package static func add(
        to commands: inout [Command], _ services: Services, _ prompt: PanelPlace?
    ) {
        guard let command = commands.firstIndex(where: { $0.name == StoryServer.noun }),
            let fix = commands[command].verbs.firstIndex(where: { $0.name == "fix" }),
            let server = services.registry.servers.lazy.compactMap({ $0 as? StoryServer }).first
        else { return }
        let review = StoryReviewCommand(
            services: services, decisions: StoryDecisions(server.book), prompt: prompt)
        commands[command].verbs.insert(review.verb, at: fix + 1)
    }

    private var verb: Verb {
        Verb(
            "review", "decide who speaks where chat had to guess, with one key each",
            [.phrase("STORY", "a story: s3 or last", .story, isOptional: true)],
            options: [.init("--all", "also where a speaker is only likely")],
            example: "s3"
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let (item, begun) = try await decisions.review(
            arguments.text.isEmpty ? "last" : arguments.text, includesLikely: arguments.has("--all")
        )
        let name = decisions.book.lookup.name(item)
        if begun.phase == .over {
            return CommandOutput(
                lines: [StyledLine("Nothing is left to decide: \(name)", .dim)])
        }
        let review: StoryReview
        if let prompt {
            review = try await screen(prompt, item.id, name).run(begun)
            // If the story cannot be read again, playback goes on unchanged.
            try? await services.stories?.player?.follow()
        } else {
            let shell = ShellPanel(services: services, readsLines: true)
            let screen = screen(shell.place(services), item.id, name)
            review = try await shell.run { try await screen.run(begun) }
        }
        return CommandOutput(lines: [Self.summary(review, name)])
    }

    private func screen(_ place: PanelPlace, _ id: ItemID, _ name: String) -> StoryReviewScreen {
        StoryReviewScreen(decisions: decisions, place: place, story: id, title: name)
    }

    /// `✓ 5 decided, 2 skipped, 30 to go: s3 Alice · /undo`
    private static func summary(_ review: StoryReview, _ name: String) -> StyledLine {
        var facts = ["\(review.decided) decided"]
        if review.skips > 0 { facts.append("\(review.skips) skipped") }
        if review.left > 0 { facts.append("\(review.left) to go") }
        let text = facts.joined(separator: ", ") + ": " + name
        if review.decided == 0 { return StyledLine(text, .dim) }
        return StyledLine([.init("✓ " + text, .success), .init(" · /undo", .hint)])
    }
}
