import Base

/// The cost of some tokens, as far as their prices are known.
package struct Cost: Sendable, Equatable {
    /// Cost of the tokens with a price.
    package private(set) var money = Money.zero
    private(set) var hasPriced = false
    /// Whether some tokens have an unknown or higher price.
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

    /// Nil if no price is known; prices are never guessed.
    package var text: String? {
        guard hasPriced else { return nil }
        return isAtLeast ? "at least \(money.text)" : money.text
    }

    /// Nil if no price is known.
    package var known: Money? { hasPriced ? money : nil }

    var json: JSONValue { known?.json ?? .null }
}
