/// A system text that changes within a conversation, as by another role. If the model takes
/// it there, the first text stays in its place and the new one follows the message from
/// which it holds, so that what was sent before does not change and prompt caches hit.
/// Pure.
///
/// Both texts are parts of that message. A request that finds them changed, as in a fork
/// from before it, has the current text at its head, like one for any other model.
package enum SystemChange {
    /// The parts that the message has to carry.
    ///
    /// - Parameters:
    ///   - before: the system text of the last request; nil if unknown.
    ///   - turns: the turns before the message.
    package static func parts(
        to system: String, from before: String?, after turns: [Turn]
    ) -> [TextPart] {
        if let told = texts(in: turns, TextPart.systemPhase).last {
            return told == system ? [] : [TextPart(system, phase: TextPart.systemPhase)]
        }
        guard let before, before != system, turns.contains(where: { !$0.isLocal }) else {
            return []
        }
        return [
            TextPart(before, phase: TextPart.firstSystemPhase),
            TextPart(system, phase: TextPart.systemPhase),
        ]
    }

    /// The text that stays at the head; nil if the turns do not lead from it to `system`.
    package static func first(of turns: [Turn], to system: String) -> String? {
        guard texts(in: turns, TextPart.systemPhase).last == system else { return nil }
        return texts(in: turns, TextPart.firstSystemPhase).first
    }

    /// Ignores messages with untrusted text: they must not tell a model how to behave.
    private static func texts(in turns: [Turn], _ phase: String) -> [String] {
        turns.filter { !$0.carriesUntrustedText }.flatMap(\.messages).filter { $0.role == .user }
            .flatMap(\.parts).compactMap { part in
                if case .text(let text) = part, text.phase == phase { text.text } else { nil }
            }
    }
}

extension Message {
    /// The system texts that hold from this message on.
    var laterSystem: [String] {
        parts.compactMap { part in
            if case .text(let text) = part, text.isSystem { text.text } else { nil }
        }
    }
}
