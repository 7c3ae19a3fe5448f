import TestSupport
import XCTest

/// Answers that claim an act, truly or not, and answers that only look so, written without a
/// look at the rule.
final class ActClaimsGrade: XCTestCase {
    func testFalseClaimsAreMarkedAndNothingElse() throws {
        let rows = try ActClaimSet.files()
            .filter { $0.lastPathComponent.hasPrefix("claims-") }
            .flatMap { try ActClaimSet($0).rows }
        let sets: [(ActClaimSet.Kind, String, Double)] = [
            // First runs of a set that the rule had not seen: 24 of 36 false claims and 26 of 28
            // others (claims-6) with lists of verbs and nouns, 32 and 26 without.
            (.falseClaim, "act claims: a false one is marked", 0.97),
            (.trueClaim, "act claims: a true one is not marked", 0.99),
            (.none, "act claims: no claim, no mark", 0.99),
        ]
        for (kind, name, least) in sets {
            let cases = Grade.sample(rows.filter { $0.kind == kind })
            let wrong = cases.filter { !$0.isRight }
            Grade.check(
                name, right: cases.count - wrong.count, of: cases.count, atLeast: least,
                wrong.map(\.line).joined(separator: "\n"))
        }
    }
}
