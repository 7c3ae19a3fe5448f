import AgentCore
import Base
import Privacy

/// `profile` in the shell and at the prompt. Values are masked unless requested with
/// `--reveal`, and never appear in an error.
struct ProfileCommand: Sendable {
    let dependencies: ProfileServer.Dependencies

    private var file: ProfileFile { dependencies.file }

    var command: Command {
        Command(
            name: ProfileServer.noun, summary: "who you are: for letters, never for a model",
            verbs: [
                Verb(
                    "show", "what is known about you, masked",
                    options: [.init("--reveal", "the values themselves")], json: Self.json
                ) { try await show($0) },
                Verb(
                    "set",
                    "replace a value; without VALUE, chat asks for it. "
                        + "A FIELD is \(Self.named)",
                    [Self.field, Self.value], example: "name \"Ida Svensson\""
                ) { try await set($0) },
                Verb(
                    "add", "one more: a second e-mail, a maiden name, a nickname",
                    [Self.field, Self.value], example: "name \"Ida Lindqvist\""
                ) { try await add($0) },
                Verb(
                    "import", "import it from a résumé: JSON Resume (basics)",
                    [.init("FILE", "a file with a résumé", .file)], example: "resume.json"
                ) { try await load($0) },
                Verb(
                    "remove", "forget all of it, a field, or one value",
                    [
                        Verb.Argument("FIELD", "a field", .oneOf(Self.fields), isOptional: true),
                        .phrase("VALUE", "the value, or its number", isOptional: true),
                    ], options: [.init("--yes", "without asking")], example: "email 2"
                ) { try await remove($0) },
            ])
    }

    private static let fields = Profile.Field.allCases.map(\.rawValue)
    private static let json = fields.joined(separator: " ") + " revealed"
    private static let named =
        fields.dropLast().joined(separator: ", ") + " or " + (fields.last ?? "")
    private static let field = Verb.Argument(
        "FIELD", "a field, such as name or email", .oneOf(fields))
    private static let value = Verb.Argument.phrase(
        "VALUE", "the value; - reads stdin", isOptional: true)

    private static func field(_ arguments: CommandArguments) -> Profile.Field? {
        // The command table has already checked the word.
        arguments.plain.first.flatMap { Profile.Field(rawValue: $0) }
    }

    // MARK: - Showing

    private func show(_ arguments: CommandArguments) async throws -> CommandOutput {
        let profile = try await file.read()
        let isRevealed = arguments.has("--reveal")
        func shown(_ field: Profile.Field, _ value: String) -> String {
            isRevealed ? value : ProfileValue.masked(field, value)
        }
        var object = JSONObject()
        var rows: [[StyledLine.Span]] = []
        for field in Profile.Field.allCases {
            let values = profile.values(of: field)
            object[field.rawValue] = .array(values.map { .string(shown(field, $0)) })
            for (index, value) in values.enumerated() {
                let number = values.count > 1 ? "\(index + 1)" : ""
                let lines = shown(field, value).split(separator: "\n").joined(separator: ", ")
                rows.append([
                    .init(index == 0 ? ProfileValue.title(field) : "", .dim), .init(number, .dim),
                    .init(lines),
                ])
            }
        }
        object["revealed"] = .bool(isRevealed)
        var output = CommandOutput(json: .object(object))
        if rows.isEmpty {
            output.lines = [StyledLine("No profile yet.", .dim)]
            output.remarks = [
                StyledLine("Begin with: chat profile set name", .hint),
                StyledLine("Or from a JSON Resume: chat profile import resume.json", .hint),
            ]
            return output
        }
        output.lines = StyledLine.table(rows, columns: 2)
        output.remarks = [StyledLine("Kept in \(dependencies.shortened(file.path))", .dim)]
        if !isRevealed {
            output.remarks.append(
                StyledLine("The values themselves: chat profile show --reveal", .hint))
        }
        if await file.isReadableByOthers() {
            output.notices = ["Others can read it: chmod 600 \(file.path)"]
        }
        return output
    }

    // MARK: - Changing

    private func set(_ arguments: CommandArguments) async throws -> CommandOutput {
        guard let field = Self.field(arguments) else { return CommandOutput() }
        let value = try await value(field, arguments)
        let (before, after, _) = try await file.change { profile throws(ProfileError) in
            try profile.set(field, value)
        }
        let old = before.values(of: field)
        var output = Self.done(field, after.first(field) ?? "")
        if old == after.values(of: field) {
            output.lines = [StyledLine("It already has this value.", .dim)]
        } else if !old.isEmpty {
            let was = old.map { ProfileValue.masked(field, $0) }.joined(separator: " · ")
            output.remarks = [StyledLine("It was: \(was)", .dim)]
        }
        return output
    }

