import AgentCore
import Base
import Foundation
import Synchronization
import XCTest

@testable import Library

/// Several sources as one list, and which step a word of it means.
final class UndoHistoryTests: XCTestCase {
    private static func step(
        _ id: String, minute: Double, kind: String = "idea i1", title: String = "",
        subject: String? = nil, paths: [String] = [], isFromHere: Bool = false
    ) -> UndoStep {
        UndoStep(
            id: id, verb: "edited", kind: kind, title: title.isEmpty ? id : title,
            subject: subject ?? id, made: Date(timeIntervalSince1970: 1_000_000 + minute * 60),
            paths: paths, names: [subject ?? id], isFromHere: isFromHere)
    }

    func testStepsOfSeveralSourcesAreListedByTime() async throws {
        let history = UndoHistory([
            ListedSource([Self.step("a3", minute: 3), Self.step("a1", minute: 1)]),
            ListedSource([Self.step("b2", minute: 2), Self.step("b0", minute: 0)]),
        ])
        let all = try await history.entries(undone: false, limit: 10)
        XCTAssertEqual(all.map(\.step.id), ["a3", "b2", "a1", "b0"])
        let some = try await history.entries(undone: false, limit: 2)
        XCTAssertEqual(some.map(\.step.id), ["a3", "b2"])
    }

    func testWhatThisSessionDidComesBeforeWhatOthersDidLater() async throws {
        let history = UndoHistory([
            ListedSource([Self.step("theirs", minute: 9), Self.step("old", minute: 1)]),
            ListedSource([
                Self.step("theirs2", minute: 8), Self.step("ours2", minute: 5, isFromHere: true),
                Self.step("ours1", minute: 2, isFromHere: true),
            ]),
        ])
        let all = try await history.entries(undone: false, limit: 10)
        XCTAssertEqual(all.map(\.step.id), ["ours2", "ours1", "theirs", "theirs2", "old"])
    }

    func testAnEntryIsUndoneByItsOwnSource() async throws {
        let (first, second) = (
            ListedSource([Self.step("a", minute: 1)]), ListedSource([Self.step("b", minute: 2)])
        )
        let history = UndoHistory([first, second])
        let all = try await history.entries(undone: false, limit: 10)
        try await history.undo(all[0])
        XCTAssertEqual(first.undone, [])
        XCTAssertEqual(second.undone, ["b"])
    }

    func testAnItemAFileOrATitleMeansItsNewestStep() {
        let steps = [
            Self.step("1", minute: 9, title: "Tea cups", subject: "i12"),
            Self.step("2", minute: 8, kind: "file", title: "a.md", paths: ["/usr/a.md"]),
            Self.step("3", minute: 7, kind: "file", title: "a.md", paths: ["/srv/a.md"]),
            Self.step("4", minute: 6, title: "Tea cups", subject: "i12"),
            Self.step("5", minute: 5, title: "Tea pots", subject: "i3"),
        ]
        func match(_ query: String) -> [Int] {
            UndoMatcher.match(query, in: steps, folder: "/usr/lib")
        }
        XCTAssertEqual(match(""), [0])
        XCTAssertEqual(match("i12"), [0])
        XCTAssertEqual(match("I3"), [4])
        XCTAssertEqual(match("../a.md"), [1])
        XCTAssertEqual(match("/srv/a.md"), [2])
        XCTAssertEqual(match("a.md"), [1, 2], "the end of two paths")
        XCTAssertEqual(match("tea cups"), [0])
        XCTAssertEqual(match("tea"), [0, 4])
        XCTAssertEqual(match("2"), [1], "a number of the list")
        XCTAssertEqual(match("i99"), [])
        let linked = UndoMatcher.match("link.md", in: steps, folder: "/usr/lib", file: "/srv/a.md")
        XCTAssertEqual(linked, [2])
    }

