import AgentCore
import Base
import XCTest

@testable import ChatKit

/// The pure values: secret, origin, cleaning.
final class KeyValuesTests: XCTestCase {
    func testNoWayOfPrintingShowsASecret() {
        let secret = Secret(canary)
        let stored = StoredKey(name: .openai, origin: openAI, secret: secret)
        let entry = KeyEntry(.openai, stored, .secretService)
        let lookup = KeyLookup(key: secret, source: .secretService, failures: [])
        for value: Any in [secret, stored, entry, lookup, [secret], ["k": secret]] {
            var dumped = ""
            dump(value, to: &dumped)
            let text =
                "\(value) \(String(describing: value)) \(String(reflecting: value)) \(dumped)"
            for length in 0..<canary.count - 11 {
                let window = canary.dropFirst(length).prefix(12)
                XCTAssertFalse(text.contains(window), text)
            }
        }
        XCTAssertEqual(secret.tail, "…wxyz")
        XCTAssertEqual(Secret("short").tail, "…")
    }

    func testEqualOriginsAreEqualValues() {
        let table: [(String, String?)] = [
            ("https://api.openai.com/v1", "https://api.openai.com"),
            ("HTTPS://API.OpenAI.com:443", "https://api.openai.com"),
            ("http://localhost:11434/v1", "http://localhost:11434"),
            ("http://h:80", "http://h"), ("https://h:80", "https://h:80"),
            ("http://[::1]:8080/x", "http://[::1]:8080"), ("http://[::1]", "http://[::1]"),
            ("https://user:pass@evil.example/", "https://evil.example"),
            ("https://api.openai.com@evil.example/", "https://evil.example"),
            ("https://evil.example?https://api.openai.com", "https://evil.example"),
            ("https://evil.example#@api.openai.com", "https://evil.example"),
            ("https://evil.example\\@api.openai.com", nil),
            ("ftp://h", nil), ("api.openai.com", nil), ("https://", nil), ("https:///x", nil),
            ("https://h:0", nil), ("https://h:99999", nil), ("https://h:x", nil),
            ("https://аpi.openai.com", nil), ("https://a b", nil), ("", nil),
        ]
        for (url, expected) in table {
            XCTAssertEqual(KeyOrigin(url)?.description, expected, url)
        }
    }

    func testAPastedKeyIsCleaned() throws {
        for text in [
            canary, " \(canary)\r\n", "\"\(canary)\"", "'\(canary)'\n", "Bearer \(canary)",
            "bearer  \(canary) ", "\"Bearer \(canary)\"", "\u{FEFF}\(canary)",
        ] {
            XCTAssertEqual(try KeyText.clean(text), canary)
        }
    }

    func testWhatCannotBeAKeyIsRefused() {
        let table: [(String, KeyText.Problem)] = [
            ("", .empty), (" \n", .empty), ("Bearer ", .empty), ("sk-a\r\nX: y", .controlCharacter),
            ("sk a", .controlCharacter), ("sk-\u{1B}[0m", .controlCharacter), ("sk-é", .notASCII),
            (String(repeating: "a", count: 5000), .tooLong),
        ]
        for (text, problem) in table {
            XCTAssertThrowsError(try KeyText.clean(text), text) {
                XCTAssertEqual($0 as? KeyText.Problem, problem, text)
            }
        }
    }
}
