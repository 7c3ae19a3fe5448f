import Foundation
import TestSupport
import XCTest

@testable import Base

/// Base64 beside Foundation's.
final class Base64Tests: XCTestCase {
    func testEveryLengthIsWrittenAndReadAsFoundationDoes() throws {
        var random = SplitMix(seed: 4648)
        for count in Array(0...130) + [65_537] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = Base64.text(bytes)
            XCTAssertEqual(text, Data(bytes).base64EncodedString())
            XCTAssertEqual(Base64.bytes(text), bytes)
        }
    }

    func testWhatIsNotBase64IsNil() {
        for text in [
            "A", "AB", "ABC", "ABCDE", "AB=C", "A===", "====", "=AAA", "QQ==QQ==", "AB C", "AB\nC",
            "AB-_", "ABCé",
        ] {
            XCTAssertNil(Base64.bytes(text), text)
        }
    }
}
