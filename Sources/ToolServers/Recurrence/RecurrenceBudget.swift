/// How many steps the search for a time may still take, so that no rule of a
/// file can hold us up: a count, not a clock, so that the answer is the same
/// on every machine.
///
/// A step is a period looked at or a time found; some 20 to 200 nanoseconds.
struct RecurrenceBudget: Sendable {
    /// 1,369 years of days, 57 years of hours.
    static let steps = 500_000
    /// So many times at most are held for one answer; about 20 MB.
    static let cost = 5

    private(set) var left = RecurrenceBudget.steps

    mutating func spend(_ steps: Int = 1) throws(RecurrenceError) {
        left -= steps
        if left < 0 { throw RecurrenceError(.tooExpensive) }
    }
}
