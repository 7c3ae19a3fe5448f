/// US dollars in whole millionths, so that sums are exact. Never below zero; an overflow gives the
/// largest value.
package struct Money: Sendable, Hashable, Comparable {
    package static let zero = Money(micros: 0)

    package let micros: Int

    package init(micros: Int) { self.micros = max(0, micros) }

    /// Rounded to a millionth; an invalid amount is zero.
    package init(dollars: Double) {
        let micros = (dollars * 1_000_000).rounded()
        self.init(micros: micros.isFinite && micros > 0 ? Int(min(micros, 1e18)) : 0)
    }

    package static func < (left: Money, right: Money) -> Bool { left.micros < right.micros }

    package static func + (left: Money, right: Money) -> Money {
        let (sum, overflow) = left.micros.addingReportingOverflow(right.micros)
        return Money(micros: overflow ? .max : sum)
    }

    /// `$0`, `<$0.0001`, `$0.0042`, `$0.42`, `$1,204.50`: four places below ten cents, where two
    /// would be too few.
    package var text: String {
        if micros == 0 { return "$0" }
        if micros < 50 { return "<$0.0001" }
        if micros < 99_950 { return "$0." + ((micros + 50) / 100).padded(to: 4) }
        let cents = micros / 10_000 + (micros % 10_000 >= 5_000 ? 1 : 0)
        return "$\(Quantities.grouped(cents / 100))." + (cents % 100).padded(to: 2)
    }

    /// Dollars with six places as JSON, written from the integer.
    package var json: JSONValue {
        .number("\(micros / 1_000_000)." + (micros % 1_000_000).padded(to: 6))
    }
}
