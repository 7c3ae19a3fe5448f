import Base
import ChatKit
import Synchronization
import Texts

/// The loop without a cursor: each idea is written as it comes, and a letter or
/// a word with Enter decides. For pipes, TERM=dumb and screen readers.
extension IdeaLoopScreen {
    /// - Throws: what keeps an idea from being written where no one is there to
    ///   decide what then.
    func runLines() async throws -> Outcome {
        state.withLock { $0.isInLines = true }
        await perform(take(.began))
        while !isOver {
            await written()
            try Task.checkCancellation()
            try await sayHowItWent()
            guard let key = try await nextKey() else { break }
            await perform(take(.key(key)))
            await sayNote()
        }
        try Task.checkCancellation()
        return outcome
    }

    private func sayHowItWent() async throws {
        let (failure, likeness) = state.withLock { state in
            let number = state.view.loop.presentNumber
            defer { state.told = number }
            return (state.failure, number == state.told ? nil : number.flatMap { state.likes[$0] })
        }
        if let failure {
            guard place.isInteractive else { throw failure }
            await place.say(place.describe(failure).lines)
        }
        if let likeness { await place.say([StyledLine("  like \(likeness)", .warning)]) }
    }

    /// Nil at the end of the input. A line that means nothing is passed over.
    private func nextKey() async throws -> IdeaLoop.Key? {
        let keys = place.keys.filter { $0 != .help }
        let isFirst = state.withLock { state in
            defer { state.hasSaidKeys = true }
            return !state.hasSaidKeys
        }
        if place.isInteractive, isFirst { await place.say([Self.words(keys)]) }
        while true {
            let prompt = place.isInteractive ? "  \(Self.short(keys)), ? > " : ""
            guard let line = try await place.readLine(prompt) else { return nil }
            if line.allSatisfy({ $0 == " " }), !line.isEmpty { return .discard }
            if line.allSatisfy(\.isWhitespace) { continue }
            let key = IdeaLoop.Key(line: line)
            if let key, keys.contains(key) { return key }
            await place.say([Self.words(keys)])
        }
    }

    private static func words(_ keys: [IdeaLoop.Key]) -> StyledLine {
        StyledLine("  " + keys.map { "\($0.rawValue) \($0.word)" }.joined(separator: "  "), .dim)
    }

    /// `s d e c r u p t y q`
    private static func short(_ keys: [IdeaLoop.Key]) -> String {
        keys.map { String($0.rawValue) }.joined(separator: " ")
    }

    private func sayNote() async {
        let loop = state.withLock { $0.view.loop }
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
        // What is on the screen again is not written by anyone.
        if loop.note == .takenBack || loop.note == .discarded, case .ready = loop.phase {
            let writer = place.writer()
            await writer.write("\n" + loop.text)
            await writer.end()
        }
    }
}
