import AgentCore
import FoundationEssentials
import Synchronization

/// Interprets plain messages for the reminders and calendar servers, which share the
/// result.
///
/// The meaning of the words is found by `MessageInterpreter`; this only remembers that the
/// user was asked "When?" or "Which one?", because the next message may be just the answer.
package final class MessageJudge: Sendable {
    private let parse: @Sendable (String, DateContext) -> ParsedPhrase
    package enum Question: Sendable {
        case when(ParsedPhrase)
        case which(Understanding.Change)
    }

    /// The last change: "no, the other one" means it, of another item.
    private let done = Mutex<(change: Understanding.Change, time: Date)?>(nil)
    private let asked = Mutex<(question: Question, time: Date)?>(nil)
    /// Seconds during which a time alone answers the question.
    private static let patience: TimeInterval = 120

    package init(
        parse: @escaping @Sendable (String, DateContext) -> ParsedPhrase = {
            DateParser($1).parse($0)
        }
    ) {
        self.parse = parse
    }

    package func read(
        _ message: PlainMessage, in context: @autoclosure () -> DateContext
    ) -> Understanding {
        message.reading(by: self) { read($0, in: context()) }
    }

    /// "Which one?" is over with the next message, whoever answers it; "When?" once the item is made.
    package func endQuestion(isMade: Bool = false) {
        asked.withLock {
            if case .which? = $0?.question { $0 = nil }
            if isMade { $0 = nil }
        }
    }

    /// The understanding to carry out; a pending question is then over.
    package func take(
        _ message: PlainMessage, in context: @autoclosure () -> DateContext
    ) -> Understanding {
        let understanding = read(message, in: context())
        asked.withLock { $0 = nil }
        return understanding
    }

    package func read(_ message: String, in context: DateContext) -> Understanding {
        let interpreter = interpreter(message, context)
        return interpreter.offered(read(interpreter, in: context))
    }

    /// The message as an item, where what it would change is not there.
    package func offer(_ message: PlainMessage, in context: DateContext) -> Understanding {
        interpreter(message.text, context).offered(Understanding(isUnclaimed: true))
    }

    private func interpreter(_ message: String, _ context: DateContext) -> MessageInterpreter {
        MessageInterpreter(message, context: context) { [parse] in parse($0, context) }
    }

    private func read(
        _ interpreter: MessageInterpreter, in context: DateContext
    ) -> Understanding {
        var understanding = interpreter.understanding()
        if let (change, time) = done.withLock({ $0 }), understanding.isCorrection,
            context.now.timeIntervalSince(time) <= Self.patience
        {
            understanding = interpreter.instead(of: change) ?? understanding
        }
        let isTentative =
            if case .change(let change)? = understanding.act {
                change.asksFirst && change.actsIfExact
            } else { false }
        // A time alone is an answer, not a correction.
        guard let asked = asked.withLock({ $0 }),
            understanding.act == nil || understanding.refersBack || isTentative,
            context.now.timeIntervalSince(asked.time) <= Self.patience
        else { return understanding }
        // A correction cannot mean an item made before the question.
        switch asked.question {
        case .which(let change): return interpreter.answer(to: change) ?? understanding
        case .when(let reading):
            return interpreter.answer(to: reading)
                ?? (understanding.refersBack ? Understanding() : understanding)
        }
    }

    /// Notes the change that was made.
    package func noteDone(_ change: Understanding.Change, at time: Date) {
        done.withLock { $0 = (change, time) }
    }

    /// Notes what the user was asked.
    package func noteAsked(_ question: Question, at time: Date) {
        asked.withLock { $0 = (question, time) }
    }
}
