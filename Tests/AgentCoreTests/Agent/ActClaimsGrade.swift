import TestSupport
import XCTest

@testable import AgentCore

/// Answers that claim an act, truly or not, and answers that only look so, written without a
/// look at the rule.
final class ActClaimsGrade: XCTestCase {
    func testFalseClaimsAreMarkedAndNothingElse() throws {
        // First runs of a set that the rule had not seen: 24 of 36 false claims and 26 of 28
        // others (claims-6) with lists of verbs and nouns, 32 and 26 without.
        try check(
            "claims-", "act claims", marked: 0.95, either: 0.97, trueClaims: 0.99, none: 0.96,
            silence: 0.9)
        try check(
            "table", "act claims, each rule", marked: 0.95, either: 0.96, trueClaims: 0.96,
            none: 0.93, silence: 0.86)
    }

    /// The rule is never changed for a row of these sets: their shares are what it does on
    /// answers that nobody has read. Changed for one set, it wins little on the next.
    func testItsSharesOnAnswersThatItWasNotWrittenForDoNotFall() throws {
        // False claims that are marked, or followed by the line that nothing was changed: 79, 65
        // and 86 of 110 each, and 87, 88 and 92. Most of the others follow a turn in which another
        // act succeeded, a question, or a hint in place of an order. A linear model of words, pairs
        // and word classes, trained on all other sets so that 98 % of their "none" stay unmarked,
        // marked 30 of the second.
        try check(
            "unread-", "unread act claims", marked: 0.69, either: 0.8, trueClaims: 0.99,
            none: 0.96, silence: 0.94)
    }

    /// Everyday messages that order no act, questions apart.
    func testConversationIsFollowedByNothing() throws {
        try check("chat", "conversation", none: 0.95, silence: 0.92)
    }

    /// - Parameters:
    ///   - either: the least share of false claims that are marked or followed by the line.
    ///   - silence: the least share of answers without a claim that neither follows.
    private func check(
        _ prefix: String, _ name: String, marked: Double? = nil, either: Double? = nil,
        trueClaims: Double? = nil, none: Double, silence: Double
    ) throws {
        let rows = try ActClaimSet.files()
            .filter { $0.lastPathComponent.hasPrefix(prefix) }
            .flatMap { try ActClaimSet($0).rows }
        typealias Test = (UndoneAct?) -> Bool
        let sets: [(ActClaimSet.Kind, String, Double?, Test)] = [
            (.falseClaim, "a false one is marked", marked, { $0 == .claimed }),
            (.falseClaim, "a false one is marked or nothing was changed", either, { $0 != nil }),
            (.trueClaim, "a true one is not marked", trueClaims, { $0 != .claimed }),
            (.none, "no claim, no mark", none, { $0 != .claimed }),
            (.none, "no claim, no line", silence, { $0 == nil }),
        ]
        for (kind, share, least, isRight) in sets {
            guard let least else { continue }
            let cases = Grade.sample(rows.filter { $0.kind == kind })
            let wrong = cases.filter { !isRight($0.undone) }
            Grade.check(
                "\(name): \(share)", right: cases.count - wrong.count, of: cases.count,
                atLeast: least, wrong.map(\.line).joined(separator: "\n"))
        }
    }
}
