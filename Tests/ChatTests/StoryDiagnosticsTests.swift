import XCTest

@testable import Library
@testable import Persistence
@testable import Stories

final class StoryDiagnosticsTests: XCTestCase {
    private var errors: [(String, any Error)] {
        let kinds: [KindLookupError.Reason] = [
            .notFound("tide"), .ambiguous("tide", candidates: ["s3 Tide", "s4 Tides"]),
            .inTrash(ItemID(rawValue: 12)), .otherKind(ItemID(rawValue: 12), .idea),
        ]
        let cast: [StoryCastError.Reason] = [
            .notArray, .noName(3), .gender("Alice"), .twice("Alice"),
            .nobody("Alise", nearest: "Alice"), .nobody("Bob", nearest: nil),
            .one("Darcy", "Mr. Darcy"), .taken("Darcy", by: "Mr. Darcy"), .notIndexed("s3"),
        ]
        let attribute: [StoryAttributeError.Reason] = [
            .notText("tide.txt"), .notCast("cast.json", "line 2, column 7: unexpected byte"),
        ]
        let render: [StoryRenderError.Reason] = [
            .needsEncoder("m4b"), .busy("tide.wav"),
            .noRoom("/home/u", needed: 1_300_000_000, free: 400_000_000),
        ]
        let play: [StoryPlayError.Reason] = [
            .noSuchSegment(2_490, count: 2_489), .noSuchChapter(4, count: 0),
            .noSuchChapter(4, count: 2), .noSuchPlace(160_000, bytes: 152_089), .nothingToRead,
        ]
        var errors: [(String, any Error)] = [
            ("letter", KindLookupError(.inTrash(ItemID(rawValue: 12)), .letter)),
            ("voice", StoryVoiceError("en+f9", nearest: ["en-gb+f3", "en-gb+f4"])),
        ]
        for reason in kinds { errors.append(("story", KindLookupError(reason, .story))) }
        for reason in cast { errors.append(("cast", StoryCastError(reason))) }
        for reason in attribute { errors.append(("attribute", StoryAttributeError(reason))) }
        for reason in play {
            errors.append(("play", StoryPlayError(reason, ItemID(rawValue: 3))))
        }
        for reason in render { errors.append(("render", StoryRenderError(reason))) }
        return errors
    }

    func testEveryErrorOfStoriesSaysWhatHappenedAndWhatToDo() throws {
        try DiagnosticsGolden.check(errors, "diagnostics-stories.txt")
    }
}
