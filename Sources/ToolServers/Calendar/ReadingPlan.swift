import AgentCore
import FoundationEssentials
import ICalendar

/// What is done about a reading that is to become an event: create it, ask
/// which of its readings is meant, or say that no time was said. Pure.
struct ReadingPlan: Sendable, Equatable {
    enum Verdict: Sendable, Equatable {
        case draft(ItemEdit)
        case ask(String, [ItemEdit])
        case noTime
    }

    let verdict: Verdict

    init(_ reading: ParsedPhrase, context: DateContext) {
        guard let draft = Self.draft(reading, context) else {
            verdict = .noTime
            return
        }
        let others = reading.alternatives.compactMap { Self.draft($0, context) }
        if reading.doubts.contains(.past) {
            verdict = .ask("That is in the past. Keep it all the same?", [draft] + others)
        } else if reading.doubts.contains(.leftover) || !reading.unused.isEmpty {
            verdict = .ask(
                "Some of the words were not understood. Is this meant?", [draft] + others)
        } else if reading.doubts.contains(.ambiguous) || reading.confidence < DateParser.certain {
            verdict = .ask("Which is meant?", [draft] + others)
        } else {
            verdict = .draft(draft)
        }
    }

    /// nil where nothing is said about when.
    static func draft(_ reading: ParsedPhrase, _ context: DateContext) -> ItemEdit? {
        guard let moment = reading.start else { return nil }
        let (start, end): (ItemTime, ItemTime)
        switch moment {
        case .date(let date):
            start = .date(date)
            // The last day, inclusive.
            end = .date(max(date, reading.end?.date ?? date).adding(days: 1))
        case .time:
            start = ItemTime(moment, of: reading, in: context)
            switch reading.end {
            case .time(let clock)?: end = ItemTime(.time(clock), of: reading, in: context)
            case .date?, nil: end = TimeSpan.usualLength.added(to: start, in: context.local)
            }
        }
        var draft = ItemEdit(reading)
        (draft.start, draft.end) = (start, end)
        return draft
    }
}
