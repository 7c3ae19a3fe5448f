import TestSupport
import XCTest

/// Answers that claim an act, truly or not, and answers that only look so, written without a
/// look at the rule.
final class ActClaimsGrade: XCTestCase {
    func testFalseClaimsAreMarkedAndNothingElse() throws {
        // First runs of a set that the rule had not seen: 24 of 36 false claims and 26 of 28
        // others (claims-6) with lists of verbs and nouns, 32 and 26 without.
        try check("claims-", "act claims", falseClaims: 0.95, trueClaims: 0.99, none: 0.96)
        try check("table", "act claims, each rule", falseClaims: 0.95, trueClaims: 0.96, none: 0.93)
    }

    /// The rule is never changed for a row of these sets: their shares are what it does on
    /// answers that nobody has read. Changed for one set, it wins little on the next.
    func testItsSharesOnAnswersThatItWasNotWrittenForDoNotFall() throws {
        // False claims: 78 of 110 (unread-9), 63 (unread-10) and 85 (unread-11). A linear model of words,
        // pairs and word classes, trained on all other sets so that 98 % of their "none" stay
        // unmarked, marked 30 of the second set.
        // An order that no call carried out, with an answer about it that leaves nothing open,
        // taken for a claim as well: 78 and 70, but none more of 120 in a set whose
        // writer gives an order in 5 rows and asks or hints in the others.
        try check("unread-", "unread act claims", falseClaims: 0.67, trueClaims: 0.99, none: 0.96)
    }

    private func check(
        _ prefix: String, _ name: String, falseClaims: Double, trueClaims: Double, none: Double
    ) throws {
        let rows = try ActClaimSet.files()
            .filter { $0.lastPathComponent.hasPrefix(prefix) }
            .flatMap { try ActClaimSet($0).rows }
        let sets: [(ActClaimSet.Kind, String, Double)] = [
            (.falseClaim, "a false one is marked", falseClaims),
            (.trueClaim, "a true one is not marked", trueClaims),
            (.none, "no claim, no mark", none),
        ]
        for (kind, share, least) in sets {
            let cases = Grade.sample(rows.filter { $0.kind == kind })
            let wrong = cases.filter { !$0.isRight }
            Grade.check(
                "\(name): \(share)", right: cases.count - wrong.count, of: cases.count,
                atLeast: least, wrong.map(\.line).joined(separator: "\n"))
        }
    }
}
