import XCTest

@testable import Base

final class BaseURLTests: XCTestCase {
    func testAddressesAreNormalised() throws {
        let table: [(String, text: String, origin: String, isLoopback: Bool)] = [
            (
                "https://api.openai.com/v1/", "https://api.openai.com/v1",
                "https://api.openai.com:443", false
            ),
            (" HTTPS://Example.COM ", "https://example.com", "https://example.com:443", false),
            ("https://h:443/a//", "https://h/a", "https://h:443", false),
            ("http://localhost:1234/v1", "http://localhost:1234/v1", "http://localhost:1234", true),
            ("http://127.9.9.9", "http://127.9.9.9", "http://127.9.9.9:80", true),
            ("http://[::1]:8080", "http://[::1]:8080", "http://[::1]:8080", true),
        ]
        for (given, text, origin, isLoopback) in table {
            let url = try BaseURL(given)
            XCTAssertEqual(url.text, text)
            XCTAssertEqual(url.origin, origin)
            XCTAssertEqual(url.isLoopback, isLoopback)
        }
    }

    func testWhatIsNoUsableAddressIsRefused() {
        let table: [(String, BaseURL.Problem)] = [
            ("", .empty), ("example.com", .unknownScheme), ("ftp://x", .unknownScheme),
            ("https://", .badHost), ("https://a b", .forbiddenCharacter),
            ("https://a\r\nb", .forbiddenCharacter), ("https://user:pw@h", .unexpectedPart),
            ("https://h?x=1", .unexpectedPart), ("https://h#x", .unexpectedPart),
            ("https://h:0", .badPort), ("https://h:99999", .badPort), ("https://h:", .badPort),
            ("https://.h", .badHost), ("https://[::1", .badHost),
            ("https://é", .forbiddenCharacter),
            ("https://h\\x", .forbiddenCharacter), ("http://example.com", .plainHTTP),
            ("http://localhost.evil.com", .plainHTTP), ("http://127.0.0.1.evil.com", .plainHTTP),
            ("http://127.1", .plainHTTP), ("http://0127.0.0.1", .plainHTTP),
            ("http://0.0.0.0", .plainHTTP), ("http://192.168.1.5", .plainHTTP),
        ]
        for (text, problem) in table {
            XCTAssertThrowsError(try BaseURL(text), text) {
                XCTAssertEqual($0 as? BaseURL.Problem, problem, text)
            }
        }
        XCTAssertNoThrow(try BaseURL("http://192.168.1.5:8000/v1", allowsPlainHTTP: true))
    }

    func testOllamasOwnRules() throws {
        let table: [(String?, String)] = [
            (nil, "http://127.0.0.1:11434/v1"), ("", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0", "http://127.0.0.1:11434/v1"), ("0.0.0.0:9", "http://127.0.0.1:9/v1"),
            (":9", "http://127.0.0.1:9/v1"), ("[::]:9", "http://127.0.0.1:9/v1"),
            ("localhost", "http://localhost:11434/v1"),
            ("\"localhost:5\"", "http://localhost:5/v1"),
            ("::1", "http://[::1]:11434/v1"), ("[::1]", "http://[::1]:11434/v1"),
            ("http://localhost", "http://localhost/v1"),
            ("https://ollama.example/x/", "https://ollama.example/x/v1"),
            ("localhost:5/v1", "http://localhost:5/v1"),
        ]
        for (variable, text) in table {
            XCTAssertEqual(try BaseURL.ollama(host: variable).text, text, variable ?? "nil")
        }
        XCTAssertThrowsError(try BaseURL.ollama(host: "192.168.1.5")) {
            XCTAssertEqual($0 as? BaseURL.Problem, .plainHTTP)
        }
    }
}
