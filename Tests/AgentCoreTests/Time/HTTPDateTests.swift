import Foundation
import XCTest

@testable import Base

final class HTTPDateTests: XCTestCase {
    func testItAgreesWithFoundationOverTheYears() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for (format, years) in [
            ("EEE, dd MMM yyyy HH:mm:ss 'GMT'", 1971...2400),
            ("EEE MMM d HH:mm:ss yyyy", 1971...2400),
            ("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", 1971...2069),
        ] {
            formatter.dateFormat = format
            let first = Double((years.lowerBound - 1970) * 365) * 86_400
            let last = Double((years.upperBound - 1970) * 365) * 86_400
            // A prime number of seconds, to meet every month and hour.
            for seconds in stride(from: first, to: last, by: 8_640_013) {
                let text = formatter.string(from: Date(timeIntervalSince1970: seconds))
                XCTAssertEqual(HTTPDate.secondsSince1970(text), seconds, text)
            }
        }
    }

    func testDaysThatDoNotExistAndOtherTextsAreNil() {
        for text in [
            "", "now", "Sun, 06 Nov 1994", "Sun, 32 Jan 1994 00:00:00 GMT",
            "Sun, 29 Feb 1900 00:00:00 GMT", "Sun, 00 Jan 1994 00:00:00 GMT",
            "Sun, 06 Foo 1994 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 00:60:00 GMT", "Sun, 06 Nov 1994 00:00:61 GMT",
            "Sun, 06 Nov 1994 00:00 GMT", "Sun, 06 Nov 1994 00:00:00 CET",
            "Sun, 06 Nov 99999 00:00:00 GMT", "1994-11-06T08:49:37Z",
        ] {
            XCTAssertNil(HTTPDate.secondsSince1970(text), text)
        }
        XCTAssertNotNil(HTTPDate.secondsSince1970("Tue, 29 Feb 2000 23:59:60 GMT"))
    }
}
