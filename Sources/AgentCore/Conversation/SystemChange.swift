/// A system text that changes within a conversation, as by another role: where the model takes
/// it, the first text stays in its place and the new one follows the message from which on it
/// holds, so that what was sent before stays as it was and prompt caches hit. Pure.
///
/// Both texts are parts of that message. A request that finds them changed, as in a fork from
/// before it, has the text that holds now at its head, like one for any other model.
package enum SystemChange {
    /// What the message has to carry.
    ///
    /// - Parameters:
    ///   - before: the system text of the last request; nil where it is not known.
    ///   - turns: those before the message.
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

    /// The text that stays at the head; nil where the turns do not lead from it to `system`.
    package static func first(of turns: [Turn], to system: String) -> String? {
        guard texts(in: turns, TextPart.systemPhase).last == system else { return nil }
        return texts(in: turns, TextPart.firstSystemPhase).first
    }

    /// A message with text by others tells no model how to behave.
    private static func texts(in turns: [Turn], _ phase: String) -> [String] {
        turns.filter { !$0.carriesForeignText }.flatMap(\.messages).filter { $0.role == .user }
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
