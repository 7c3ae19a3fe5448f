import AgentCore
import FoundationEssentials
import Synchronization

/// Reads plain messages for the reminders and the calendar, which share what it makes of one.
///
/// What the words mean is `MessageInterpreter`'s; this remembers only what was asked "When?":
/// the next message may be no more than the answer.
package final class MessageJudge: Sendable {
    private let parse: @Sendable (String, DateContext) -> ParsedPhrase
    private let asked = Mutex<(reading: ParsedPhrase, time: Date)?>(nil)
    /// Seconds in which a time alone answers the question.
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

    /// For carrying the message out: a question before it is over.
    package func take(
        _ message: PlainMessage, in context: @autoclosure () -> DateContext
    ) -> Understanding {
        let understanding = read(message, in: context())
        asked.withLock { $0 = nil }
        return understanding
    }

    package func read(_ message: String, in context: DateContext) -> Understanding {
        let interpreter = MessageInterpreter(message, context: context) { [parse] in
            parse($0, context)
        }
        let understanding = interpreter.understanding()
        // A time alone answers rather than corrects.
        guard let asked = asked.withLock({ $0 }),
            understanding.act == nil || understanding.refersBack,
            context.now.timeIntervalSince(asked.time) <= Self.patience
        else { return understanding }
        // What was made before the question is not spoken of.
        return interpreter.answer(to: asked.reading)
            ?? (understanding.refersBack ? Understanding() : understanding)
    }

    /// The user was asked when that is to be.
    package func noteAsked(_ reading: ParsedPhrase, at time: Date) {
        asked.withLock { $0 = (reading, time) }
    }
}
