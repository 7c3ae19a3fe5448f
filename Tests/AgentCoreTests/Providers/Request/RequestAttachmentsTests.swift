import AgentCore
import Base
import TestSupport
import XCTest

/// What a history's files become for the model that is asked now.
final class RequestAttachmentsTests: XCTestCase {
    private let claude = ModelOrigin(
        provider: .claude, format: .messages, model: "claude-sonnet-5-5")
    private let llava = ModelOrigin(provider: .local, format: .chat, model: "llava:7b")
    private let blind = ModelOrigin(provider: .local, format: .chat, model: "llama3.2:3b")
    private let other = ModelOrigin(provider: .local, format: .chat, model: "house-blend")

    private func png(_ width: Int, _ height: Int, more: Int = 0) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            + Array("IHDR".utf8) + big(width) + big(height) + Array(repeating: 0, count: more)
    }

    private func image(_ name: String = "a.png", _ bytes: [UInt8]? = nil) -> Part {
        .attachment(Attachment(name: name, mediaType: "image/png", bytes: bytes ?? png(10, 10)))
    }

    private let pdf = Part.attachment(
        Attachment(name: "p.pdf", mediaType: "application/pdf", bytes: [1]))

    private func turn(_ parts: [Part], answeredBy origin: ModelOrigin?) -> Turn {
        var messages = [Message(role: .user, parts: parts)]
        if let origin {
            messages.append(Message(role: .assistant, parts: [.text("ok")], origin: origin))
        }
        return Turn(status: .done, messages: messages)
    }

    private func parts(_ turns: [Turn], for target: ModelOrigin) -> [Part] {
        RequestHistory.messages(of: turns, for: target).filter { $0.role == .user }
            .flatMap(\.parts)
    }

    private func note(_ name: String, _ type: String) -> Part {
        .text("File \(name) (\(type)) was attached here; this model is not given it.")
    }

    func testAModelThatReadsOnlyTextGetsANoteForAnImageAndAPDF() {
        let turns = [
            turn([image(), pdf], answeredBy: claude), turn([.text("go on")], answeredBy: nil),
        ]
        XCTAssertEqual(parts(turns, for: claude), [image(), pdf, .text("go on")])
        XCTAssertEqual(
            parts(turns, for: blind),
            [note("a.png", "image/png"), note("p.pdf", "application/pdf"), .text("go on")])
        XCTAssertEqual(
            parts(turns, for: llava),
            [image(), note("p.pdf", "application/pdf"), .text("go on")])
    }

    func testAnUnknownModelGetsTheImagesThatItWasAskedWith() {
        let turns = [
            turn([image("old.png")], answeredBy: claude),
            turn([image("failed.png")], answeredBy: nil),
            turn([image("seen.png")], answeredBy: other),
            turn([image("new.png")], answeredBy: nil),
        ]
        XCTAssertEqual(
            parts(turns, for: other),
            [
                note("old.png", "image/png"), note("failed.png", "image/png"), image("seen.png"),
                image("new.png"),
            ])
    }

    func testAnImageAboveTheNewProvidersLimitsIsANote() {
        let wide = image("wide.png", png(9_000, 10))
        let heavy = image("heavy.png", png(10, 10, more: 4 << 20))
        let turns = [turn([wide, heavy, image()], answeredBy: llava)]
        XCTAssertEqual(
            parts(turns, for: claude),
            [note("wide.png", "image/png"), note("heavy.png", "image/png"), image()])
    }

    func testTheOldestGiveWayWhereAllAreTooMany() {
        let haiku = ModelOrigin(provider: .claude, format: .messages, model: "claude-haiku-4-5")
        let turns = (0..<103).map { turn([image("\($0).png")], answeredBy: haiku) }
        let kept = parts(turns, for: haiku)
        XCTAssertEqual(
            Array(kept.prefix(4)),
            [
                note("0.png", "image/png"), note("1.png", "image/png"),
                note("2.png", "image/png"), image("3.png"),
            ])
        XCTAssertEqual(kept.count { $0 == note("0.png", "image/png") }, 1)
        let crowd = (0..<25).map { turn([image("\($0)", png(2_500, 10))], answeredBy: claude) }
        XCTAssertEqual(parts(crowd, for: claude).first, note("0", "image/png"))
        XCTAssertEqual(
            parts(Array(crowd.prefix(20)), for: claude).first, image("0", png(2_500, 10)))
    }

    func testAFileThatIsOnlyKeptIsNotSentAndTakesNoRoom() {
        let kept = Part.attachment(
            Attachment(
                name: "talk.txt", mediaType: "text/plain", bytes: Array("hello there".utf8),
                isKeptOnly: true))
        let turns = [turn([kept, .text("hello there")], answeredBy: claude)]
        let without = [turn([.text("hello there")], answeredBy: claude)]
        for target in [claude, llava, blind] {
            XCTAssertEqual(parts(turns, for: target), [.text("hello there")])
        }
        XCTAssertEqual(
            turns.map(ContextWindow.tokens(of:)), without.map(ContextWindow.tokens(of:)))
        XCTAssertEqual(turns.map(\.hasUntrustedText), [true])
    }

    func testTextIsFencedByMoreThanItHolds() {
        let text = "a\n````\nb"
        let file = Attachment(name: "x.Swift", mediaType: "text/plain", bytes: Array(text.utf8))
        XCTAssertEqual(
            AttachmentContent(file), .text("File x.Swift:\n`````swift\na\n````\nb\n`````"))
    }

    func testHeadersTellTheSizeOfEveryFormatAndCutOnesTellNone() {
        let jpeg: [UInt8] =
            [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC4, 0, 3, 9, 0xFF, 0xC2, 0, 17, 8]
            + [0x02, 0x58, 0x03, 0x20, 3]
        let riff = Array("RIFF\0\0\0\0WEBP".utf8)
        let images: [(ImageHeader.Format, [UInt8], Int, Int)] = [
            (.png, png(1_024, 768), 1_024, 768),
            (.gif, Array("GIF89a".utf8) + [0x40, 0x01, 0xF0, 0x00], 320, 240),
            (.jpeg, jpeg, 800, 600),
            (
                .webp,
                riff + Array("VP8X\0\0\0\0".utf8) + [0, 0, 0, 0, 0xFF, 3, 0, 0xFF, 2, 0], 1_024,
                768
            ),
            (.webp, riff + Array("VP8L\0\0\0\0".utf8) + [0x2F, 0xFF, 0xC3, 0xBF, 0], 1_024, 768),
            (
                .webp,
                riff + Array("VP8 \0\0\0\0".utf8) + [0, 0, 0, 0x9D, 1, 0x2A, 0x40, 1, 0xF0, 0],
                320, 240
            ),
        ]
        for (format, bytes, width, height) in images {
            let header = ImageHeader(bytes)
            XCTAssertEqual(header?.format, format)
            XCTAssertEqual(
                header?.size, ImageHeader.Size(width: width, height: height), "\(format)")
            for count in 0..<bytes.count {
                let cut = ImageHeader(Array(bytes.prefix(count)))
                XCTAssertTrue(cut?.size == nil || cut?.size == header?.size)
            }
        }
    }

    func testHeadersOfNoiseNeverTrap() {
        var random = SplitMix(seed: 4)
        let starts: [[UInt8]] = [
            [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("RIFF1234WEBPVP8 ".utf8),
            Array("RIFF1234WEBPVP8L".utf8), Array("%PDF-".utf8), png(1, 1),
        ]
        for round in 0..<3_000 {
            var bytes = starts[round % starts.count]
            for _ in 0..<Int.random(in: 0..<60, using: &random) {
                bytes.append(.random(in: 0...255, using: &random))
            }
            if let size = ImageHeader(bytes)?.size { XCTAssertGreaterThan(size.longEdge, 0) }
            _ = PDFFacts(bytes)
        }
    }

    func testThePagesOfAPDFAreEstimated() {
        let plain = PDFFacts(
            Array("<</Type /Pages /Count 2>> <</Type/Page>> <</Type\n/Page /A 1>>".utf8))
        XCTAssertEqual(plain.pages, 2)
        XCTAssertFalse(plain.isEncrypted)
        let packed = PDFFacts(Array("<</Type/Pages/Count 17>> /Encrypt 4 0 R".utf8))
        XCTAssertEqual(packed.pages, 17)
        XCTAssertTrue(packed.isEncrypted)
        XCTAssertNil(PDFFacts(Array("%PDF-1.7 /EncryptMetadata".utf8)).pages)
    }
}
