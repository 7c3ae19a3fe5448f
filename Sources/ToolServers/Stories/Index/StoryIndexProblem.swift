import AgentCore
import Base

/// The reason why the model's part of an index is missing, with the phase and the story.
struct StoryIndexProblem: Error, Sendable {
    enum Phase: String, Sendable { case characters, speakers, voices }

    enum Reason: Sendable {
        case failed(GenerationError)
        /// The user did not agree to send that much text.
        case notSent
    }

    var reason: Reason
    var phase: Phase
    /// "s3 Alice's Adventures".
    var story: String
    var part: Int
    var count: Int

    init(_ reason: Reason, _ phase: Phase, _ story: String, part: Int = 1, of count: Int = 1) {
        self.reason = reason
        self.phase = phase
        self.story = story
        self.part = part
        self.count = count
    }

    /// Whether the next request would fail in the same way.
    var isForAll: Bool {
        guard case .failed(let error) = reason else { return true }
        return switch error.reason {
        case .noModel, .overBudget, .provider: true
        case .refused, .truncated, .empty, .wrongShape: false
        }
    }
}

extension StoryIndexProblem: DescribedError {
    var diagnostic: Diagnostic {
        let place = count > 1 ? "\(story), part \(part) of \(count)" : story
        switch reason {
        case .notSent:
            return Diagnostic(
                "Nothing was sent: sending this much of \(story) needs your approval.",
                todo: "--yes sends it without a question, --offline asks no model.",
                exit: .refused)
        case .failed(let error):
            switch error.reason {
            case .wrongShape, .truncated, .empty:
                let list = phase == .characters ? "character list" : "list of \(phase.rawValue)"
                return Diagnostic(
                    "Could not parse \(list): \(place).",
                    todo: "What was found without a model stays. To try again: "
                        + "chat story index \(story.prefix { $0 != " " })",
                    exit: .degraded, namesCommands: true)
            case .refused:
                return Diagnostic(
                    "The model declined to find the \(phase.rawValue) of \(place).",
                    todo: "What was found without a model stays.", exit: .degraded)
            case .noModel, .overBudget, .provider:
                let cause = Diagnostic(of: error)
                return Diagnostic(
                    "Finding the \(phase.rawValue) of \(place): \(cause.what)", todo: cause.todo,
                    exit: .degraded, programs: cause.programs, namesCommands: cause.namesCommands)
            }
        }
    }
}
