import AgentCore
import Base
import Library
import Persistence
import StoryKit

/// The model's story tools: list stories, find who speaks, and make single corrections,
/// each of which can be undone. They never change a story's text and never return it whole.
struct StoryTools: StoryToolGroup {
    let book: StoryBook
    /// Nil if there is no speech.
    let voiceBook: StoryVoiceBook?

    private static let listed = 50
    /// Maximum number of characters listed; the others say little.
    private static let members = 100
    /// Maximum bytes of one answer, and of one segment in it.
    private static let answerLimit = 16_000
    private static let segmentLimit = 400

    var tools: [Tool] {
        let story = JSONSchema.Property(
            "story",
            .string(description: "Id such as s3, or part of the title; else the newest")
        )
        let known = "As story_cast gives it"
        var tools = [
            Tool(
                name: "story_list", title: "List the stories",
                description: "The stories and books that can be read aloud.",
                inputSchema: .object([
                    .init("query", .string(description: "Words of title or author"))
                ]), toolClass: .read,
                cues: """
                    stories books bedtime audiobooks novels geschichten bücher hörbücher märchen
                    """),
            Tool(
                name: "story_cast", title: "Who is in a story",
                description: "The characters of a story: names, age, how much each says, voice.",
                inputSchema: .object([story]), toolClass: .read,
                cues: """
                    who+in cast called character* villain hero heroine who+talk* wer+redet wer+spricht wer+kommt figuren personen
                    """),
            Tool(
                name: "story_segments", title: "Who says what in a story",
                description:
                    "Numbered pieces of a story, with the speaker and how sure that is; finds a "
                    + "line by its words.",
                inputSchema: .object([
                    story, .init("query", .string(description: "Words in it")),
                    .init("speaker", .string(description: known)),
                    .init("chapter", .integer(description: "From 1", range: 1...100_000)),
                    .init(
                        "from",
                        .integer(description: "First piece", range: 1...10_000_000)),
                    .init("limit", .integer(description: "Default 30", range: 1...100)),
                ]), toolClass: .read,
                cues: """
                    who+say* who+said spoken said+by spoke which+lines quotation* quote* segment* guessed unsure speaker* wer+sagt \
                    wer+sagte zitat* stelle unsicher
                    """),
            Tool(
                name: "story_fix_speaker", title: "Say who speaks",
                description: "Sets who says one spoken piece of a story.",
                inputSchema: .object([
                    story,
                    .init(
                        "segment",
                        .integer(description: "From story_segments", range: 1...10_000_000),
                        isRequired: true),
                    .init("speaker", .string(description: known), isRequired: true),
                ]), toolClass: .write,
                cues: """
                    segment* speaker* bit+was wasn+talking wasn+him wasn+her said+not not+who spricht \
                    sprecher* sagt+nicht war+nicht
                    """),
            Tool(
                name: "story_merge", title: "Make two characters one",
                description:
                    "Joins names that are one character of a story; the first stays.",
                inputSchema: .object([
                    story,
                    .init(
                        "names",
                        .array(of: .string(), description: "Two or more names of the cast"),
                        isRequired: true),
                ]), toolClass: .write,
                cues: """
                    just+again twice doppelt duplicate* another+name same+man same+woman same+person same+character one+person merge* both+same \
                    dieselbe derselbe dasselbe ein+und gleiche+person
                    """),
        ]
        if voiceBook != nil { tools.append(voiceTool(story)) }
        return tools
    }

    private func voiceTool(_ story: JSONSchema.Property) -> Tool {
        let number = JSONSchema.number
        return Tool(
            name: "story_set_voice", title: "Set a voice",
            description:
                "Changes how a character sounds: its voice, rate, pitch or volume, or what is "
                + "known of it, by which a voice is chosen.",
            inputSchema: .object([
                story,
                .init(
                    "character",
                    .string(description: "Of the cast, or narrator"),
                    isRequired: true),
                .init("voice", .string(description: "Such as en-gb+f3")),
                .init("rate", number("0 to 1; usual 0.3")),
                .init("pitch", number("0.5 to 2; usual 1")),
                .init("volume", number("0 to 1; usual 0.5")),
                .init("age", .string(choices: ["child", "young", "adult", "old"])),
                .init("gender", .string(choices: ["male", "female"])),
                .init("accent", .string(description: "Such as Scottish")),
                .init("personality", .string(description: "Such as stern")),
            ]), toolClass: .write,
            cues: """
                voice* sound sounds deeper higher lower pitch* accent* younger older stimme* klingt \
                höher tiefer akzent* sprechen jünger älter
                """)
    }

