import XCTest

@testable import AgentCore

final class RedactorTests: XCTestCase {
    private let person = PersonalData([.init(.name, "Łucja Groß"), .init(.employer, "Acme")])

    func testANameIsFoundInItsOtherSpellings() {
        var map = RedactionMap()
        let text = "LUCJA GROSS, Lucja Groß and łucja gro\u{AD}ß, but no Lucja Grossmann"
        let redacted = Redactor(person).redact(text, into: &map)
        XCTAssertEqual(
            redacted, "[NAME], [NAME_2] and [NAME_3], but no Lucja Grossmann")
        XCTAssertEqual(map.restore(redacted), text)
    }

    func testEmployersStayUnlessTheyAreToBeHidden() {
        var map = RedactionMap()
        XCTAssertEqual(Redactor(person).redact("at Acme", into: &map), "at Acme")
        XCTAssertEqual(
            Redactor(person, hidesEmployers: true).redact("at Acme", into: &map),
            "at [EMPLOYER]")
    }
}
