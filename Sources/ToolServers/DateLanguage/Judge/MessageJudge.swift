import FoundationEssentials
import Synchronization

/// Reads plain messages for the reminders and the calendar, each of them once:
/// both servers ask about the same message, and again when it is carried out.
///
/// What the words mean is `MessageInterpreter`'s; this only remembers, also of
/// what was asked "When?": the next message may be no more than the answer.
package final class MessageJudge: Sendable {
    private struct Entry: Sendable {
        var message: String
        var now: Date
        var understanding: Understanding
    }

    private let parse: @Sendable (String, DateContext) -> ParsedPhrase
    private let last = Mutex<Entry?>(nil)
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

    package func read(_ message: String, in context: DateContext) -> Understanding {
        // "In ten minutes" said again is another time; two questions about one
        // message are milliseconds apart.
        let known = last.withLock { entry in
            entry.flatMap { entry in
                entry.message == message && abs(context.now.timeIntervalSince(entry.now)) < 1
                    ? entry.understanding : nil
            }
        }
        if let known { return known }
        let interpreter = MessageInterpreter(message, context: context) { [parse] in
            parse($0, context)
        }
        var understanding = interpreter.understanding()
        // A time alone answers rather than corrects.
        if let asked = asked.withLock({ $0.take() }),
            understanding.act == nil || understanding.refersBack,
            context.now.timeIntervalSince(asked.time) <= Self.patience
        {
            // What was made before the question is not spoken of.
            understanding =
                interpreter.answer(to: asked.reading)
                ?? (understanding.refersBack ? Understanding() : understanding)
        }
        last.withLock {
            $0 = Entry(message: message, now: context.now, understanding: understanding)
        }
        return understanding
    }

    /// The user was asked when that is to be.
    package func noteAsked(_ reading: ParsedPhrase, at time: Date) {
        asked.withLock { $0 = (reading, time) }
    }
}
