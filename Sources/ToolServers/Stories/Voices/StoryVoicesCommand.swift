import AgentCore
import Base
import Library
import Persistence
import Sound
import StoryKit

/// `chat story voices`: shows and sets the voices of a story.
struct StoryVoicesCommand: Sendable {
    var voiceBook: StoryVoiceBook
    let library: LibraryServer.Dependencies
    /// Nil if no model is used.
    var model: StoryModel?

    private var book: StoryBook { voiceBook.book }

    private static let actions = ["set", "preview", "reset", "presets"]
    private static let members =
        "name role lines voiceIdentifier rate pitchMultiplier volume by traits"

    var verb: Verb {
        Verb(
            "voices", "the voice of everyone in a story; choose, hear or change them",
            [
                .init(
                    "STORY", "a story: s3 or last; default: last", .story,
                    .examples(["last"] + Self.actions), isOptional: true),
                .init(
                    "ACTION", "set, preview or reset a voice; presets lists the manners",
                    .examples(Self.actions), isOptional: true),
                .init("NAME", "a character, narrator or unknown", isOptional: true),
                .init(
                    "VOICE", "a voice for set: en-gb+f3, or f3 for short", .voice, isOptional: true),
            ],
            options: [
                .init("--auto", "choose again for all whose voice was not set by hand"),
                .init("--llm", "let the model choose among the voices"),
                .init(
                    "--preset NAME", "the style of the whole story; chooses again",
                    .oneOf(voiceBook.presets.map(\.name))),
                .init("--again", "with --llm: even if it has answered before"),
                .init("--rate R", "for set: 0 (slow) to 1 (fast); 0.3 is usual"),
                .init("--pitch P", "for set: 0.5 to 2, 1 being the voice's own"),
                .init("--volume V", "for set: 0 to 1; 0.5 is usual"),
            ], json: Self.members, example: "s3 set Alice f3 --pitch 1.2"
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        var rest = arguments.plain[...]
        var story = "last"
        if let first = rest.first, !Self.actions.contains(first) {
            story = first
            rest.removeFirst()
        }
        let action = rest.popFirst()
        if action == "presets" { return presets() }
        let item = try await book.lookup.find(story)
        let cast = try book.cast(of: item)
        arguments.interaction.emit(
            ToolProgress(activity: "Choosing voices", title: ItemTable.title(item)))
        var telling = self
        telling.voiceBook = voiceBook.telling(arguments.interaction.emit, item)
        let names = Array(rest)
        switch (action, names.count) {
        case (nil, _): return try await telling.all(item, cast, arguments)
        case ("set", 1...2): return try await telling.set(names, of: item, cast, arguments)
        case ("preview", 1): return try await telling.preview(names[0], item, cast)
        case ("reset", 0...1): return try await telling.reset(names.first, item, cast)
        default: throw Self.usage(action ?? "")
        }
    }

    private static func usage(_ action: String) -> UsageError {
        guard actions.contains(action) else {
            return UsageError(noAction: action, among: actions)
        }
        return UsageError(
            "voices \(action) needs a name: chat story voices \(action) Alice"
                + (action == "set" ? " f3" : ""))
    }

    // MARK: - All

    private func all(
        _ item: LibraryItem, _ cast: StoryCast, _ arguments: CommandArguments
    ) async throws -> CommandOutput {
        var kept = KeptVoices(item)
        guard arguments.has("--auto") || arguments.has("--preset") || arguments.has("--llm") else {
            return table(try await voiceBook.voices(of: item, cast, kept), cast)
        }
        if let name = arguments["--preset"],
            let preset = voiceBook.presets.first(where: { $0.name == name })
        {
            kept.preset = preset
        }
        kept.forgetRules()
        var notices: [String] = []
        if arguments.has("--llm") {
            guard let model else { throw GenerationError(.noModel) }
            notices = try await StoryVoiceModel(voiceBook: voiceBook, model: model)
                .choose(
                    item, cast, &kept, with: arguments.interaction,
                    isAgain: arguments.has("--again"))
        }
        let voices = try await voiceBook.voices(of: item, cast, kept)
        try await keep(
            KeptVoices(voices, of: cast, preset: kept.preset), item, verb: "chose the voices of")
        var output = table(voices, cast, done: "voices chosen: \(book.lookup.name(item))")
        output.notices = notices
        return output
    }

    private func presets() -> CommandOutput {
        let rows = voiceBook.presets.map { preset -> [StyledLine.Span] in
            let pauses = preset.pauses
            return [
                .init(preset.name, .accent), .init(preset.summary),
                .init(
                    "pauses of \(Self.number(pauses.sameSpeaker)), "
                        + "\(Self.number(pauses.change)) and \(Self.number(pauses.chapter)) s", .dim
                ),
            ]
        }
        let width = max(20, (library.width() ?? .max) - 1)
        return CommandOutput(
            lines: StyledLine.table(rows, columns: 2).flatMap { $0.folded(to: width, indent: 2) },
            json: .array(
                voiceBook.presets.map {
                    ["name": .string($0.name), "summary": .string($0.summary)]
                }))
    }

    private func keep(_ kept: KeptVoices, _ item: LibraryItem, verb: String) async throws {
        _ = try await book.set(["voices": kept.json], of: item, verb: verb)
    }

    // MARK: - One

    private typealias Role = StoryVoiceBook.Role

    private func set(
        _ names: [String], of item: LibraryItem, _ cast: StoryCast, _ arguments: CommandArguments
    ) async throws -> CommandOutput {
        let role = try Role(names[0], in: cast)
        let rate = try Self.value("--rate", 0...1, arguments)
        let pitch = try Self.value("--pitch", 0.5...2, arguments)
        let volume = try Self.value("--volume", 0...1, arguments)
        guard names.count == 2 || rate != nil || pitch != nil || volume != nil else {
            throw Self.usage("set")
        }
        var change = StoryVoiceBook.Change(rate: rate, pitch: pitch, volume: volume)
        if names.count == 2 {
            change.identifier = try await voiceBook.identifier(
                names[1], language: StoryVoiceBook.language(item))
        }
        let voices = try await voiceBook.change(role, change, of: item, cast).voices
        var output = table(
            voices, cast, done: "voice set: \(book.lookup.name(item))", only: role)
        if case .character = role,
            voices.part(role).config.voiceIdentifier == voices.narrator.config.voiceIdentifier
        {
            output.notices = ["That is the narrator's voice too."]
        }
        return output
    }

    private func reset(
        _ name: String?, _ item: LibraryItem, _ cast: StoryCast
    ) async throws -> CommandOutput {
        var kept = KeptVoices(item)
        var role: Role?
        if let name {
            let found = try Role(name, in: cast)
            switch found {
            case .narrator: kept.narrator = nil
            case .unknown: kept.unknown = nil
            case .character(let index): kept.forget(cast.members[index].character.name)
            }
            role = found
        } else {
            (kept.narrator, kept.unknown) = (nil, nil)
            for member in cast.members { kept.forget(member.character.name) }
        }
        let voices = try await voiceBook.voices(of: item, cast, kept)
        try await keep(
            KeptVoices(voices, of: cast, preset: kept.preset), item, verb: "reset a voice of")
        return table(
            voices, cast, done: "voice chosen by rule: \(book.lookup.name(item))", only: role)
    }

    /// Speaks the first words of a character.
    private func preview(
        _ name: String, _ item: LibraryItem, _ cast: StoryCast
    ) async throws -> CommandOutput {
        let role = try Role(name, in: cast)
        let voices = try await voiceBook.voices(of: item, cast, KeptVoices(item))
        let text: String
        switch role {
        case .character(let index):
            text =
                await book.firstWords(of: index, item, cast.cast)
                ?? "My name is \(cast.members[index].character.name)."
        case .narrator, .unknown: text = ItemTable.title(item) + "."
        }
        let config = voices.part(role).config
        try await voiceBook.dependencies.speak(
            Utterance(text: text, voice: VoiceChoice(config), pause: 0))
        return table(voices, cast, only: role)
    }

    private static func value(
        _ option: String, _ range: ClosedRange<Double>, _ arguments: CommandArguments
    ) throws -> Double? {
        guard let text = arguments[option] else { return nil }
        guard let value = Double(text), range.contains(value) else {
            throw UsageError(
                "\(option) is a number from \(number(range.lowerBound)) to "
                    + "\(number(range.upperBound)).")
        }
        return value
    }

    // MARK: - Output

    /// `Alice     → en-gb+f3   (child, pitch 60)`
    private func table(
        _ voices: StoryVoices, _ cast: StoryCast, done: String? = nil, only: Role? = nil
    ) -> CommandOutput {
        var rows: [(role: Role, name: String, part: StoryVoices.Part, lines: Int?)] = [
            (.narrator, "Narrator", voices.narrator, nil)
        ]
        for (index, member) in cast.members.enumerated() {
            rows.append(
                (
                    .character(index), member.character.name, voices.characters[index],
                    member.lines
                ))
        }
        rows.append((.unknown, "Unknown", voices.unknown, nil))
        if let only { rows.removeAll { $0.role != only } }
        var output = CommandOutput(
            json: .array(
                rows.map { row in
                    var object = JSONObject()
                    object["name"] = .string(row.name)
                    object["role"] =
                        switch row.role {
                        case .narrator: "narrator"
                        case .unknown: "unknown"
                        case .character: "character"
                        }
                    object["lines"] = row.lines.map { JSONValue($0) } ?? .null
                    for member in KeptVoices.json(row.part).members {
                        object[member.name] = member.value
                    }
                    return .object(object)
                }))
        let width = library.width() ?? .max
        let cells = rows.map { row -> [StyledLine.Span] in
            let name = DisplayWidth.cut(
                row.name.oneLine, to: max(8, min(32, width / 3)))
            return [.init(name, .accent), .init("→ " + Self.voice(row.part))]
        }
        let table = StyledLine.table(cells, columns: 2, isContinued: true)
        output.lines = zip(table, rows).flatMap { line, row in
            var line = line
            let facts = Self.facts(row.part)
            if facts.isEmpty {
                // Nothing follows, so no trailing space.
                return [
                    StyledLine(line.spans.dropLast() + [.init("→ " + Self.voice(row.part))])
                ]
            }
            line.spans.append(.init("(" + facts.joined(separator: ", ") + ")", .dim))
            // Leave the terminal's last column free; details that do not fit go below the
            // voice.
            let indent = DisplayWidth.of(line.spans[0].text) + 2
            return line.folded(to: max(20, width - 1), indent: indent)
        }
        if let done { output.lines.insert(.done(done), at: 0) }
        return output
    }

    /// "en-gb+f3 (child, pitch 60)".
    static func description(of part: StoryVoices.Part) -> String {
        let facts = facts(part)
        return facts.isEmpty ? voice(part) : "\(voice(part)) (\(facts.joined(separator: ", ")))"
    }

    private static func voice(_ part: StoryVoices.Part) -> String {
        (part.config.voiceIdentifier ?? "the engine's own").oneLine
    }

    /// Settings that differ from the defaults.
    private static func facts(_ part: StoryVoices.Part) -> [String] {
        let config = part.config
        let usual = VoiceConfig()
        var facts = part.traits.filter { $0 != "narrator" && $0 != "unknown" }
            .map { $0.oneLine }
        if config.pitchMultiplier != usual.pitchMultiplier {
            facts.append("pitch \(EspeakProgram.pitch(config.pitchMultiplier))")
        }
        if config.rate != usual.rate { facts.append("rate \(number(config.rate))") }
        if config.volume != usual.volume { facts.append("volume \(number(config.volume))") }
        switch part.by {
        case .user: facts.append("set by hand")
        case .model: facts.append("chosen by the model")
        case .rule: break
        }
        return facts
    }

    /// "0.25", "2".
    private static func number(_ value: Double) -> String {
        let text = "\((value * 100).rounded() / 100)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension StoryBook {
    /// The first quotation that is surely this character's, cut to a sentence or two.
    func firstWords(of character: Int, _ item: LibraryItem, _ cast: Cast) -> String? {
        let segments = StorySegments(item, cast)
        let own = segments.attributions.values.filter { $0.speaker == character }
            .sorted { $0.span < $1.span }
        guard let first = own.first(where: { $0.tier == .sure }) ?? own.first else { return nil }
        return String(
            segments.text.text(of: segments.text.spans[first.span].range).prefix(200))
    }
}