    func call(_ name: String, _ arguments: JSONObject, emit: Emitter) async throws -> ToolOutput {
        switch name {
        case "story_list": return try await list(arguments)
        case "story_cast": return try await cast(arguments)
        case "story_segments": return try await segments(arguments)
        case "story_fix_speaker": return try await fix(arguments)
        case "story_merge": return try await merge(arguments)
        case "story_set_voice": return try await setVoice(arguments, emit)
        default: throw ToolError.toolNotFound(name: name)
        }
    }

    // MARK: - Reading

    private func list(_ arguments: JSONObject) async throws -> ToolOutput {
        let words = Self.words(arguments["query"])
        let stories = try await book.stories().filter { item in
            Self.has(words, in: "\(item.title) \(Story(item).author ?? "")")
        }
        if stories.isEmpty { return ToolOutput(text: "No story was found.") }
        var lines = stories.prefix(Self.listed).map { item in
            let story = Story(item)
            var line = book.lookup.name(item)
            if let author = story.author {
                line += " by " + DisplayWidth.cut(author.oneLine, to: 60)
            }
            line += ", " + StoryCommand.chapters(story.chapters.count)
            return line + (story.index == nil ? ", not indexed yet" : "")
        }
        if stories.count > lines.count { lines.append("[\(stories.count - lines.count) more]") }
        return ToolOutput(
            text: lines.joined(separator: "\n"),
            summary: Quantities.count(stories.count, "story", plural: "stories"), isUntrusted: true)
    }

    private func item(_ arguments: JSONObject) async throws -> (LibraryItem, StoryCast) {
        let name = arguments["story"]?.stringValue?.trimmingSpace() ?? ""
        let item = try await finding {
            try await book.lookup.find(name.isEmpty ? "last" : name)
        }
        return (item, try book.cast(of: item))
    }

    private func cast(_ arguments: JSONObject) async throws -> ToolOutput {
        let (item, cast) = try await item(arguments)
        let voices = KeptVoices(item).parts(of: cast)
        var lines = cast.members.prefix(Self.members).enumerated().map { index, member in
            let character = member.character
            var facts = [
                character.gender?.rawValue, character.age, character.accent,
                character.personality, member.isNarrator ? "tells the story" : nil,
                member.lines.map { Quantities.count($0, "line") },
            ].compactMap(\.self)
            if !character.aliases.isEmpty {
                facts.append("also " + character.aliases.prefix(8).joined(separator: ", "))
            }
            if let voice = voices[index]?.config.voiceIdentifier { facts.append("voice \(voice)") }
            let line = "\(character.name): \(facts.joined(separator: "; "))"
            return DisplayWidth.cut(line.oneLine, to: 240)
        }
        if cast.members.count > lines.count {
            lines.append("[\(cast.members.count - lines.count) more, who say least]")
        }
        return ToolOutput(
            text: "\(book.lookup.name(item))\n" + lines.joined(separator: "\n"),
            summary: Quantities.count(cast.members.count, "character"), isUntrusted: true)
    }

    private func segments(_ arguments: JSONObject) async throws -> ToolOutput {
        let (item, cast) = try await item(arguments)
        let found = await book.perform { StorySegments(item, cast.cast) }
        let words = Self.words(arguments["query"])
        let wanted = try arguments["speaker"]?.stringValue.map { try cast.find($0) }
        var part = 0..<found.text.bytes.count
        if let number = arguments["chapter"]?.integerValue {
            part = try Story(item).range(ofChapter: number, of: item)
        }
        let from = (arguments["from"]?.integerValue ?? 1) - 1
        let limit = arguments["limit"]?.integerValue ?? 30
        var lines: [String] = []
        var (bytes, next) = (0, Int?.none)
        for (index, span) in found.text.spans.enumerated().dropFirst(from)
        where span.range.overlaps(part) {
            if let wanted, found.attributions[index]?.speaker != wanted { continue }
            let text = found.text.text(of: span.range).oneLine.trimmingSpace()
            if text.isEmpty || !Self.has(words, in: text) { continue }
            var line = "\(index + 1) "
            if let attribution = found.attributions[index] {
                line += "\(found.speaker(index) ?? "unknown") (\(attribution.tier.rawValue)): "
            } else {
                line += "told: "
            }
            line += DisplayWidth.cut(text, to: Self.segmentLimit)
            if lines.count == limit || bytes + line.utf8.count > Self.answerLimit {
                next = index + 1
                break
            }
            bytes += line.utf8.count
            lines.append(line)
        }
        if lines.isEmpty { return ToolOutput(text: "No such piece was found.") }
        let count = lines.count
        if let next { lines.append("[more: from \(next)]") }
        return ToolOutput(
            text: lines.joined(separator: "\n"), summary: Quantities.count(count, "segment"),
            isUntrusted: true)
    }

