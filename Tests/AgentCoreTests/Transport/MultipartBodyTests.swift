import TestSupport
import XCTest

@testable import AgentCore

final class MultipartBodyTests: XCTestCase {
    func testStatesEachPartByTheStandard() throws {
        let body = MultipartBody(
            [
                MultipartBody.Part(name: "model", text: "whisper-1"),
                MultipartBody.Part(name: "empty", text: ""),
                MultipartBody.Part(
                    name: "file", filename: "audio.wav", contentType: "audio/wav",
                    content: [.bytes([1, 2]), .bytes([]), .bytes([13, 10, 3])]),
            ], boundary: "b42")
        XCTAssertEqual(body.contentType, "multipart/form-data; boundary=b42")
        XCTAssertEqual(
            String(decoding: bytes(body), as: UTF8.self),
            "--b42\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\nwhisper-1"
                + "\r\n--b42\r\nContent-Disposition: form-data; name=\"empty\"\r\n\r\n"
                + "\r\n--b42\r\nContent-Disposition: form-data; name=\"file\"; "
                + "filename=\"audio.wav\"\r\nContent-Type: audio/wav\r\n\r\n\u{1}\u{2}\r\n\u{3}"
                + "\r\n--b42--\r\n")
    }

    func testRangesAreWhereTheContentStands() throws {
        let body = MultipartBody(
            [
                MultipartBody.Part(name: "a", text: "first"),
                MultipartBody.Part(name: "b", content: [.bytes([7, 8]), .bytes([9])]),
                MultipartBody.Part(name: "c", text: ""),
            ], boundary: "x")
        let all = bytes(body)
        XCTAssertEqual(body.ranges.map { Array(all[$0]) }, [[UInt8]("first".utf8), [7, 8, 9], []])
    }

    func testFormWithoutPartsIsItsEndAlone() throws {
        let body = MultipartBody([], boundary: "x")
        XCTAssertEqual(bytes(body), [UInt8]("--x--\r\n".utf8))
        XCTAssertEqual(body.ranges.count, 0)
    }

    func testNothingInANameEndsItsQuotesOrItsLine() throws {
        for (name, shown) in [
            (#"a"; name="model"#, "a%22; name=%22model"),
            ("a\r\nX-Evil: 1\r\n\r\nbody", "a%0D%0AX-Evil: 1%0D%0A%0D%0Abody"),
            ("a\nb\rc", "a%0Ab%0Dc"), ("--x", "--x"), ("naïve 🎙.m4a", "naïve 🎙.m4a"),
            ("a\\b", "a\\b"), ("%22", "%22"),
        ] {
            let body = MultipartBody(
                [
                    MultipartBody.Part(
                        name: name, filename: name, contentType: "a/b\r\nX-Evil: 1",
                        content: [.bytes([1])])
                ], boundary: "x")
            let form = try MultipartForm(Data(bytes(body)), boundary: "x")
            XCTAssertEqual(
                form.parts.map(\.headers),
                [
                    [
                        "content-disposition":
                            #"form-data; name="\#(shown)"; filename="\#(shown)""#,
                        "content-type": "a/b%0D%0AX-Evil: 1",
                    ]
                ])
            XCTAssertEqual(form.parts.first?.body, [1])
        }
    }

    private func bytes(_ body: MultipartBody) -> [UInt8] {
        body.slices.flatMap { slice in
            guard case .bytes(let bytes) = slice else { return [UInt8]() }
            return bytes
        }
    }
}
