import Base

/// US dollars in whole millionths, so that sums are exact. Never below zero; an overflow
/// stays at the largest value.
package struct Money: Sendable, Hashable, Comparable {
    package static let zero = Money(micros: 0)

    package let micros: Int

    init(micros: Int) { self.micros = max(0, micros) }

    /// Rounded to a millionth; an invalid amount is zero.
    init(dollars: Double) {
        let micros = (dollars * 1_000_000).rounded()
        self.init(micros: micros.isFinite && micros > 0 ? Int(min(micros, 1e18)) : 0)
    }

    package static func < (left: Money, right: Money) -> Bool { left.micros < right.micros }

    static func + (left: Money, right: Money) -> Money {
        let (sum, overflow) = left.micros.addingReportingOverflow(right.micros)
        return Money(micros: overflow ? .max : sum)
    }

    /// `$0`, `<$0.0001`, `$0.0042`, `$0.42`, `$1,204.50`: four places below ten
    /// cents, where two would say nothing.
    var text: String {
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

/// The cost of some tokens, as far as prices are known.
package struct Cost: Sendable, Equatable {
    /// Cost of the tokens with a price.
    package private(set) var money = Money.zero
    private(set) var hasPriced = false
    /// Whether some tokens have no price, or a higher one.
    private(set) var isAtLeast = false

    package init() {}

    init(_ money: Money, isAtLeast: Bool = false) {
        self.money = money
        hasPriced = true
        self.isAtLeast = isAtLeast
    }

    static let unknown: Cost = {
        var cost = Cost()
        cost.isAtLeast = true
        return cost
    }()

    static func + (left: Cost, right: Cost) -> Cost {
        var sum = Cost(left.money + right.money, isAtLeast: left.isAtLeast || right.isAtLeast)
        sum.hasPriced = left.hasPriced || right.hasPriced
        return sum
    }

    /// Nil if no price is known: no number is made up.
    package var text: String? {
        guard hasPriced else { return nil }
        return isAtLeast ? "at least \(money.text)" : money.text
    }

    /// Nil if no price is known.
    package var known: Money? { hasPriced ? money : nil }

    var json: JSONValue { known?.json ?? .null }
}
