import Base
import Foundation
import XCTest

@testable import AgentCore

/// What of a server's words is kept.
final class ServerTextTests: XCTestCase {
    private let key = "sk-canary-Zq8vN3xT5bL7wR2mK9pJ4hG6"

    private func text(_ said: String?, key: String? = "", limit: Int = 500) -> String? {
        ServerText(said, hiding: key == "" ? self.key : key, limit: limit)?.text
    }

    func testTheKeyIsTakenOutWholeAndInParts() {
        XCTAssertEqual(text("bad key \(key)!"), "bad key [key]!")
        XCTAssertEqual(text("bad key sk-canary-Zq8vN3xT5 …"), "bad key [key] …")
        XCTAssertEqual(text("…7wR2mK9pJ4hG6."), "…[key].")
        // What the key's list shows of it.
        XCTAssertEqual(text("sk-****4hG6"), "sk-****4hG6")
        XCTAssertEqual(text("\(key)\(key)"), "[key]")
        XCTAssertEqual(text("key pass-1, not pass", key: "pass-1"), "key [key], not pass")
        XCTAssertEqual(text("a one-letter key", key: "a"), "a one-letter key")
    }

    private func hex(_ text: String) -> String {
        text.utf8.map { String(format: "%02x", $0) }.joined()
    }

    func testTheKeyIsTakenOutHoweverItIsWritten() {
        let spaced = key.map(String.init).joined(separator: " ")
        let spellings = [
            key.uppercased(), key.lowercased(), spaced, spaced.uppercased(),
            key.map(String.init).joined(separator: "\n"), key.replacing("-", with: " – "),
            String(key.reversed()), hex(key), hex(key).uppercased(),
            key.utf8.map { String(format: "%%%02X", $0) }.joined(),
            key.utf8.map { String(format: "%02x:", $0) }.joined(),
        ]
        for spelling in spellings {
            let kept = text("it said \(spelling) there") ?? ""
            XCTAssertTrue(kept.contains("[key]"), "\(spelling): \(kept)")
            XCTAssertLessThan(kept.count, 24, kept)
        }
    }

    /// Among other bytes in base64 it begins in any of three places of a group, and its
    /// ends share digits with what is around it.
    func testTheKeyIsTakenOutOfBase64WhereverItLies() {
        for lead in ["", "u", "us", "user:", "Bearer ", "{\"key\":\""] {
            let encoded = Base64.text(Array("\(lead)\(key)\"}".utf8))
            for text64 in [
                encoded, encoded.replacing("+", with: "-").replacing("/", with: "_"),
                encoded.enumerated().map { $0 > 0 && $0 % 20 == 0 ? "\n\($1)" : "\($1)" }.joined(),
            ] {
                let kept = text("got \(text64).") ?? ""
                XCTAssertTrue(kept.contains("[key]"), kept)
                let rest = kept.replacing("[key]", with: "").count
                XCTAssertLessThan(rest, 12 + lead.utf8.count * 4 / 3 + 8, kept)
            }
        }
    }

    /// Dummy keys of local servers are words.
    func testAShortKeyIsNoOtherWord() {
        XCTAssertEqual(text("Ollama: o l l a m a", key: "ollama"), "Ollama: o l l a m a")
        XCTAssertEqual(text("not ollama", key: "ollama"), "not [key]")
        XCTAssertEqual(text("as 6F6C6C616D61", key: "ollama"), "as [key]")
    }

    func testAKeyOfSomebodyElseIsTakenOutByItsShape() {
        let other = "sk-proj-0123456789abcdefABCDEF"
        XCTAssertEqual(text("upstream said: \(other)", key: nil), "upstream said: [key]")
    }

    /// Keys of one vendor begin alike; without its beginning the other one would
    /// have no shape.
    func testAnotherKeyOfTheSameVendorIsTakenOutWhole() {
        let own = "sk-ant-api03-Zq8vN3xT5bL7wR2mK9pJ4hG6"
        let other = "sk-ant-api03-0a1B2c3D4e5F6g7H8i9J0k1L"
        XCTAssertEqual(text("not \(other), but \(own)", key: own), "not [key], but [key]")
        XCTAssertEqual(text("\(own)\(other)", key: own), "[key]")
    }

    func testHalfAKeyAtTheLimitIsNoKeyLeft() {
        for length in 0...key.utf8.count {
            let said = String(repeating: "x", count: 50 - length) + " " + key
            let kept = text(said, limit: 50) ?? ""
            XCTAssertFalse(kept.contains("sk-"), kept)
        }
    }

    func testWhiteSpaceAroundItGoesAndItsLengthIsBounded() {
        XCTAssertNil(text(nil))
        XCTAssertNil(text(" \n\t"))
        XCTAssertEqual(text("  a b \n"), "a b")
        let long = text(String(repeating: "é", count: 100_000)) ?? ""
        XCTAssertEqual(long.unicodeScalars.count, 501)
        XCTAssertTrue(long.hasSuffix("…"))
    }
}
