import TestSupport
import XCTest

@testable import Base

final class JSON5EditorTests: XCTestCase {
    private func set(_ text: String, _ path: String..., to value: JSONValue) throws -> String {
        var editor = JSON5Editor(Array(text.utf8))
        try editor.set(path, to: value)
        return String(decoding: editor.bytes, as: UTF8.self)
    }

    private func removed(_ text: String, _ path: String...) -> String? {
        var editor = JSON5Editor(Array(text.utf8))
        return editor.remove(path) ? String(decoding: editor.bytes, as: UTF8.self) : nil
    }

    func testAValueIsReplacedWhereItStands() throws {
        let text = """
            // mine
            {
              "model": "a", // not b
              /* how */ "thinking"  :  "full"  /* all of it */,
              "budget": { "day": 2.50 /* dollars */, },
            }

            """
        XCTAssertEqual(
            try set(text, "thinking", to: "off"),
            text.replacing("\"full\"", with: "\"off\""))
        XCTAssertEqual(
            try set(text, "budget", "day", to: 3), text.replacing("2.50", with: "3"))
        XCTAssertEqual(
            try set(text, "model", to: ["a", 1]), text.replacing("\"a\"", with: "[\"a\", 1]"))
        // The last one counts.
        XCTAssertEqual(
            try set("{\"a\":1,\"a\":2}", "a", to: 3), "{\"a\":1,\"a\":3}")
        // A parked one.
        XCTAssertEqual(
            try set("{\"a\":null}", "a", "b", to: true), "{\"a\":{ \"b\": true }}")
    }

    func testANewMemberStandsBehindTheLastOne() throws {
        let cases: [(String, String)] = [
            ("{}", "{\n    \"n\": 1\n}"),
            ("{ }\n", "{\n    \"n\": 1\n}\n"),
            ("{\n}\n", "{\n    \"n\": 1\n}\n"),
            ("{\n    // \"model\": \"x\"\n}\n", "{\n    // \"model\": \"x\"\n    \"n\": 1\n}\n"),
            ("{\"a\":1}", "{\"a\":1, \"n\": 1}"),
            ("{ \"a\": 1, }", "{ \"a\": 1, \"n\": 1 }"),
            ("{\n  \"a\": 1\n}", "{\n  \"a\": 1,\n  \"n\": 1\n}"),
            ("{\n  \"a\": 1,\n}", "{\n  \"a\": 1,\n  \"n\": 1,\n}"),
            (
                "{\n\t\"a\": 1 // one, \"two\"\n\t// below\n}",
                "{\n\t\"a\": 1, // one, \"two\"\n\t\"n\": 1\n\t// below\n}"
            ),
            (
                "{\n  \"a\": [\n    1\n  ] /* x */, // y\n}",
                "{\n  \"a\": [\n    1\n  ] /* x */, // y\n  \"n\": 1,\n}"
            ),
            ("{\n  \"a\": 1 }", "{\n  \"a\": 1,\n  \"n\": 1 }"),
            ("{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"n\": 1\r\n}\r\n"),
            ("{ /* none */ }", "{ /* none */ \n    \"n\": 1\n}"),
        ]
        for (before, after) in cases {
            XCTAssertEqual(try set(before, "n", to: 1), after, before)
        }
        XCTAssertEqual(
            try set("{\n  \"b\": {\n    \"x\": 1\n  }\n}", "b", "n", to: "y"),
            "{\n  \"b\": {\n    \"x\": 1,\n    \"n\": \"y\"\n  }\n}")
        XCTAssertEqual(try set("{\"b\": {}}", "b", "n", to: 1), "{\"b\": { \"n\": 1 }}")
        XCTAssertEqual(
            try set("{\n    \"a\": 1\n}", "b", "c", "d", to: 1),
            "{\n    \"a\": 1,\n    \"b\": { \"c\": { \"d\": 1 } }\n}")
    }

    func testAWordInPlaceOfAnObjectIsLeftAlone() {
        XCTAssertThrowsError(
            try set("{ \"theme\": \"dark\" }", "theme", "heading", to: "bold")
        ) { error in
            XCTAssertEqual(error as? JSON5Editor.Failure, .init(path: ["theme"]))
        }
    }

