import XCTest

@testable import Base

final class SearchTextTests: XCTestCase {
    func testCaseAccentsAndSpacesDoNotMatter() {
        let pairs = [
            ("Crème  Brûlée", "creme brulee"), ("CAFE\u{301}", "cafe"), ("ÅNGSTRÖM", "angstrom"),
            ("Straße", "strasse"), ("Łódź", "lodz"), ("Ça va\tbien\n", "ca va bien"),
            ("ΆΛΦΑ", "αλφα"), ("Việt Nam", "viet nam"), ("Æther", "aether"), ("買い物", "買い物"),
            ("İstanbul", "istanbul"), ("🎁 Geschenk", "🎁 geschenk"), ("", ""), ("  ", ""),
        ]
        XCTAssertEqual(pairs.map { SearchText.folded($0.0) }, pairs.map(\.1))
    }
}