    func testASourceThatCannotBeReadHidesOnlyItsOwnSteps() async throws {
        let broken = ListedSource([], isReadable: false)
        let readable = ListedSource([Self.step("a", minute: 1, title: "Tea cups")])
        let command = UndoCommand(
            UndoHistory([broken, readable]), environment: .system(variables: [:]))
        // The newest of what can be read may not be the newest.
        do {
            _ = try await command.step("", verb: UndoCommand.defaultVerb)
            XCTFail("undone")
        } catch ToolError.failed(let text) {
            XCTAssertEqual(text, "unreadable")
        }
        let list = try await command.command.run(["list"])
        XCTAssertEqual(list.lines.count, 1)
        XCTAssertEqual(list.notices, ["Some changes are missing here. unreadable"])
        XCTAssertEqual(list.outcome, .degraded)
        let named = try await command.step("tea", verb: UndoCommand.defaultVerb)
        XCTAssertEqual(named.lines.first?.text, "✓ undone: edited idea i1 Tea cups")
        XCTAssertEqual(readable.undone, ["a"])
    }

    func testAListIsCutToTheWindow() async throws {
        let title = String(repeating: "long ", count: 30)
        let source = ListedSource([Self.step("a", minute: 1, title: title)])
        for width in [40, 80] {
            let list = try await UndoCommand(
                UndoHistory([source]), environment: .system(variables: [:]), width: { width }
            ).command.run(["list"])
            XCTAssertTrue(list.lines[0].text.hasSuffix("…"), list.lines[0].text)
            XCTAssertEqual(DisplayWidth.of(list.lines[0].text), width - 1)
        }
    }

    func testNothingIsUndoneWhereASourceRefuses() async throws {
        let source = ListedSource([Self.step("a", minute: 1)], refusal: "it was changed since")
        let command = UndoCommand(UndoHistory([source]), environment: .system(variables: [:]))
        do {
            _ = try await command.step("", verb: UndoCommand.defaultVerb)
            XCTFail("undone")
        } catch ToolError.failed(let text) {
            XCTAssertEqual(text, "it was changed since")
        }
        XCTAssertEqual(source.undone, [])
    }

    func testWhatIsTakenBackIsNamedWithItsKindAndQuotesOthersWhereItDoes() async throws {
        let foreign = ListedSource([Self.step("a", minute: 1, title: "Tea cups")], isOwn: false)
        let output = try await UndoCommand(
            UndoHistory([foreign]), environment: .system(variables: [:])
        ).step("", verb: UndoCommand.defaultVerb)
        XCTAssertEqual(output.lines.map(\.text), ["✓ undone: edited idea i1 Tea cups"])
        XCTAssertNil(output.quotedFiles, "taken for words of others")
        XCTAssertEqual(output.json?["undone"]?["kind"]?.stringValue, "idea i1")
    }
}

/// Steps as they are given, of which each can be undone once.
private final class ListedSource: UndoSource {
    private let steps: Mutex<[UndoStep]>
    private let done = Mutex<[String]>([])
    private let refusal: String?
    private let isOwnText: Bool
    private let isReadable: Bool

    init(
        _ steps: [UndoStep], refusal: String? = nil, isOwn: Bool = true, isReadable: Bool = true
    ) {
        self.isReadable = isReadable
        self.steps = Mutex(steps)
        self.refusal = refusal
        isOwnText = isOwn
    }

    var undone: [String] { done.withLock { $0 } }

    func history(undone: Bool, limit: Int) async throws -> [UndoStep] {
        if !isReadable { throw ToolError.failed("unreadable") }
        return undone ? [] : steps.withLock { Array($0.prefix(limit)) }
    }

    func undo(_ step: UndoStep) async throws {
        if let refusal { throw ToolError.failed(refusal) }
        steps.withLock { $0.removeAll { $0.id == step.id } }
        done.withLock { $0.append(step.id) }
    }

    func redo(_ step: UndoStep) async throws {}
    func comparisons(of step: UndoStep) async throws -> [UndoComparison] { [] }
    func isOwn(_ step: UndoStep) async -> Bool { isOwnText }
}