    private func add(_ arguments: CommandArguments) async throws -> CommandOutput {
        guard let field = Self.field(arguments) else { return CommandOutput() }
        let value = try await value(field, arguments)
        let (before, after, isNew) = try await file.change { profile throws(ProfileError) in
            try profile.add(field, value)
        }
        guard isNew else {
            return CommandOutput(lines: [StyledLine("It is already there.", .dim)])
        }
        var output = Self.done(field, after.values(of: field).last ?? "")
        if let first = before.first(field) {
            output.remarks = [
                StyledLine("Letters print \(ProfileValue.masked(field, first)).", .dim)
            ]
        }
        return output
    }

    private static func done(_ field: Profile.Field, _ value: String) -> CommandOutput {
        CommandOutput(lines: [
            StyledLine(
                "✓ \(ProfileValue.title(field)): \(ProfileValue.masked(field, value))", .success)
        ])
    }

    /// The value that was typed, piped in or answered.
    private func value(_ field: Profile.Field, _ arguments: CommandArguments) async throws -> String
    {
        let typed = arguments.plain.dropFirst().joined(separator: " ")
        if typed == "-" {
            let bytes = try await dependencies.readInput(64 << 10)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ToolError.failed("standard input is not text in UTF-8; nothing was changed")
            }
            return text
        }
        if !typed.isEmpty { return typed }
        let title = ProfileValue.title(field)
        let question = "\(title.prefix(1).uppercased())\(title.dropFirst()): "
        guard let answer = try await arguments.interaction.ask(question, false) else {
            throw UsageError(
                "There is no terminal to ask for the \(title).",
                hint: "chat profile \(arguments.name.split(separator: " ").last ?? "set") "
                    + "\(field.rawValue) - < FILE")
        }
        return answer
    }

    /// Existing values stay; new ones are appended.
    private func load(_ arguments: CommandArguments) async throws -> CommandOutput {
        let path = arguments.plain.first ?? ""
        let entries = try await dependencies.entries(path)
        if entries.isEmpty { throw ProfileError(.nothingToImport(path.oneLine)) }
        let (before, _, taken) = try await file.change { profile throws(ProfileError) in
            var taken: [PersonalData.Entry] = []
            var left: [(field: Profile.Field, problem: String)] = []
            for entry in entries {
                do throws(ProfileError) {
                    if try profile.add(entry.kind, entry.value) { taken.append(entry) }
                } catch {
                    left.append((entry.kind, error.diagnostic.what))
                }
            }
            return Taken(entries: taken, left: left.map(\.problem))
        }
        if taken.entries.isEmpty, taken.left.isEmpty {
            return CommandOutput(lines: [StyledLine("All of it is already there.", .dim)])
        }
        let rows: [[StyledLine.Span]] = taken.entries.map { entry in
            let isSecond = !before.values(of: entry.kind).isEmpty
            return [
                .init("✓ \(ProfileValue.title(entry.kind))", .success),
                .init(ProfileValue.masked(entry.kind, entry.value)),
                .init(isSecond ? "added; letters still use the first one" : "", .dim),
            ]
        }
        var output = CommandOutput(lines: StyledLine.table(rows, columns: 2))
        output.notices = taken.left
        if !taken.left.isEmpty { output.outcome = .degraded }
        output.remarks = [
            StyledLine("The values themselves: chat profile show --reveal", .hint)
        ]
        return output
    }

    private struct Taken: Sendable {
        var entries: [PersonalData.Entry]
        var left: [String]
    }

    private func remove(_ arguments: CommandArguments) async throws -> CommandOutput {
        let profile = try await file.read()
        let field = Self.field(arguments)
        let typed = arguments.plain.dropFirst().joined(separator: " ")
        let fields = field.map { [$0] } ?? Profile.Field.allCases
        let counts = fields.map { ($0, profile.values(of: $0).count) }.filter { $0.1 > 0 }
        if counts.isEmpty {
            return CommandOutput(lines: [StyledLine("There is nothing to remove.", .dim)])
        }
        var what = counts.map { ProfileValue.count($0.1, $0.0) }.joined(separator: ", ")
        var removed = profile
        if let field, !typed.isEmpty {
            guard removed.remove(field, typed) > 0 else { throw ProfileError(.notThere(field)) }
            let gone = profile.values(of: field).first { !removed.values(of: field).contains($0) }
            what = "\(ProfileValue.title(field)) \(ProfileValue.masked(field, gone ?? ""))"
        }
        var isMeant = arguments.isConfirmed
        if !isMeant {
            isMeant = await arguments.interaction.confirm(
                nil, "Remove from your profile: \(what)? This cannot be undone.")
        }
        guard isMeant else {
            return CommandOutput(
                lines: [StyledLine("Nothing was removed; --yes removes \(what).", .warning)],
                outcome: .refused)
        }
        try await file.change { profile in
            for field in fields { _ = profile.remove(field, typed.isEmpty ? nil : typed) }
        }
        return CommandOutput(lines: [StyledLine("✓ removed: \(what)", .success)])
    }
}
