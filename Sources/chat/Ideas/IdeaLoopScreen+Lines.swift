import AgentCore
import Base
import ChatKit
import Synchronization
import TerminalKit
import Texts

/// The loop without a cursor: each idea is written as it arrives, and a letter or a word
/// with Enter decides. For pipes, TERM=dumb and screen readers.
extension IdeaLoopView: PanelScreen {
    enum Effect: Sendable, Equatable {
        case actions([IdeaLoop.Action])
        /// Ctrl-C.
        case interrupt
    }

    mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
        if key == .interrupt { return .interrupt }
        guard let key = IdeaLoop.Key(key), keys.contains(key) else { return nil }
        return take(key)
    }

    private mutating func take(_ key: IdeaLoop.Key) -> Effect {
        remarks = []
        return .actions(loop.take(.key(key)))
    }

    /// `?` only shows more of a screen.
    private var letters: [IdeaLoop.Key] { keys.filter { $0 != .help } }

    /// Shows the keys once, and again after an unknown answer.
    mutating func listing(width: Int) -> [StyledLine] {
        guard saysKeys else { return [] }
        saysKeys = false
        let words = letters.map { "\($0.rawValue) \($0.word)" }
        return [StyledLine("  " + words.joined(separator: "  "), .dim)]
    }

    /// `s d e c r u p t y q`
    var question: String {
        "  \(letters.map { String($0.rawValue) }.joined(separator: " ")), ? > "
    }

    mutating func take(line: String) -> Effect? {
        if line.allSatisfy({ $0 == " " }), !line.isEmpty { return take(.discard) }
        if line.allSatisfy(\.isWhitespace) { return nil }
        if let key = IdeaLoop.Key(line: line), letters.contains(key) { return take(key) }
        saysKeys = true
        return nil
    }
}

extension IdeaLoopScreen {
    /// Waits until the idea is complete, before a line is read, or reports why it is not.
    func sayHowItWent() async throws {
        await written()
        try Task.checkCancellation()
        let view = runner.screen
        let (failure, isNew) = state.withLock { state in
            let number = view.loop.presentNumber
            defer { (state.failure, state.told) = (nil, number) }
            return (state.failure, number != state.told)
        }
        if let failure {
            guard place.isInteractive else { throw failure }
            await place.say(place.describe(failure).lines)
        }
        if isNew, let likeness = view.likeness {
            await place.say([StyledLine("  like \(likeness)", .warning)])
        }
    }

    func sayNote() async {
        let loop = runner.screen.loop
        let text: String? =
            switch loop.note {
            case nil, .saved?, .stillWriting?: nil
            case .discarded?: "Discarded"
            case .takenBack?: "Back again:"
            case .nothingToSave?, .nothingYet?: "There is nothing yet; d asks again."
            case .nothingToUndo?: "There is nothing to undo."
            }
        guard let text else { return }
        await place.say([StyledLine("  \(text)", .dim)])
        // An idea that is shown again is not written by a task.
        if loop.note == .takenBack || loop.note == .discarded, case .ready = loop.phase {
            let writer = place.writer()
            await writer.write("\n" + loop.text)
            await writer.end()
        }
    }
}
