import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

final class ToolCallRecordTests: XCTestCase {
    private func redacted(_ json: String, _ person: PersonalData) throws -> String {
        let arguments = try XCTUnwrap(try JSONParser.parse(json).objectValue)
        return JSONWriter.string(.object(ToolCallRecord.redacted(arguments, for: person)))
    }

    func testNamesAddressesAndKeysAreReplacedWhereverTheyStand() throws {
        let person = PersonalData([.init(.name, "Ida Lindqvist")])
        let key = "sk-ant-api03-" + String(repeating: "aB3x", count: 12)
        let json = """
            {"title":"ring Ida Lindqvist","to":["ida@example.org"],"n":2,"flag":true,\
            "note":{"text":"key \(key)"},"phone":4915112345678}
            """
        let kept = try redacted(json, person)
        for private_ in ["Ida", "Lindqvist", "ida@", key] {
            XCTAssertFalse(kept.contains(private_), kept)
        }
        XCTAssert(kept.contains(#""n":2,"flag":true"#), kept)
        XCTAssert(kept.contains("ring "), kept)
    }

    func testALongTextIsCutAfterRedactionAndAVeryLongOneIsItsSize() throws {
        let long = String(repeating: "word ", count: 100)
        let kept = try redacted("{\"body\":\"\(long)\"}", PersonalData())
        XCTAssert(kept.hasSuffix("… [500 bytes]\"}"), kept)
        XCTAssertLessThan(kept.utf8.count, 260)
        let huge = String(repeating: "x", count: 5_000)
        XCTAssertEqual(
            try redacted("{\"body\":\"\(huge)\"}", PersonalData()), "{\"body\":\"[5000 bytes]\"}")
    }
}
