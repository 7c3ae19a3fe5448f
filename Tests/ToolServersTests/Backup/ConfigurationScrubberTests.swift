import XCTest

@testable import Texts

final class ConfigurationScrubberTests: XCTestCase {
    private func scrubbed(_ text: String) -> (text: String?, leftOut: [String]) {
        let result = ConfigurationScrubber(Array(text.utf8))
        return (result.text.map { String(decoding: $0, as: UTF8.self) }, result.leftOut)
    }

    func testCommandsThatPrintKeysAndHooksAreLeftOutAndTheRestStaysAsItIs() {
        let (text, leftOut) = scrubbed(
            """
            {
              // mine
              "claude": { "key_command": ["pass", "a]b", {}], "model": "m" },
              "openai": { "model": "n", "key_command": "op read x", },
              "alerts": { "hook": "curl -H 'T: abc'" /* why */, "bell": true },
              "keys": "vi",
            }
            """)
        XCTAssertEqual(
            text,
            """
            {
              // mine
              "claude": { /* key_command was left out of the backup */ "model": "m" },
              "openai": { "model": "n", /* key_command was left out of the backup */ },
              "alerts": { /* hook was left out of the backup */ "bell": true },
              "keys": "vi",
            }
            """)
        XCTAssertEqual(leftOut, ["key_command", "hook"])
    }

    func testWhatIsShapedLikeAKeyIsLeftOutOfTextsAndCommentsToo() {
        let key = "sk-ant-api03-abcdefghijklmnop0123456789"
        let (text, leftOut) = scrubbed("{ // \(key)\n \"model\": \"\(key)\" }")
        XCTAssertEqual(text, "{ // [key]\n \"model\": \"[key]\" }")
        XCTAssertEqual(leftOut, ["a key"])
    }

    func testAPasswordInAnAddressIsLeftOut() {
        let (text, leftOut) = scrubbed(
            "{\"local\": {\"base_url\": \"https://me:pass@word@example.org/v1\"}}")
        XCTAssertEqual(text, "{\"local\": {\"base_url\": \"https://example.org/v1\"}}")
        XCTAssertEqual(leftOut, ["a password"])
    }

    func testWhatCannotBeReadOrIsDisguisedDoesNotGoAlong() {
        XCTAssertNil(scrubbed("{ \"key_command\": ").text)
        XCTAssertNil(scrubbed("{ \"h\\u006fok\": \"curl\" }").text)
        XCTAssertNil(scrubbed("not json").text)
    }

    func testAPlainConfigurationIsTheSameByteForByte() {
        let plain = "{\r\n\t\"keys\": \"vi\", // é\r\n}\r\n"
        XCTAssertEqual(scrubbed(plain).text, plain)
        XCTAssertEqual(scrubbed(plain).leftOut, [])
    }
}
