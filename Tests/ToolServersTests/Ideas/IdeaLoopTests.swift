import XCTest

@testable import Texts

/// The loop of ideas as a table: what is done for which event.
final class IdeaLoopTests: XCTestCase {
    private typealias Event = IdeaLoop.Event
    private typealias Action = IdeaLoop.Action

    private func idea(_ text: String, _ isPartial: Bool = false) -> Idea {
        Idea(text, isPartial: isPartial)
    }

    /// Each event with the actions that must follow.
    private func check(
        _ steps: [(Event, [Action])], ends phase: IdeaLoop.Phase,
        note: IdeaLoop.Note? = nil, file: StaticString = #filePath, line: UInt = #line
    ) {
        var loop = IdeaLoop()
        for (index, (event, actions)) in steps.enumerated() {
            XCTAssertEqual(
                loop.take(event), actions, "step \(index): \(event)", file: file, line: line)
        }
        XCTAssertEqual(loop.phase, phase, file: file, line: line)
        XCTAssertEqual(loop.note, note, file: file, line: line)
    }

    private let first: [(Event, [Action])] = [
        (.began, [.generate(1)]), (.text(" \nA c", of: 1), []), (.text("up", of: 1), []),
        (.finished("A cup", of: 1), []),
    ]

    func testSavingAndDiscardingBothBringTheNext() {
        check(
            first + [
                (.key(.save), [.save(idea("A cup"), number: 1, isEdited: false)]),
                (.settled, [.generate(2)]), (.finished("A hat", of: 2), []),
                (.key(.discard), [.discard(idea("A hat"))]), (.settled, [.generate(3)]),
                (.finished("A map", of: 3), []),
                (.key(.save), [.save(idea("A map"), number: 3, isEdited: false)]),
                (.settled, [.generate(4)]), (.key(.quit), [.cancel(4), .leave]),
            ], ends: .over)
    }

    func testADecisionWhileItIsWrittenStopsTheRequestAndKeepsWhatThereIs() {
        check(
            [
                (.began, [.generate(1)]), (.text("A cup that", of: 1), []),
                (
                    .key(.save),
                    [.cancel(1), .save(idea("A cup that", true), number: 1, isEdited: false)]
                ),
                (.settled, [.generate(2)]),
                // The cancelled answer has a last word.
                (.text(" sings", of: 1), []), (.finished("A cup that sings", of: 1), []),
                (.failed("A cup", of: 1), []),
                (.text("A hat", of: 2), []),
                (.key(.discard), [.cancel(2), .discard(idea("A hat", true))]),
                (.settled, [.generate(3)]),
            ], ends: .writing(3, ""), note: .discarded)
    }

    func testBeforeTheFirstWordSavingChangesNothingAndDiscardingAsksAnew() {
        check(
            [(.began, [.generate(1)]), (.text("  \n", of: 1), []), (.key(.save), [])],
            ends: .writing(1, ""), note: .nothingToSave)
        check(
            [(.began, [.generate(1)]), (.key(.discard), [.cancel(1), .generate(2)])],
            ends: .writing(2, ""))
    }

    func testNothingIsAskedForTwiceWhileADecisionIsOnItsWay() {
        check(
            first + [
                (.key(.save), [.save(idea("A cup"), number: 1, isEdited: false)]),
                (.key(.save), []), (.key(.discard), []), (.key(.undo), []), (.key(.quit), []),
                (.settled, [.generate(2)]),
            ], ends: .writing(2, ""), note: .saved)
    }

    func testWhatCannotBeSavedIsStillThere() {
        check(
            first + [
                (.key(.save), [.save(idea("A cup"), number: 1, isEdited: false)]),
                (.unsettled, []),
            ], ends: .ready(idea("A cup"), number: 1))
    }

    func testUndoBringsTheIdeaBackAndKeepsTheWholeOneThatWasOnTheScreen() {
        let saved = IdeaLoop.Decision(idea: idea("A cup"), number: 1, isSaved: true)
        check(
            first + [
                (.key(.save), [.save(idea("A cup"), number: 1, isEdited: false)]),
                (.settled, [.generate(2)]), (.finished("A hat", of: 2), []),
                (.key(.undo), [.takeBack(saved)]), (.settled, []),
                (.key(.discard), [.discard(idea("A cup"))]),
                // Not asked for again.
                (.settled, []),
            ], ends: .ready(idea("A hat"), number: 2), note: .discarded)
    }

