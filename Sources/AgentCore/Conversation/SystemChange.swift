/// A change of the system text within a conversation, for example by another role. If the model
/// accepts one there, the first text stays at the head and the new one follows the message from
/// which it applies, so that the part already sent does not change and prompt caches hit. Pure.
///
/// Both texts are parts of that message. If a request finds that they do not match, as in a fork
/// from before it, its head has the current text, as for any other model.
package enum SystemChange {
    /// The parts to add to the message.
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
    /// The system texts that apply from this message on.
    var laterSystem: [String] {
        parts.compactMap { part in
            if case .text(let text) = part, text.isSystem { text.text } else { nil }
        }
    }
}
