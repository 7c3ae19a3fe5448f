import Base
import Foundation
import Privacy
import TestSupport
import XCTest

/// What a receiver could read in a request: each way to write a name, an address or a
/// number into a body stops it, and what only looks like one does not.
final class LeakGateTrapsTests: XCTestCase {
    private let gate = LeakGate(
        PersonalData([
            .init(.name, "Zoë Ångström-Okafor"), .init(.email, "zoe.angstrom@mail.example"),
            .init(.phone, "+44 7700 900123"), .init(.address, "29 Wisteria Mews, Leeds LS6 2PL"),
            .init(.url, "https://github.com/zangstrom"),
        ]))

    private static let secrets = [
        "Zoë Ångström-Okafor", "zoe.angstrom@mail.example", "+44 7700 900123", "29 Wisteria Mews",
        "github.com/zangstrom",
    ]

    private func body(_ text: String) -> [UInt8] {
        JSONWriter.bytes([
            "model": "m", "input": [["role": "user", "content": .string(text)]],
        ])
    }

    private func assertStopped(
        _ text: String, _ name: String, file: StaticString = #filePath, line: UInt = #line
    ) {
        XCTAssertFalse(
            gate.leaks(in: body("Some words before. \(text) and after.")).isEmpty,
            "\(name): \(text)", file: file, line: line)
    }

    private func escaped(_ text: String, _ form: (UInt8) -> String) -> String {
        text.utf8.map(form).joined()
    }

    func testAnUnredactedPayloadIsStopped() throws {
        for secret in Self.secrets {
            assertStopped(secret, "plain")
            assertStopped(secret.uppercased(), "upper case")
            assertStopped(secret.map(String.init).joined(separator: "\u{200B}"), "zero width")
            assertStopped(secret.decomposedStringWithCanonicalMapping, "decomposed")
            assertStopped(
                secret.replacing(" ", with: "\u{A0}").replacing("-", with: "\u{2011}"),
                "hard blanks")
            let half = secret.index(secret.startIndex, offsetBy: secret.count / 2)
            assertStopped("\(secret[..<half])**\(secret[half...])**", "markup")
            assertStopped("\(secret[..<half])<b>\(secret[half...])</b>", "tags")
            assertStopped("\(secret[..<half])<!-- -->\(secret[half...])", "comment")
        }
        assertStopped("Z O E  A N G S T R O M - O K A F O R", "spaced")
        // Of two parts.
        assertStopped("okafor", "surname alone")
    }

    func testEncodedOnesAreStopped() {
        for secret in Self.secrets {
            for shift in 0..<3 {
                let bytes = String(repeating: "x", count: shift) + secret
                let code = Data(bytes.utf8).base64EncodedString()
                assertStopped(code, "base64 at \(shift)")
                assertStopped(
                    code.replacing("+", with: "-").replacing("/", with: "_").replacing(
                        "=", with: ""),
                    "base64 for URLs")
            }
            let long = Data((String(repeating: "lorem ipsum ", count: 9) + secret).utf8)
            assertStopped(
                long.base64EncodedString(options: .lineLength76Characters), "base64 in lines")
            assertStopped(
                Data(long.base64EncodedString().utf8).base64EncodedString(), "base64 twice")
            assertStopped(escaped(secret) { "%" + String($0, radix: 16) }, "percent")
            assertStopped(escaped(secret) { "%25" + String($0, radix: 16) }, "percent twice")
            assertStopped(
                secret.addingPercentEncoding(withAllowedCharacters: .urlHostAllowed) ?? "",
                "percent where needed")
            assertStopped(secret.replacing(" ", with: "+"), "form")
            assertStopped(
                secret.unicodeScalars.map { "&#\($0.value);" }.joined(), "decimal entities")
            assertStopped(
                secret.unicodeScalars.map { "&#x\(String($0.value, radix: 16));" }.joined(),
                "hexadecimal entities")
            assertStopped(
                secret.utf16.map { "\\u" + String(format: "%04x", $0) }.joined(),
                "escapes inside a string")
            let inner = String(decoding: JSONWriter.bytes(["a": .string(secret)]), as: UTF8.self)
            assertStopped(inner, "JSON in JSON")
            assertStopped(
                String(decoding: JSONWriter.bytes(["b": .string(inner)]), as: UTF8.self),
                "JSON in JSON in JSON")
        }
        assertStopped("Zo&euml; &Aring;ngstr&ouml;m-Okafor", "named entities")
    }

    /// The first character of each escaped, as servers do it.
    func testEscapesOfTheBodyItselfAreStopped() {
        for secret in Self.secrets {
            let code = secret.utf16.map { "\\u" + String(format: "%04x", $0) }.joined()
            let raw = #"{"model": "m", "input": "before \#(code) after"}"#
            XCTAssertFalse(gate.leaks(in: Array(raw.utf8)).isEmpty, raw)
        }
        let key = JSONWriter.bytes(["zoe.angstrom@mail.example": true])
        XCTAssertFalse(gate.leaks(in: key).isEmpty, "a key")
        let fields = JSONWriter.bytes(["first": "Zoë", "last": "Ångström-Okafor"])
        XCTAssertFalse(gate.leaks(in: fields).isEmpty, "two fields")
    }

    func testABodyThatTellsNothingPasses() {
        let texts = [
            "[NAME] moved 4,200,000 records in 2019; write to [EMAIL] or [PHONE].",
            String(repeating: "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo", count: 40),
            "The zoo in Leeds; mews and wisteria; a mail; an example; github.com/apache/kafka",
            "7700 visitors, 900 stands, 123 talks; 29 apples; LS6", "zo", "+44",
        ]
        for text in texts {
            XCTAssertEqual(gate.leaks(in: body(text)).map(\.line), [], text)
        }
    }

    /// Random bytes as images have them: three letters of a name are in every one.
    func testAMegabyteOfBase64StopsNothing() {
        var random = SplitMix(seed: 15)
        let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let gate = LeakGate(
            PersonalData([
                .init(.name, "Bo Li"), .init(.name, "Ana Roe"), .init(.email, "bo@li.example"),
                .init(.phone, "12345"),
            ]))
        XCTAssertEqual(gate.leaks(in: body(Data(bytes).base64EncodedString())).map(\.line), [])
    }
}
