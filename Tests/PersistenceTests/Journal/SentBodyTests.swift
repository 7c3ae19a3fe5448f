import AgentCore
import Base
import Persistence
import TestSupport
import XCTest

/// What is kept of a body: its words, and neither keys nor uploads.
final class SentBodyTests: XCTestCase {
    private func kept(_ text: String, hiding key: String? = nil) -> String {
        SentBody.text(Array(text.utf8), of: text.utf8.count, hiding: key)
    }

    private func digest(_ text: String) -> String {
        SHA256.hex(SHA256.digest(Array(text.utf8)))
    }

    func testWordsStayAndKeysGoWhateverTheirForm() {
        let plain = #"{"messages":[{"text":"naïve\nquestion"}]}"#
        XCTAssertEqual(kept(plain), plain)
        XCTAssertEqual(
            kept("use sk-ant-api03-Zq8vN2mXw5Rt7Yk1Lp4Bc6Df9Hj3Gs0."), "use [key].")
        XCTAssertEqual(kept("key: swordfish!", hiding: "swordfish"), "key: [key]!")
    }

    func testAPictureInTheTextIsItsSizeAndDigest() {
        let picture = String(repeating: "iVBORw0K", count: 100)
        XCTAssertEqual(
            kept(#"{"data":"\#(picture)","text":"what is it?"}"#),
            #"{"data":"[800 bytes, sha256 \#(digest(picture))]","text":"what is it?"}"#)
        XCTAssertEqual(kept("RIFF\0\0"), "[6 bytes, sha256 \(digest("RIFF\0\0"))]")
    }

    func testAnUploadIsItsSizeAndDigestAndTheRestOfTheFormStays() throws {
        let folder = try TemporaryFolder()
        let file = try OpenFile(try folder.write(Array("one two three".utf8), to: "talk.wav"))
        let request = HTTPRequest(
            Outgoing(.transcription), method: "POST", url: "https://a.example/v1",
            headers: [HTTPHeader("Authorization", "Bearer swordfish")],
            body: .slices([
                .bytes(Array("model=swordfish ".utf8)), .file(file, offset: 4, count: 3),
            ]))
        XCTAssertEqual(
            try SentBody.text(of: request),
            "POST https://a.example/v1\n\nmodel=[key] [3 bytes, sha256 \(digest("two"))]")
    }

    func testWhatIsTooLongIsCounted() {
        let text = kept(String(repeating: "word ", count: 1 << 20))
        XCTAssertTrue(text.hasSuffix("\n[\(1 << 20) more bytes]"), String(text.suffix(40)))
        // No digest of a part for that of the whole.
        XCTAssertEqual(SentBody.text([0, 1], of: 9, hiding: nil), "[9 bytes]")
    }
}
