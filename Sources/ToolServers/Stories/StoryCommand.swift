import AgentCore
import Base
import Documents
import FoundationEssentials
import Library
import Persistence
import StoryKit

/// The verbs of `chat story` for importing and listing stories, and for showing and
/// changing them.
struct StoryCommand: Sendable {
    let book: StoryBook
    let library: LibraryServer.Dependencies

    private var shared: ItemNoun { ItemNoun(lookup: book.lookup, library: library) }
    var now: Date { library.environment.now() }

    private static let listed = 50
    private static let meaning = "a story: s3, last or a part of its title"
    static let story = Verb.Argument.phrase("STORY", meaning, .story)
    static let several = Verb.Argument("STORY", meaning, .story, repeats: true)
    /// Members of a list printed as JSON.
    static let members =
        "id title author language quotes format source chapters indexed created updated revision"
    private static let facts: [Verb.Option] = [
        .init("--author NAME", "its author"),
        .init("--language L", "its language: en, de", .examples(["en", "de", "fr"])),
        .init(
            "--quotes STYLE", "how it marks speech; default: detected",
            .oneOf(QuoteStyle.allCases.map(\.rawValue))),
    ]

    var verbs: [Verb] {
        [
            Verb(
                "list", "the stories, the newest first",
                options: [.init("--all", "not only the newest \(Self.listed)")],
                json: Self.members
            ) { try await list($0) },
            Verb(
                "import", "a text, Markdown, HTML, EPUB, PDF or RTF; - is standard input",
                [.init("FILE", "a file, or - for standard input", .file)],
                options: [.init("--title TITLE", "its title")] + Self.facts + [
                    .init("--new", "import it again, as another story")
                ], json: Self.members + " words", example: "alice.epub"
            ) { try await importStory($0) },
            Verb(
                "show", "the details and chapters of one, or its text", [Self.story],
                options: [
                    .init("--text", "the text, byte for byte"),
                    .init("--chapter N", "the text of one chapter"),
                ], json: Self.members + " words text", example: "s3"
            ) { try await show($0) },
            Verb(
                "rename", "give one another title",
                [.init("STORY", Self.meaning, .story), .phrase("TITLE", "the new title")],
                json: ItemTable.members, example: "s3 The Tea Party"
            ) { try await rename($0) },
            Verb(
                "edit", "edit its text in your editor, or set its details", [Self.story],
                options: [
                    .init("--text TEXT", "the new text; - reads standard input"),
                    .init("--title TITLE", "the new title"),
                ] + Self.facts, json: ItemTable.members, example: "s3 --author \"Ada Lee\""
            ) { try await edit($0) },
            Verb(
                "delete", "move to the trash", [Self.several],
                options: [.init("--yes", "several, without asking")],
                json: ItemTable.members, example: "s3"
            ) { try await shared.delete($0) },
        ]
    }

    // MARK: - Lists

    private func list(_ arguments: CommandArguments) async throws -> CommandOutput {
        let limit = arguments.has("--all") ? nil : Self.listed
        let stories = try await book.stories(limit: limit)
        var output = CommandOutput(
            lines: stories.isEmpty
                ? [StyledLine("No stories yet: chat story import FILE", .hint)]
                : lines(stories, width: library.width()),
            json: .array(stories.map { .object(Self.json($0, Story($0))) }))
        output.remarks = try await shared.rest(behind: stories.count, limit: limit)
        return output
    }

    /// `s3  Alice's Adventures in Wonderland  Lewis Carroll  12 chapters  not indexed`;
    /// columns that do not fit next to a readable title are left out.
    private func lines(_ items: [LibraryItem], width: Int?) -> [StyledLine] {
        let stories = items.map { Story($0) }
        return ItemTable.lines(
            items, ids: items.map { book.lookup.id($0.id) },
            facts: [
                stories.map(index), stories.map { Self.chapters($0.chapters.count) },
                stories.map { DisplayWidth.cut(($0.author ?? "").oneLine, to: 24) },
            ], width: width)
    }

    private func index(_ story: Story) -> String {
        guard let index = story.index else { return "not indexed yet" }
        return story.isIndexCurrent
            ? "indexed \(Quantities.ago(index.made, now: now))" : "changed since indexed"
    }

    static func chapters(_ count: Int) -> String {
        count == 0 ? "no chapters" : Quantities.count(count, "chapter")
    }

    // MARK: - One story

