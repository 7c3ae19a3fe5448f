import Base
import Foundation
import XCTest

@testable import Library
@testable import Persistence

/// How a list of items fits a window.
final class ItemTableTests: XCTestCase {
    private static let now = Date(timeIntervalSince1970: 1_795_251_600)

    private static func item(
        _ id: Int64, _ kind: ItemKind, _ title: String, tags: [String] = [], days: Double = 0
    ) -> LibraryItem {
        LibraryItem(
            id: ItemID(rawValue: id), uid: "u", kind: kind, title: title, body: "",
            metadata: JSONObject(), tags: tags, created: now,
            updated: now.addingTimeInterval(-days * 86_400), revision: 1, trashed: nil,
            hasUntrustedText: false)
    }

    private let items = [
        item(112, .transcript, "The meeting about the new kitchen of the canteen", days: 3),
        item(7, .idea, "Tea cups", tags: ["tea", "kitchen"], days: 40),
    ]

    private func lines(_ width: Int?) -> [String] {
        ItemTable.lines(items, now: Self.now, width: width).map(\.text)
    }

    func testEverythingIsShownWhereThereIsRoom() {
        XCTAssertEqual(
            lines(nil),
            [
                "i112  transcript  The meeting about the new kitchen of the canteen  3 days ago",
                "  i7  idea        Tea cups                                          5 weeks ago"
                    + "  #tea #kitchen",
            ])
    }

    func testTagsThenAgesGiveWayToTitles() {
        XCTAssertEqual(
            lines(60),
            [
                "i112  transcript  The meeting about the new k…  3 days ago",
                "  i7  idea        Tea cups                      5 weeks ago",
            ])
        XCTAssertEqual(
            lines(40),
            ["i112  transcript  The meeting about th…", "  i7  idea        Tea cups"])
        for width in [20, 40, 60, 80, 100] {
            for line in lines(width) { XCTAssertLessThan(DisplayWidth.of(line), max(width, 28)) }
        }
    }

    func testControlCharactersTakeTheColumnsTheyAreShownIn() {
        let lines = ItemTable.lines(
            [Self.item(1, .idea, "a\u{1B}[31mb\u{7}"), Self.item(2, .idea, "日本 and more")],
            now: Self.now
        ).map(\.text)
        XCTAssertEqual(
            lines, ["i1  idea  a\\x1b[31mb\\x07  just now", "i2  idea  日本 and more   just now"])
    }

    func testAVeryLongTitleIsCutInASentence() {
        let long = Self.item(3, .idea, String(repeating: "word ", count: 1000))
        XCTAssertLessThan(DisplayWidth.of(ItemTable.name(long)), 70)
        XCTAssertTrue(ItemTable.name(long).hasPrefix("i3 word word"))
        let made = ItemTitle.of(long.title)
        XCTAssertEqual(ItemTable.name(Self.item(4, .idea, made)), "i4 \(made)")
    }

    func testATitleOfSeveralLinesIsOne() {
        let line = ItemTable.lines([Self.item(1, .idea, "a\nb\tc")], now: Self.now)[0].text
        XCTAssertEqual(line, "i1  idea  a b c  just now")
        XCTAssertEqual(ItemTable.title(Self.item(1, .idea, "\n")), "(no title)")
    }
}
