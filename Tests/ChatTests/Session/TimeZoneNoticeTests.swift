import Base
import XCTest

@testable import chat

/// The notice of a machine that does not say where it is.
final class TimeZoneNoticeTests: XCTestCase {
    func testAKnownZoneNeedsNoNotice() {
        XCTAssertNil(TimeZoneNotice.text(LocalTime(.utc)))
    }

    func testAWrongVariableIsNamed() {
        let old = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", ":Middle/Earth", 1)
        defer { if let old { setenv("TZ", old, 1) } else { unsetenv("TZ") } }
        XCTAssertEqual(
            TimeZoneNotice.text(LocalTime()),
            "TZ is \"Middle/Earth\", which is not a known time zone; times are in UTC.")
    }

    func testTheMissingPackageIsNamed() throws {
        XCTAssertEqual(
            TimeZoneNotice.text(.noDatabase(folder: "/usr/share/zoneinfo")),
            "No time zones are installed (/usr/share/zoneinfo is missing); times are in UTC: "
                + (PackageManager.here.line(forOneOf: ["tzdata"]) ?? ""))
    }
}