    private func show(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.text, isTrashed: nil)
        let story = Story(item)
        let bytes = Array(item.body.utf8)
        let ranges = story.ranges(end: bytes.count)
        var object = Self.json(item, story)
        object["words"] = JSONValue(Self.words(bytes[...]))
        object["chapters"] = .array(
            zip(story.chapters, ranges).enumerated().map { index, pair in
                [
                    "number": JSONValue(index + 1), "title": .string(pair.0.title),
                    "start": JSONValue(pair.1.lowerBound), "end": JSONValue(pair.1.upperBound),
                    "words": JSONValue(Self.words(bytes[pair.1])),
                ]
            })
        var text: ArraySlice<UInt8>?
        if arguments.has("--text") { text = bytes[...] }
        if let number = try arguments.number("--chapter") {
            if arguments.has("--text") {
                throw UsageError("--text and --chapter cannot be combined.")
            }
            text = try bytes[story.range(ofChapter: number, of: item)]
        }
        object["text"] = text.map { .string(String(decoding: $0, as: UTF8.self)) }
        var output = CommandOutput(json: .object(object))
        if let text {
            if !arguments.wantsJSON { output.document = Array(text) }
            return output
        }
        let width = max(20, (library.width() ?? .max) - 1)
        output.lines = StyledLine(ItemTable.title(item), .bold).folded(to: width, indent: 0)
        if let author = story.author {
            output.lines += StyledLine("by \(author.oneLine)").folded(to: width)
        }
        let about = facts(item, story, bytes)
        output.lines += about.map { StyledLine($0, .dim) }
        let rows = zip(story.chapters, ranges).enumerated().map { index, pair in
            [
                StyledLine.Span(DisplayWidth.padLeft("\(index + 1)", to: 4), .accent),
                .init(DisplayWidth.cut(pair.0.title.oneLine, to: titleWidth)),
                .init(Quantities.count(Self.words(bytes[pair.1]), "word"), .dim),
            ]
        }
        if !rows.isEmpty { output.lines += [StyledLine("")] + StyledLine.table(rows, columns: 2) }
        return output
    }

    private var titleWidth: Int { max(12, min(56, (library.width() ?? 80) - 22)) }

    /// `s3 · epub, alice.epub · en · quotes “ ” · 26,390 words · not indexed yet`, on as
    /// many lines as the terminal needs.
    func facts(_ item: LibraryItem, _ story: Story, _ bytes: [UInt8]) -> [String] {
        var facts = [book.lookup.id(item.id)]
        facts.append(
            story.source.map { DisplayWidth.cut($0.oneLine, to: 40) }
                ?? story.format.rawValue)
        facts += about(story, words: Self.words(bytes[...]))
        facts.append(index(story))
        facts.append("changed \(Quantities.ago(item.updated, now: now))")
        if item.revision > 1 { facts.append("revision \(item.revision)") }
        if item.trashed != nil { facts.append("in the trash") }
        return folded(facts)
    }

    /// Facts found in the text: "12 chapters", "26,390 words", "en", "quotes “ ”".
    func about(_ story: Story, words: Int) -> [String] {
        var facts = [Self.chapters(story.chapters.count), Quantities.count(words, "word")]
        if let language = story.language { facts.append(language.oneLine) }
        facts.append(story.style == .none ? "no quotes" : "quotes \(story.style.sample)")
        return facts
    }

    /// Joins facts with dots and wraps between facts.
    func folded(_ facts: [String]) -> [String] {
        let width = max(20, (library.width() ?? .max) - 1)
        var lines: [String] = []
        for fact in facts {
            if let last = lines.last, DisplayWidth.of(last) + DisplayWidth.of(fact) + 3 <= width {
                lines[lines.count - 1] = last + " · " + fact
            } else {
                lines.append(fact)
            }
        }
        return lines
    }

    /// Number of words separated by spaces.
    static func words(_ bytes: ArraySlice<UInt8>) -> Int {
        var (count, isInWord) = (0, false)
        for byte in bytes {
            let isSpace = byte <= 0x20
            if !isSpace, !isInWord { count += 1 }
            isInWord = !isSpace
        }
        return count
    }

    static func json(_ item: LibraryItem, _ story: Story) -> JSONObject {
        var object = JSONObject()
        if case .object(let listed) = ItemTable.json(item) { object = listed }
        object["id"] = .string(ItemKind.story.id(item.id))
        object["kind"] = nil
        object["tags"] = nil
        object["author"] = story.author.map { .string($0) } ?? .null
        object["language"] = story.language.map { .string($0) } ?? .null
        object["quotes"] = .string(story.style.rawValue)
        object["format"] = .string(story.format.rawValue)
        object["source"] = story.source.map { .string($0) } ?? .null
        object["chapters"] = JSONValue(story.chapters.count)
        object["indexed"] = story.index.map { .string(LocalTime().isoText($0.made)) } ?? .null
        return object
    }
}

extension UsageError {
    /// - Parameter actions: those that the verb has.
    init(noAction action: String, among actions: [String]) {
        let near = NearestWord.find(action, among: actions)
        self.init(
            "There is no action \(action.oneLine).",
            hint: near.map { "Did you mean \($0)?" }
                ?? "It takes: " + actions.joined(separator: ", "))
    }
}

extension StyledLine {
    /// `✓ renamed: s3 The Tea Party · /undo`
    static func done(_ text: String, _ more: String = "") -> StyledLine {
        StyledLine([.init("✓ " + text, .success), .init(more + " · /undo", .hint)])
    }
}
