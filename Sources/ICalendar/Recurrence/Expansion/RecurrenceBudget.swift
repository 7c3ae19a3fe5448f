/// How many steps the search for a time may still take, so that no rule of a
/// file can hold us up: a count, not a clock, so that the answer is the same
/// on every machine.
///
/// A step is a period looked at or a time found; some 20 to 200 nanoseconds.
struct RecurrenceBudget: Sendable {
    /// 684 years of days, 28 years of hours.
    static let steps = 250_000
    /// Of a time that is given, so that no answer holds more than 80,000.
    static let cost = 2

    private(set) var left = RecurrenceBudget.steps

    mutating func spend(_ steps: Int = 1) throws(RecurrenceError) {
        left -= steps
        if left < 0 { throw RecurrenceError(.tooExpensive) }
    }
}
