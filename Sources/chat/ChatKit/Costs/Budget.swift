import AgentCore
import Base

/// Caps on spending, and whether the next message would exceed one. Pure; one value lives as long
/// as the program and remembers the user's permissions.
package struct Budget: Sendable, Equatable {
    package enum Period: String, Sendable, CaseIterable { case conversation, day, month }

    /// A cap that is or would be exceeded.
    package struct Excess: Error, Sendable, Equatable {
        var period: Period
        var cap: Money
        var spent: Money
        /// Estimated cost of the next message, from the previous ones.
        var estimate: Money
    }

    private let caps: [Period: Money]
    /// Amounts allowed before the next question.
    private var allowed: [Period: Money] = [:]

    package init(_ configured: Settings.Budget) {
        let dollars: [(Period, Double?)] = [
            (.conversation, configured.conversation), (.day, configured.day),
            (.month, configured.month),
        ]
        var caps: [Period: Money] = [:]
        for (period, amount) in dollars { caps[period] = amount.map(Money.init(dollars:)) }
        self.caps = caps
    }

    /// The periods with a cap.
    package var periods: [Period] { Period.allCases.filter { caps[$0] != nil } }

    /// - Parameter estimate: cost of the next message; zero if unknown.
    package func excess(spent: [Period: Money], estimate: Money) -> Excess? {
        for period in periods {
            guard let cap = caps[period] else { continue }
            let now = spent[period] ?? .zero
            if now + estimate > max(cap, allowed[period] ?? .zero)
                || now >= cap && allowed[period] == nil
            {
                return Excess(period: period, cap: cap, spent: now, estimate: estimate)
            }
        }
        return nil
    }

    /// Records that the user continues anyway: the next question comes after another quarter of the
    /// cap, or when that message has cost more.
    package mutating func allow(_ excess: Excess) {
        allowed[excess.period] =
            max(excess.cap, excess.spent + excess.estimate)
            + Money(micros: max(excess.cap.micros / 4, 1))
    }

    /// Resets the permission of the conversation: a new one has spent nothing.
    package mutating func startConversation() { allowed[.conversation] = nil }

    /// The likely cost of the next message: the mean of the last few. The maximum would be
    /// useless: the output limit alone would be dollars.
    package static func estimate(
        _ turns: [Turn], model: String, provider: ProviderName, _ prices: PriceTable
    )
        -> Money
    {
        let used = turns.filter { !$0.isLocal && !$0.usage.isEmpty }.suffix(5)
        if used.isEmpty { return .zero }
        let sum = used.reduce(Cost()) {
            $0 + prices.cost(of: $1.usage, model: model, provider: provider)
        }
        return Money(micros: sum.money.micros / used.count)
    }
}

extension Budget.Excess {
    /// `This conversation has cost $1.02; its budget is $1.00.`
    package var sentence: String {
        let subject =
            switch period {
            case .conversation: "This conversation has"
            case .day: "Today has"
            case .month: "This month has"
            }
        return spent >= cap
            ? "\(subject) cost \(spent.text); its budget is \(cap.text)."
            : "\(subject) cost \(spent.text) of \(cap.text); the next message about "
                + "\(estimate.text)."
    }
}
