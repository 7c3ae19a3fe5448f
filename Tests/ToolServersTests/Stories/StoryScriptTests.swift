import StoryKit
import XCTest

@testable import Stories

final class StoryScriptTests: XCTestCase {
    private static let tide = """
        The Tide

        Chapter 1

        “Will it rise? I _do_ hope so,” said Ida. Nobody knew.

        Chapter 2

        “Yes,” said somebody.
        """

    private func script(
        _ source: String = tide, speakers: [Int: Int]? = nil, part: Range<Int>? = nil
    ) throws -> StoryScript {
        let text = StoryText(source)
        let quotations = text.spans.indices.filter { text.spans[$0].kind == .quotation }
        let starts = ["Chapter 1", "Chapter 2"].compactMap { title in
            source.range(of: title).map {
                source.utf8.distance(from: source.startIndex, to: $0.lowerBound)
            }
        }
        return StoryScript(
            text, speakers: try speakers ?? [XCTUnwrap(quotations.first): 0], chapters: starts,
            part: part)
    }

    func testEachSentenceHasItsSpeakerItsChapterAndItsSilence() throws {
        let lines = try script().lines
        XCTAssertEqual(
            lines.map(\.text),
            [
                "The Tide", "Chapter 1", "“Will it rise?", "I do hope so,”", "said Ida.",
                "Nobody knew.", "Chapter 2", "“Yes,”", "said somebody.",
            ])
        XCTAssertEqual(
            lines.map(\.speaker),
            [
                .narrator, .narrator, .character(0), .character(0), .narrator, .narrator,
                .narrator, .character(nil), .narrator,
            ])
        XCTAssertEqual(lines.map(\.chapter), [nil, 0, 0, 0, 0, 0, 1, 1, 1])
        XCTAssertEqual(lines.map(\.pause), [2, 0.5, 0.25, 0.5, 0.25, 2, 0.5, 0.5, 0])
    }

    func testTheCommaAfterAGermanQuotationIsNotRead() throws {
        let source = "„Ja“, sagte er. „Nein“; dann ging er."
        let lines = try script(source, speakers: [:]).lines
        XCTAssertEqual(lines.map(\.text), ["„Ja“", "sagte er.", "„Nein“", "dann ging er."])
    }

    func testAPartIsReadAlone() throws {
        let whole = try script()
        let start = Self.tide.utf8.count - "Chapter 2\n\n“Yes,” said somebody.".utf8.count
        let part = try script(part: start..<Self.tide.utf8.count)
        XCTAssertEqual(part.lines, Array(whole.lines.suffix(3)))
        XCTAssertEqual(try script(part: 0..<0).lines, [])
    }

    /// Each piece of a sentence that is too long goes on after a breath.
    func testALongSentenceIsCutWithoutAPause() throws {
        let source = String(repeating: "and on it went, ", count: 40) + "to the end."
        let lines = try script(source, speakers: [:]).lines
        XCTAssertGreaterThan(lines.count, 1)
        XCTAssertEqual(lines.map(\.pause), lines.dropLast().map { _ in 0.05 } + [0])
    }

    func testSlowVoicesTakeLonger() throws {
        let script = try script()
        func seconds(_ rate: Double) -> Double {
            let part = StoryVoices.Part(VoiceConfig(rate: rate))
            return script.likelySeconds(
                StoryVoices(narrator: part, characters: [part], unknown: part))
        }
        let silence = script.lines.reduce(0) { $0 + $1.pause }
        XCTAssertEqual(silence, 6.5)
        XCTAssertEqual((seconds(0) - silence) / (seconds(1) - silence), 370.0 / 80, accuracy: 0.01)
    }
}
