import AgentCore
import Base
import Library
import Persistence

/// `chat story play`: finds the story and the start, and reports the result. The caller
/// decides what is shown and which keys control it.
struct StoryPlayCommand: Sendable {
    let book: StoryBook
    let player: StoryPlayer
    let listening: StoryListening

    var verb: Verb {
        Verb(
            "play", "listen to it: each character has a voice, and the place is kept",
            [
                .phrase(
                    "STORY", "a story: s3 or last; default: the one you listened to last",
                    .story, isOptional: true)
            ],
            options: [
                .init("--from N", "begin with segment N"),
                .init("--chapter K", "begin with chapter K"),
                .init("--here OFFSET", "begin with that byte of its text"),
                .init(
                    "--rate R",
                    "the speed, from \(StoryPlayer.rates.lowerBound) to "
                        + "\(StoryPlayer.rates.upperBound)", .examples(["0.8", "1.2", "1.5"])),
                .init("--sleep TIME", "stop by itself after that", .examples(["20m", "1h"])),
            ], json: "id title segment segments offset spoken finished problems",
            example: "s3 --chapter 2"
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let start = try Self.start(arguments)
        var rate: Double?
        if let text = arguments["--rate"] {
            guard let value = Double(text), StoryPlayer.rates.contains(value) else {
                throw UsageError(
                    "--rate is a number from \(StoryPlayer.rates.lowerBound) to "
                        + "\(StoryPlayer.rates.upperBound).", hint: "--rate 1.2")
            }
            rate = value
        }
        let sleep = try arguments["--sleep"].map { try StoryPlayer.sleepSeconds($0) }
        let item = try await listening.story(arguments.text, book)
        if let sleep { await player.sleep(after: sleep) }
        if let rate { await player.setRate(rate) }
        // In the shell a full screen shows this and handles Ctrl-C.
        if arguments.interaction.isChat {
            arguments.interaction.emit(
                ToolProgress(activity: "Preparing", title: ItemTable.title(item)))
        }
        return try await listening.present(item, start ?? .kept, player, arguments.interaction)
    }

    private static func start(_ arguments: CommandArguments) throws -> StoryPlayer.Start? {
        let starts: [StoryPlayer.Start?] = [
            try arguments.number("--from").map { .segment($0) },
            try arguments.number("--chapter").map { .chapter($0) },
            try arguments.number("--here").map { .offset($0) },
        ]
        let chosen = starts.compactMap { $0 }
        if chosen.count > 1 {
            throw UsageError("--from, --chapter and --here cannot be combined.")
        }
        return chosen.first
    }
}

/// Dependencies of playback.
package struct StoryListening: Sendable {
    /// The story last listened to.
    package var last: @Sendable () async throws -> ItemID?
    /// The byte offset last listened to.
    package var place: @Sendable (ItemID) async throws -> Int?
    /// Plays the story and shows it where the command runs. In the shell it returns when
    /// playback has ended.
    package var present:
        @Sendable (LibraryItem, StoryPlayer.Start, StoryPlayer, Interaction) async throws ->
            CommandOutput

    package init(
        last: @escaping @Sendable () async throws -> ItemID?,
        place: @escaping @Sendable (ItemID) async throws -> Int?,
        present:
            @escaping @Sendable (LibraryItem, StoryPlayer.Start, StoryPlayer, Interaction)
            async throws -> CommandOutput
    ) {
        self.last = last
        self.place = place
        self.present = present
    }

    /// The story with that name; without one, the story last listened to, or the only one.
    /// - Throws: `KindLookupError`, `UsageError` listing the choices.
    package func story(_ words: String, _ book: StoryBook) async throws -> LibraryItem {
        if !words.isEmpty { return try await book.lookup.find(words) }
        if let id = try await last(), let item = try await book.library.item(id),
            item.trashed == nil
        {
            return item
        }
        let stories = try await book.stories(limit: 6)
        guard let first = stories.first else {
            throw UsageError("There are no stories yet.", hint: "chat story import FILE")
        }
        guard stories.count == 1 else {
            let names =
                stories.prefix(5).map { book.lookup.name($0) } + (stories.count > 5 ? ["…"] : [])
            throw UsageError(
                "Which story? " + names.joined(separator: ", "),
                hint: "chat story play \(book.lookup.id(first.id))")
        }
        // Listed items may lack the text.
        return try await book.library.item(first.id) ?? first
    }

    /// The output after playback has ended.
    package static func output(
        _ item: LibraryItem, _ state: StoryPlayer.State?, _ report: StoryPlayer.Report
    ) -> CommandOutput {
        let id = ItemKind.story.id(item.id)
        let name = "\(id) \(DisplayWidth.cut(ItemTable.title(item), to: 64))"
        var output = CommandOutput()
        output.quotesOthers = true
        if report.wasStopped, let state {
            let place =
                "\(Quantities.grouped(state.segment)) of \(Quantities.grouped(state.segments))"
            output.lines = [
                StyledLine([
                    .init(
                        state.segment > 0
                            ? "\(report.fellAsleep ? "Fell asleep" : "Stopped") at \(place): \(name)"
                            : "Stopped before it began: \(name)"),
                    .init(" · chat story play \(id)", .hint),
                ])
            ]
        } else {
            output.lines = [StyledLine("✓ heard to the end: \(name)", .success)]
        }
        output.json = [
            "id": .string(id), "title": .string(item.title),
            "segment": JSONValue(state?.segment ?? 0),
            "segments": JSONValue(state?.segments ?? 0),
            "offset": JSONValue(state?.line.lowerBound ?? 0),
            "spoken": JSONValue(report.spoken), "finished": .bool(!report.wasStopped),
            "problems": .array(report.problems.map { .string($0) }),
        ]
        if let first = report.problems.first {
            output.notices = [first]
            if report.problems.count > 1 {
                output.notices.append("… and \(report.problems.count - 1) more")
            }
            output.outcome = .degraded
        }
        return output
    }
}
