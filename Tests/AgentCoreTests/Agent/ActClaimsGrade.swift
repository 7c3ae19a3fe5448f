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
            // First runs: 33 of the second 40; of the third 21 of 26, and of the two parts of
            // the fourth 25 of 30 and 22 of 24, with 14 of 16 and 12 of 14 in the last row.
            (.falseClaim, "act claims: a false one is marked", 0.97),
            (.trueClaim, "act claims: a true one is not marked", 0.99),
            (.none, "act claims: no claim, no mark", 0.98),
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
