import XCTest

@testable import Persistence

final class SearchQueryTests: XCTestCase {
    func testAnyTextIsAQueryOfStringsOnly() {
        let queries = [
            "trip", "trip oslo", "trip oslo ", "\"to oslo\" ferry", "\"to osl", "a b", "foo-bar",
            "NOT a OR (b", "col:x*", "会議", "AI会議 room", "🎉", "", "  \" ", "it's", "x\0yz", "café",
        ].map { SearchQuery($0).expression(completions: nil) }
        XCTAssertEqual(
            queries,
            [
                "\"trip\"*", "\"trip\" \"oslo\"*", "\"trip\" \"oslo\"", "\"to oslo\" \"ferry\"*",
                "\"to osl\"*", "\"a\" \"b\"", "\"foo-bar\"*", "\"NOT\" \"a\" \"OR\" \"(b\"",
                "\"col:x*\"", "\"\u{1F}会\u{1F}議\"", "\"AI\u{1F}会\u{1F}議\" \"room\"*", "", "", "",
                "\"it's\"", "\"x\" \"yz\"*", "\"café\"*",
            ])
        XCTAssertEqual(SearchQuery("🎉 ?!").isEmpty, true)
        XCTAssertEqual(SearchQuery(String(repeating: "w ", count: 99)).phrases.count, 16)
    }
}