    func testAMemberGoesWithItsCommaAndItsLine() {
        let cases: [(String, String, String)] = [
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}"),
            ("{\n  \"a\": 1,\n  \"b\": 2\n}", "b", "{\n  \"a\": 1\n}"),
            ("{\n  \"a\": 1,\n  \"b\": 2,\n}", "b", "{\n  \"a\": 1,\n}"),
            ("{\n  \"a\": [\n    1,\n  ],\n  \"b\": 2\n}", "a", "{\n  \"b\": 2\n}"),
            ("{ \"a\": 1, \"b\": 2 }", "a", "{ \"b\": 2 }"),
            ("{ \"a\": 1, \"b\": 2 }", "b", "{ \"a\": 1 }"),
            ("{ \"a\": 1 }", "a", "{ }"),
            ("{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", "a", "{\r\n  \"b\": 2\r\n}"),
            // Remarks stay, whatever they are about.
            ("{\n  // why\n  \"a\": 1, // because\n}", "a", "{\n  // why\n  // because\n}"),
            ("{\n  \"a\": 1 /* x */,\n}", "a", "{\n   /* x */\n}"),
            ("{\"a\":1,\"b\":2,\"a\":3}", "a", "{\"b\":2}"),
        ]
        for (before, name, after) in cases {
            XCTAssertEqual(removed(before, name), after, before)
        }
        XCTAssertNil(removed("{ \"a\": 1 }", "b"))
        XCTAssertNil(removed("{ \"a\": 1 }", "a", "b"))
        XCTAssertEqual(
            removed("{\n  \"a\": 1,\n  \"b\": { \"c\": 1 }\n}", "b", "c"), "{\n  \"a\": 1\n}",
            "an object that has nothing left")
        XCTAssertEqual(
            removed("{ \"b\": { /* x */ \"c\": 1 } }", "b", "c"), "{ \"b\": { /* x */ } }")
    }

    // MARK: - Random files

    private struct Maker {
        var random: SplitMix
        var comments: [String] = []
        /// Which of them stand within each member of the outermost object.
        var within: [Range<Int>] = []

        mutating func space(_ depth: Int) -> String {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                comments.append("/* c\(comments.count), \"x\": { */")
                return " \(comments[comments.count - 1]) "
            case 1:
                comments.append("// l\(comments.count) } \"y\",")
                return " \(comments[comments.count - 1])\n" + String(repeating: "  ", count: depth)
            case 2, 3: return "\n" + String(repeating: "  ", count: depth)
            default: return Bool.random(using: &random) ? " " : ""
            }
        }

        mutating func object(_ depth: Int) -> (text: String, value: JSONObject) {
            var text = "{"
            var members: [JSONObject.Member] = []
            let count = Int.random(in: 0..<4, using: &random)
            for index in 0..<count {
                let name = "m\(index)"
                text += space(depth)
                let first = comments.count
                text += "\"\(name)\"" + space(depth) + ":" + space(depth)
                let (inner, value): (String, JSONValue)
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where depth < 3:
                    let made = object(depth + 1)
                    (inner, value) = (made.text, .object(made.value))
                case 1: (inner, value) = ("[1, \"a]\", { \"q\": 2 },]", [1, "a]", ["q": 2]])
                case 2: (inner, value) = ("\"//no \\\" }\"", "//no \" }")
                case 3: (inner, value) = ("true", true)
                default: (inner, value) = ("\(index)", JSONValue(index))
                }
                if depth == 1 { within.append(first..<comments.count) }
                text += inner + space(depth)
                members.append(.init(name, value))
                if index < count - 1 || random.once(in: 3) { text += "," }
            }
            return (text + space(depth) + "}", JSONObject(members))
        }
    }

    /// The value is there, everything else is as it was, and no remark is lost.
    func testRandomFilesKeepTheirRemarksAndTheirOtherMembers() throws {
        for seed in 0..<4_000 as Range<UInt64> {
            var maker = Maker(random: SplitMix(seed: seed))
            let head = maker.space(0)
            let (text, object) = maker.object(1)
            let file = Array((head + text + maker.space(0)).utf8)
            guard try JSON5.parse(file) == .object(object) else {
                return XCTFail("seed \(seed): \(head + text)")
            }
            let name = "m\(Int.random(in: 0..<5, using: &maker.random))"
            let isNested = maker.random.once(in: 3)
            let path = isNested ? [name, "n"] : [name]
            var editor = JSON5Editor(file)
            var expected = object
            let place = expected.members.firstIndex { $0.name == name }
            let isRemoval = maker.random.once(in: 3)
            let what =
                "seed \(seed), \(path), \(isRemoval): \(String(decoding: file, as: UTF8.self))"
            if isRemoval {
                let isThere =
                    isNested ? object[name]?["n"] != nil : place != nil
                XCTAssertEqual(editor.remove(path), isThere, what)
                if isThere, let place { expected.members.remove(at: place) }
            } else {
                var inner = JSONObject([.init("n", "new")])
                if isNested, let place {
                    guard let there = object.members[place].value.objectValue else {
                        XCTAssertThrowsError(try editor.set(path, to: "new"), what)
                        continue
                    }
                    inner = JSONObject(there.members + inner.members)
                }
                let value: JSONValue = isNested ? .object(inner) : "new"
                try editor.set(path, to: "new")
                if let place {
                    expected.members[place].value = value
                } else {
                    expected.members.append(.init(name, value))
                }
            }
            let after = String(decoding: editor.bytes, as: UTF8.self)
            XCTAssertEqual(
                try? JSON5.parse(editor.bytes), .object(expected), "\(what)\n→ \(after)")
            // Those within a member that is gone, or an object that is replaced, go too.
            let isReplaced = place.map { object.members[$0].value.objectValue != nil } ?? false
            let gone = place.flatMap { place in
                (isRemoval && !isNested) || (!isRemoval && !isNested && isReplaced)
                    ? maker.within[place] : nil
            }
            for (index, comment) in maker.comments.enumerated()
            where gone?.contains(index) != true {
                XCTAssertTrue(after.contains(comment), "\(what)\n→ \(after)")
            }
        }
    }
}
