import Foundation
import XCTest

/// The share of a set of cases that comes out right, beside the least that is accepted.
///
/// A test class whose name ends in `Grade` runs twice: `make test` takes a sample of each of
/// its sets, `make grade` (which sets CHAT_FULL=1) all of it. `scripts/run-tests` makes a
/// table of the lines printed here.
package enum Grade {
    package static var isWhole: Bool {
        ProcessInfo.processInfo.environment["CHAT_FULL"] == "1"
    }

    /// All of them, or every eleventh. Sets cycle through their kinds by other numbers, so
    /// that a sample has some of each.
    package static func sample<Case>(_ cases: [Case]) -> [Case] {
        isWhole ? cases : stride(from: 0, to: cases.count, by: 11).map { cases[$0] }
    }

    /// Fails below the gate. A sample may have a miss more than its share, since one case
    /// is much of it.
    ///
    /// - Parameters:
    ///   - least: the gate, from 0 to 1.
    ///   - misses: what a failure shows.
    package static func check(
        _ set: String, right: Int, of count: Int, atLeast least: Double,
        _ misses: @autoclosure () -> String = "", file: StaticString = #filePath,
        line: UInt = #line
    ) {
        guard count > 0 else {
            return XCTAssertFalse(isWhole, "\(set): the set is empty", file: file, line: line)
        }
        print("grade: \(right)|\(count)|\(least)|\(set)")
        // 0.99 is a little less than 99 of 100.
        let share = Int((1 - least) * Double(count) + 1e-9)
        let allowed = least < 1 && !isWhole ? share + 1 : share
        XCTAssertLessThanOrEqual(
            count - right, allowed, "\(set): \(right) of \(count) are right\n\(misses())",
            file: file, line: line)
    }
}
