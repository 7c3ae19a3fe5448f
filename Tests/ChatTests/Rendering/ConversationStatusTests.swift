import Base
import TerminalKit
import XCTest

@testable import ChatKit
@testable import chat

/// The line below the prompt that says how the conversation stands.
final class ConversationStatusTests: XCTestCase {
    private static let style = Style(usesColor: false, usesUnicode: true)

    private func text(
        _ status: ConversationStatus, columns: Int = 80, _ style: Style = style
    ) -> String {
        status.line(columns: columns, style).text
    }

    private static let whole = ConversationStatus(
        model: "claude-sonnet-5-5", context: (38_412, 200_000),
        cost: Cost(Money(dollars: 0.42)), folders: ["notes", "src"], redacts: true)

    func testOnlyWhatThereIsHasAPlace() {
        XCTAssertEqual(text(ConversationStatus()), "  no model")
        XCTAssertEqual(text(ConversationStatus(model: "m")), "  m")
        XCTAssertEqual(text(ConversationStatus(model: "m", redacts: true)), "  m · redact")
        XCTAssertEqual(
            text(Self.whole),
            "  claude-sonnet-5-5 · 19 % of its context · $0.42 · notes, src · redact")
    }

    func testTheShareOfTheContextIsSaidWhereTheWindowIsKnown() {
        let rows: [(Int, Int?, String)] = [
            (0, 100_000, "  m"), (10, nil, "  m"), (10, 0, "  m"),
            (10, 100_000, "  m · <1 % of its context"), (500, 100_000, "  m · 1 % of its context"),
            (99_999, 100_000, "  m · 100 % of its context"),
            (Int.max, 1, "  m · 100 % of its context"),
        ]
        for (filled, window, wanted) in rows {
            XCTAssertEqual(
                text(ConversationStatus(model: "m", context: (filled, window))), wanted)
        }
    }

    func testACostIsSaidWhereAPriceIsKnown() {
        XCTAssertEqual(text(ConversationStatus(model: "m", cost: .unknown)), "  m")
        XCTAssertEqual(text(ConversationStatus(model: "m", cost: Cost(.zero))), "  m")
        XCTAssertEqual(
            text(
                ConversationStatus(
                    model: "m", cost: Cost(Money(dollars: 1), isAtLeast: true))),
            "  m · at least $1.00")
    }

    func testANarrowWindowCountsTheFoldersAndShortensTheModel() {
        var status = Self.whole
        status.folders = ["a long name of a folder", "another one", "and a third"]
        XCTAssertEqual(
            text(status, columns: 80),
            "  claude-sonnet-5-5 · 19 % of its context · $0.42 · 3 folders · redact")
        status.model = "openrouter/some-vendor/some-very-long-model-name-of-2026"
        XCTAssertEqual(
            text(status, columns: 70),
            "  openrouter/some… · 19 % of its context · $0.42 · 3 folders · redact")
        for columns in 60...200 {
            for usesUnicode in [true, false] {
                let line = text(
                    status, columns: columns, Style(usesColor: false, usesUnicode: usesUnicode))
                XCTAssertLessThan(DisplayWidth.of(line), columns, line)
                XCTAssertTrue(line.hasSuffix("redact"), line)
            }
        }
    }

    func testForeignNamesAreShownVisibly() {
        XCTAssertFalse(
            text(ConversationStatus(model: "evil\u{1B}[2Jmodel")).unicodeScalars.contains("\u{1B}"))
    }
}