    func testUndoWhileTheNextIsWrittenStopsThatAndTwoUndosGoBackTwoSteps() {
        let cup = IdeaLoop.Decision(idea: idea("A cup"), number: 1, isSaved: false)
        let hat = IdeaLoop.Decision(idea: idea("A hat"), number: 2, isSaved: true)
        check(
            first + [
                (.key(.discard), [.discard(idea("A cup"))]), (.settled, [.generate(2)]),
                (.finished("A hat", of: 2), []),
                (.key(.save), [.save(idea("A hat"), number: 2, isEdited: false)]),
                (.settled, [.generate(3)]), (.text("A", of: 3), []),
                (.key(.undo), [.cancel(3), .takeBack(hat)]), (.settled, []),
                (.key(.undo), [.takeBack(cup)]), (.settled, []), (.key(.undo), []),
            ], ends: .ready(idea("A cup"), number: 1), note: .nothingToUndo)
    }

    func testAFailureLeavesWhatCameToBeSavedOrAskedForAnew() {
        check(
            [
                (.began, [.generate(1)]), (.failed("", of: 1), []), (.key(.save), []),
                (.key(.copy), []), (.key(.discard), [.generate(2)]),
                (.text("A c", of: 2), []), (.failed("A c", of: 2), []),
                (.key(.save), [.save(idea("A c", true), number: 2, isEdited: false)]),
                (.settled, [.generate(3)]),
            ], ends: .writing(3, ""), note: .saved)
    }

    func testErrandsNeedAWholeIdeaAndComeBackToIt() {
        for key in [IdeaLoop.Key.edit, .converse, .remind, .write, .copy] {
            check(
                [(.began, [.generate(1)]), (.text("A", of: 1), []), (.key(key), [])],
                ends: .writing(1, "A"), note: .stillWriting(key))
            check(
                [
                    (.began, [.generate(1)]), (.text("A", of: 1), []), (.key(key), []),
                    (.failed("A", of: 1), []),
                ], ends: .failed(idea("A", true), number: 1))
            check(
                first + [
                    (.key(key), [.open(key, idea("A cup"), number: 1)]), (.key(.save), []),
                    (.returned(.unchanged), []),
                ], ends: .ready(idea("A cup"), number: 1))
        }
        check(
            first + [
                (.key(.edit), [.open(.edit, idea("A cup"), number: 1)]),
                (.returned(.edited("My cup")), [.save(idea("My cup"), number: 1, isEdited: true)]),
                (.settled, [.generate(2)]),
            ], ends: .writing(2, ""), note: .saved)
        check(
            first + [
                (.key(.converse), [.open(.converse, idea("A cup"), number: 1)]),
                (.returned(.left), [.leave]),
            ], ends: .over)
    }

    func testAnotherPromptOrToneBringsAnotherIdeaAndTheOldOneCanComeBack() {
        let cup = IdeaLoop.Decision(idea: idea("A cup"), number: 1, isSaved: false)
        for key in [IdeaLoop.Key.prompt, .tone] {
            check(
                first + [
                    (.key(key), [.ask(key)]), (.returned(.newRequest), [.discard(idea("A cup"))]),
                    (.settled, [.generate(2)]), (.key(.undo), [.cancel(2), .takeBack(cup)]),
                    (.settled, []),
                ], ends: .ready(idea("A cup"), number: 1), note: .takenBack)
            check(
                first + [(.key(key), [.ask(key)]), (.returned(.unchanged), [])],
                ends: .ready(idea("A cup"), number: 1))
            // What was being written then is asked for anew in either case.
            check(
                [
                    (.began, [.generate(1)]), (.text("A", of: 1), []),
                    (.key(key), [.cancel(1), .ask(key)]), (.returned(.unchanged), [.generate(2)]),
                    (.key(key), [.cancel(2), .ask(key)]), (.returned(.newRequest), [.generate(3)]),
                ], ends: .writing(3, ""))
        }
    }

    func testTheKeysAreShownUntilTheNextKey() {
        var loop = IdeaLoop()
        _ = loop.take(.began)
        _ = loop.take(.key(.help))
        XCTAssertTrue(loop.showsHelp)
        _ = loop.take(.text("A", of: 1))
        XCTAssertTrue(loop.showsHelp)
        _ = loop.take(.key(.help))
        XCTAssertFalse(loop.showsHelp)
    }

    func testAfterTheEndNothingIsDone() {
        check(
            [
                (.began, [.generate(1)]), (.key(.quit), [.cancel(1), .leave]),
                (.finished("A cup", of: 1), []), (.key(.save), []), (.began, []),
            ], ends: .over)
    }
}