    private static func words(_ query: JSONValue?) -> [String] {
        SearchText.folded(query?.stringValue ?? "").split(separator: " ").map(String.init)
    }

    private static func has(_ words: [String], in text: String) -> Bool {
        if words.isEmpty { return true }
        let folded = SearchText.folded(text)
        return words.allSatisfy { folded.contains($0) }
    }

    // MARK: - Changing

    private func fix(_ arguments: JSONObject) async throws -> ToolOutput {
        let (item, cast) = try await item(arguments)
        let segments = await book.perform { StorySegments(item, cast.cast) }
        let number = arguments["segment"]?.integerValue ?? 0
        guard segments.attributions[number - 1] != nil else {
            throw ToolError.failed(
                segments.text.spans.indices.contains(number - 1)
                    ? "segment \(number) is narrated, not spoken" : "there is no segment \(number)")
        }
        let speaker = try cast.find(arguments["speaker"]?.stringValue ?? "")
        _ = try await book.fix(number - 1, speaker: speaker, segments, of: item, by: .model())
        return done("\(cast.members[speaker].character.name) says \(number)", item)
    }

    private func merge(_ arguments: JSONObject) async throws -> ToolOutput {
        var (item, cast) = try await item(arguments)
        let names = (arguments["names"]?.arrayValue ?? []).compactMap(\.stringValue)
        guard names.count > 1 else { throw ToolError.failed("two names at least are needed") }
        try cast.merge(names)
        let name = cast.members[try cast.find(names[0])].character.name
        _ = try await book.change(cast, of: item, by: .model())
        return done("merged into \(name)", item)
    }

    private func setVoice(_ arguments: JSONObject, _ emit: Emitter) async throws -> ToolOutput {
        guard var voiceBook else { throw ToolError.toolNotFound(name: "story_set_voice") }
        let (item, cast) = try await item(arguments)
        voiceBook = voiceBook.telling(emit, item)
        let role = try StoryVoiceBook.Role(arguments["character"]?.stringValue ?? "", in: cast)
        var change = StoryVoiceBook.Change(
            rate: try Self.number("rate", 0...1, arguments),
            pitch: try Self.number("pitch", 0.5...2, arguments),
            volume: try Self.number("volume", 0...1, arguments))
        if let voice = arguments["voice"]?.stringValue {
            change.identifier = try await voiceBook.identifier(
                voice, language: StoryVoiceBook.language(item))
        }
        change.facts = StoryCast.Facts(
            gender: arguments["gender"]?.stringValue.flatMap(StoryCharacter.Gender.init),
            age: Self.line("age", arguments), accent: Self.line("accent", arguments),
            personality: Self.line("personality", arguments))
        if change.isEmpty { throw ToolError.failed("nothing was named that is to change") }
        guard change.facts == StoryCast.Facts() || role.isCharacter else {
            throw ToolError.failed("only a character of the cast has an age or a manner")
        }
        let (voices, changed) = try await voiceBook.change(
            role, change, of: item, cast, by: .model())
        let name = role.name(in: changed)
        return done("\(name) → \(StoryVoicesCommand.description(of: voices.part(role)))", item)
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Double>, _ arguments: JSONObject
    ) throws -> Double? {
        guard let value = arguments[name]?.doubleValue else { return nil }
        guard range.contains(value) else {
            throw ToolError.failed("\(name) is from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func line(_ name: String, _ arguments: JSONObject) -> String? {
        let text = arguments[name]?.stringValue.map { $0.oneLine.trimmingSpace() }
        return text.flatMap { $0.isEmpty ? nil : DisplayWidth.cut($0, to: 60) }
    }

    private func done(_ what: String, _ item: LibraryItem) -> ToolOutput {
        ToolOutput(
            text: "\(what.oneLine) in \(book.lookup.id(item.id))",
            summary: "✓ \(what.oneLine): \(book.lookup.name(item)) · /undo",
            isUntrusted: item.hasUntrustedText)
    }
}
