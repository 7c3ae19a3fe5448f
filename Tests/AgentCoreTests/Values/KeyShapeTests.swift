import XCTest

@testable import Base

/// What looks like a key, and what only begins like one.
final class KeyShapeTests: XCTestCase {
    /// Letters and digits in no order.
    private static func body(_ count: Int) -> String {
        String(String(repeating: "aB3xK9mQ7rT2vW5yZ8cD4fG6hJ1nP0sL", count: 8).prefix(count))
    }

    static let keys = [
        "sk-ant-api03-" + body(93), "sk-ant-admin01-" + body(90), "sk-proj-" + body(120),
        "sk-" + body(48), "sk-or-v1-" + body(64), "sk-svcacct-" + body(100),
        "sk_live_" + body(24), "ghp_" + body(36), "github_pat_" + body(22) + "_" + body(59),
        "glpat-" + body(20), "xoxb-123456789012-1234567890123-" + body(24), "AIza" + body(35),
        "ya29." + body(80), "AKIAIOSFODNN7EXAMPLE", "gsk_" + body(52), "hf_" + body(34),
        "xai-" + body(80), "npm_" + body(36), "SG." + body(22) + "." + body(43),
        "eyJ" + body(33) + ".eyJ" + body(70) + "." + body(43), "123456789:AA" + body(33),
        "-----BEGIN OPENSSH PRIVATE KEY-----\n" + body(70) + "\n-----END OPENSSH PRIVATE KEY-----",
        body(32),
    ]

    func testKeysOfEveryVendorAreFoundAloneQuotedAndInASentence() {
        for key in Self.keys {
            for text in [key, " \(key)\n", "\"\(key)\""] {
                XCTAssertTrue(KeyShape.isAll(of: text), text)
            }
        }
        for key in Self.keys.dropLast() {
            for text in [
                "my key is \(key), use it", "export KEY=\(key)", "{\"k\":\"\(key)\"}",
                "x\n\(key)\ny", "See \(key).",
            ] {
                XCTAssertTrue(KeyShape.isFound(in: text), text)
                XCTAssertFalse(KeyShape.isAll(of: text), text)
                XCTAssertEqual(
                    KeyShape.redacted(text), text.replacingOccurrences(of: key, with: "[key]"))
            }
        }
    }

    func testAnOpaqueWordIsAKeyBehindANameThatSaysSo() {
        let hash = "8f3a9c1d7e5b2046a8f3c9d1e7b5204a"
        for text in [
            "AZURE_OPENAI_KEY=\(hash)", "\"api_key\": \"\(hash)\"", "api-key: \(hash)",
            "my token is \(hash)", "Authorization: Bearer \(hash)", "password = '\(hash)'",
        ] {
            XCTAssertTrue(KeyShape.isFound(in: text), text)
        }
        for text in [
            hash, "commit \(hash)", "md5: \(hash)", "the monkey \(hash)",
            "id=550e8400-e29b-41d4-a716-446655440000",
        ] {
            XCTAssertFalse(KeyShape.isFound(in: text), text)
        }
    }

    func testPlaceholdersNamesAndWordsAreNoKeys() {
        for text in [
            "", "hello", "sk-", "what is sk-learn?", "set sk-ant-… in the shell",
            "sk-ant-api03-xxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "OPENAI_API_KEY=sk-your-key-here", "sk-toggleable__control sk-hidden--visually",
            "sk-estimator-doc-link-2026", "hf_transformers_model", "AKIA",
            "Donaudampfschifffahrtsgesellschaftskapitän2026", "AIza is what they begin with",
            "/a/very/long/path/to/a/file-2026-03-05.txt",
            "https://example.org/0123456789abcdef0123456789abcdef", "2026-11-22T14:00:00.000Z",
            "550e8400-e29b-41d4-a716-446655440000", "token = nextToken(from: stream2)",
            "-----BEGIN CERTIFICATE-----\nMIIB", "testAnOpaqueWordIsAKeyBehindANameThatSaysSo",
        ] {
            XCTAssertFalse(KeyShape.isFound(in: text), text)
            XCTAssertEqual(KeyShape.redacted(text), text)
        }
    }

    func testALongTextIsSearchedOnce() {
        for piece in ["-----BEGIN sk-ant- eyJ", Self.body(40) + " ", "key = "] {
            XCTAssertFalse(KeyShape.isFound(in: String(repeating: piece, count: 20_000)), piece)
        }
    }
}
