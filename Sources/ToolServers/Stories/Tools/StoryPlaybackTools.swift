import AgentCore
import Base
import Library
import Persistence

/// The model's playback tools: it starts a story and controls playback, as the keys do.
/// They change only the place, so no confirmation is needed.
struct StoryPlaybackTools: StoryToolGroup {
    private enum Action: String, CaseIterable {
        case pause, resume, stop, next, back, faster, slower
        case nextChapter = "next_chapter"
        case previousChapter = "previous_chapter"
        case goTo = "go_to"
    }

    private enum Until: String, CaseIterable {
        case chapter = "end_of_chapter"
        case story = "end_of_story"
    }

    let book: StoryBook
    let player: StoryPlayer
    let listening: StoryListening
    /// The remote server that receives the text; nil if speech is local.
    let host: @Sendable () -> String?

    var tools: [Tool] {
        let segment = JSONSchema.Property(
            "segment",
            .integer(
                description: "Number, from story_segments",
                range: 1...10_000_000))
        let chapter = JSONSchema.Property(
            "chapter", .integer(description: "Number", range: 1...100_000))
        return [
            Tool(
                name: "story_play", title: "Read a story aloud",
                description:
                    "Reads a story aloud from where it stopped, from a segment, or one chapter.",
                inputSchema: .object([
                    .init(
                        "story",
                        .string(
                            description: "Id such as s3, or part of the title; else the last one"
                        )), chapter, segment,
                    .init(
                        "until",
                        .string(choices: Until.allCases.map(\.rawValue))),
                ]),
                // A remote speech server is another party that receives the text, besides
                // the model's provider.
                toolClass: host() == nil ? .read : .outward,
                cues: """
                    play* read+aloud read+me read+chapter carry+on+book continue+story narrate* \
                    listen* vorles* lies+vor lies+kapitel spiel* anhör* *hören weiterlesen
                    """,
                onlyLooksUp: false),
            Tool(
                name: "story_control", title: "Steer what is read aloud",
                description: "Steers the story that is read aloud; tells where it is.",
                inputSchema: .object([
                    .init(
                        "action", .string(choices: Action.allCases.map(\.rawValue)),
                        isRequired: true),
                    .init(
                        "count",
                        .integer(
                            description: "Segments, for next and back", range: 1...1_000)),
                    chapter, segment,
                ]), toolClass: .read, cues: "pause* resume* skip* rewind* faster slower louder",
                onlyLooksUp: false),
        ]
    }

    func call(_ name: String, _ arguments: JSONObject, emit: Emitter) async throws -> ToolOutput {
        switch name {
        case "story_play": return try await play(arguments)
        case "story_control": return try await control(arguments)
        default: throw ToolError.toolNotFound(name: name)
        }
    }

    private func start(_ arguments: JSONObject) throws -> StoryPlayer.Start? {
        switch (arguments["segment"]?.integerValue, arguments["chapter"]?.integerValue) {
        case (let segment?, nil): return .segment(segment)
        case (nil, let chapter?): return .chapter(chapter)
        case (nil, nil): return nil
        case (_?, _?): throw ToolError.failed("a chapter or a segment, not both")
        }
    }

    private func play(_ arguments: JSONObject) async throws -> ToolOutput {
        let words = arguments["story"]?.stringValue?.trimmingSpace() ?? ""
        let item = try await finding { try await listening.story(words, book) }
        let start = try start(arguments) ?? .kept
        var isChapter = false
        if case .chapter = start { isChapter = true }
        let until = arguments["until"]?.stringValue.flatMap(Until.init)
        try await player.play(
            item, from: start, onlyChapter: until.map { $0 == .chapter } ?? isChapter)
        return output("Reading")
    }

    private func control(_ arguments: JSONObject) async throws -> ToolOutput {
        guard let action = arguments["action"]?.stringValue.flatMap(Action.init) else {
            throw ToolError.failed("the action is unknown")
        }
        let count = arguments["count"]?.integerValue ?? 1
        guard let phase = player.state?.phase, phase != .ended else {
            return ToolOutput(text: "Nothing is being read aloud.", isError: true)
        }
        switch action {
        case .pause: await player.pause()
        case .resume: await player.resume()
        case .stop: await player.stop()
        case .next: await player.skip(segments: count)
        case .back: await player.skip(segments: -count)
        case .nextChapter: await player.skip(chapters: 1)
        case .previousChapter: await player.skip(chapters: -1)
        case .faster: await player.changeRate(steps: 1)
        case .slower: await player.changeRate(steps: -1)
        case .goTo:
            guard let start = try start(arguments) else {
                throw ToolError.failed("go_to needs a segment or a chapter")
            }
            try await player.go(to: start)
        }
        switch player.state?.phase {
        case .ended?: return output("Stopped")
        case .paused?: return output("Paused")
        default: return output("Reading")
        }
    }

    /// "Reading s3 The Tide, segment 11 of 240, chapter 2 of 12"
    private func output(_ verb: String) -> ToolOutput {
        guard let state = player.state else { return ToolOutput(text: "Nothing is read aloud.") }
        let title = DisplayWidth.cut(state.title.oneLine, to: 64)
        var text = "\(verb) \(book.lookup.id(state.item)) \(title)"
        if state.segment > 0 { text += ", segment \(state.segment) of \(state.segments)" }
        if let chapter = state.chapter { text += ", chapter \(chapter.number) of \(chapter.count)" }
        if state.isChapterAlone { text += ", stops at its end" }
        if state.rate != 1 { text += ", rate \(state.rate)" }
        return ToolOutput(text: text, summary: text, isUntrusted: true)
    }
}
