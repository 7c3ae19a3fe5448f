import AgentCore
import Base
import FoundationEssentials
import Library
import Persistence
import StoryKit

/// `chat story cast`: the characters of a story.
struct StoryCastCommand: Sendable {
    let book: StoryBook
    let library: LibraryServer.Dependencies

    static let members = "name aliases gender age accent personality lines narrator"
    private static let actions = ["edit", "merge", "rename", "add", "remove"]
    private static let story = Verb.Argument(
        "STORY", "a story: s3 or last; default: last", .story,
        .examples(["last"] + actions), isOptional: true)

    var verbs: [Verb] {
        [
            Verb(
                "cast", "who is in a story; merge, rename, add, remove or edit characters",
                [
                    Self.story,
                    .init(
                        "ACTION", "edit, merge, rename, add or remove", .examples(Self.actions),
                        isOptional: true),
                    .init("NAME", "names of the cast", isOptional: true, repeats: true),
                ],
                options: [
                    .init(
                        "--alias NAME", "another name of the character to add or edit",
                        repeats: true),
                    .init(
                        "--gender", oneOf: ["male", "female"], "of the character to add or edit"),
                    .init("--age AGE", "child, young, adult, old", .examples(Self.ages)),
                    .init("--accent ACCENT", "British, Scottish, American"),
                    .init("--personality WORDS", "stern, cheerful, shy"),
                ], json: Self.members, example: "s3 merge \"Mr. Darcy\" Darcy"
            ) { try await cast($0) }
        ]
    }

    private static let ages = ["child", "young", "adult", "old"]

    // MARK: - The cast

    private func cast(_ arguments: CommandArguments) async throws -> CommandOutput {
        var rest = arguments.plain[...]
        var name = "last"
        if let first = rest.first, !Self.actions.contains(first) {
            name = first
            rest.removeFirst()
        }
        let item = try await book.lookup.find(name)
        var cast = try book.cast(of: item)
        guard let action = rest.popFirst() else {
            if try facts(arguments) != StoryCast.Facts() {
                throw UsageError("Whose? chat story cast edit NAME --gender female")
            }
            return StoryCastTable.output(cast, width: library.width())
        }
        let names = rest.map { $0.oneLine.trimmingSpace() }
        if names.contains("") { throw UsageError("A name needs letters.") }
        let before = cast
        let facts = try facts(arguments)
        let done: String
        switch (action, names.count) {
        case ("merge", 2...):
            try cast.merge(names)
            done = "merged into \(cast.members[try cast.find(names[0])].character.name)"
        case ("rename", 2):
            try cast.rename(names[0], to: names[1])
            done = "renamed to \(names[1])"
        case ("add", 1):
            try cast.add(names[0])
            try cast.set(names[0], facts)
            done = "added \(names[0])"
        case ("remove", 1...):
            for name in names { try cast.remove(name) }
            done = "removed \(names.joined(separator: ", "))"
        case ("edit", 1) where facts != StoryCast.Facts():
            try cast.set(names[0], facts)
            done = "edited \(cast.members[try cast.find(names[0])].character.name)"
        case ("edit", 0):
            guard let edited = try await edited(cast, item, arguments.interaction) else {
                return CommandOutput(
                    lines: [StyledLine("Nothing changed: \(book.lookup.name(item))", .dim)])
            }
            cast = edited
            done = "edited"
        default: throw Self.usage(action)
        }
        if cast == before {
            return CommandOutput(
                lines: [StyledLine("Nothing changed: \(book.lookup.name(item))", .dim)],
                json: cast.json(all: true))
        }
        let counted = try await book.change(cast, of: item)
        var output = StoryCastTable.output(counted, width: library.width())
        output.lines.insert(.done("\(done): \(book.lookup.name(item))"), at: 0)
        return output
    }

    private static func usage(_ action: String) -> UsageError {
        let examples = [
            "merge": "merge \"Mr. Darcy\" Darcy", "rename": "rename Darcy \"Fitzwilliam Darcy\"",
            "add": "add \"the Hatter\" --gender male", "remove": "remove \"the Hatter\"",
            "edit": "edit, or edit Alice --age child",
        ]
        guard let example = examples[action] else {
            return UsageError(noAction: action, among: actions)
        }
        return UsageError("cast \(action) needs names: chat story cast \(example)")
    }

    private func facts(_ arguments: CommandArguments) throws -> StoryCast.Facts {
        func text(_ option: String) throws -> String? {
            guard let given = arguments[option] else { return nil }
            let line = given.oneLine.trimmingSpace()
            if line.isEmpty { throw UsageError("\(option) needs words.") }
            return line
        }
        return StoryCast.Facts(
            aliases: arguments.values("--alias").map { $0.oneLine.trimmingSpace() }
                .filter { !$0.isEmpty },
            gender: arguments["--gender"].flatMap(StoryCharacter.Gender.init),
            age: try text("--age"), accent: try text("--accent"),
            personality: try text("--personality"))
    }

    /// Opens the cast as JSON in the user's editor; nil if it was not changed.
    private func edited(
        _ cast: StoryCast, _ item: LibraryItem, _ interaction: Interaction
    ) async throws -> StoryCast? {
        let text = JSONWriter.pretty(cast.json()) + "\n"
        switch await interaction.edit(text, "\(book.lookup.id(item.id))-cast.json") {
        case .unchanged: return nil
        case .holdsKey(let path): throw KeyNotKept(path: path)
        case .failed(let sentence): throw ToolError.failed("Nothing was changed: \(sentence)")
        case .changed(let text):
            let bytes = Array(text.utf8)
            let value: JSONValue
            do { value = try JSONParser.parse(bytes) } catch {
                let (line, column) = JSON5.position(of: error.offset, in: bytes)
                throw ToolError.failed(
                    "Nothing was changed: line \(line), column \(column) is not JSON.")
            }
            return try StoryCast(value)
        }
    }
}
