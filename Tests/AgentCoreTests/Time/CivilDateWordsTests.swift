import Base
import XCTest

final class CivilDateWordsTests: XCTestCase {
    func testDaysNearNowHaveNamesAndOthersTheYearWhereItIsAnother() throws {
        let today = try XCTUnwrap(CivilDate(year: 2026, month: 12, day: 31))
        let words = (-2...2).map { today.adding(days: $0).heading(asOf: today) }
        XCTAssertEqual(
            words,
            [
                "Tue 29 Dec", "Yesterday, Wed 30 Dec", "Today, Thu 31 Dec",
                "Tomorrow, Fri 1 Jan 2027", "Sat 2 Jan 2027",
            ])
        XCTAssertEqual(today.adding(days: 1).nearText(asOf: today), "tomorrow, Fri 1 Jan 2027")
        XCTAssertEqual(today.adding(days: -400).text(asOf: today), "Wed 26 Nov 2025")
    }
}
