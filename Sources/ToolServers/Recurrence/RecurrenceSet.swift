import AgentCore
import FoundationEssentials

/// The times of one recurring item: its start, its rules, the times added
/// (RDATE) and those taken out (EXDATE) (RFC 5545 §3.8.5).
package struct RecurrenceSet: Sendable, Equatable {
    /// DTSTART (of a VTODO without one, DUE): the first time, which the rules
    /// take their clock from.
    package var start: ItemTime
    package var rules: [RecurrenceRule]
    package var added: [ItemTime]
    package var excluded: [ItemTime]

    package init(
        start: ItemTime, rules: [RecurrenceRule] = [], added: [ItemTime] = [],
        excluded: [ItemTime] = []
    ) {
        self.start = start
        self.rules = rules
        self.added = added
        self.excluded = excluded
    }

    package var isRecurring: Bool { !rules.isEmpty || !added.isEmpty }

    /// Starts in `from..<to`, in order, at most `limit`.
    /// - Throws: `RecurrenceError` where that takes too long to find.
    package func starts(
        from: Date, to: Date, limit: Int, in local: LocalTime
    ) throws(RecurrenceError) -> [ItemTime] {
        let instant = start.instant(in: local)
        return instant >= from && instant < to && limit > 0 ? [start] : []
    }

    /// The first start after that instant; nil when there is none.
    package func next(after: Date, in local: LocalTime) throws(RecurrenceError) -> ItemTime? {
        start.instant(in: local) > after ? start : nil
    }
}
