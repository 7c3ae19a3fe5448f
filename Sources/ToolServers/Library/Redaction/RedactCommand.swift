import AgentCore
import Base
import Privacy

/// `chat redact`: redacts personal data in a text, and restores it. Nothing is sent
/// anywhere, and no model is involved.
///
/// The text goes to standard output, everything else to standard error; the map
/// of the placeholders goes into a private file on request.
package struct RedactCommand: Sendable {
    package struct Dependencies: Sendable {
        /// Reads the profile's data about the user.
        package var person: @Sendable () async throws -> PersonalData
        /// Finds the people a text identifies by its form, such as the head of a résumé.
        package var people: @Sendable (_ text: String) -> PersonalData
        /// Reads a file, or standard input if nil.
        package var read: @Sendable (_ path: String?) async throws -> [UInt8]
        /// Whether something is piped in.
        package var hasInput: @Sendable () -> Bool
        package var files: PrivateFiles

        package init(
            person: @escaping @Sendable () async throws -> PersonalData,
            people: @escaping @Sendable (_ text: String) -> PersonalData = { _ in PersonalData() },
            read: @escaping @Sendable (_ path: String?) async throws -> [UInt8],
            hasInput: @escaping @Sendable () -> Bool, files: PrivateFiles
        ) {
            self.person = person
            self.people = people
            self.read = read
            self.hasInput = hasInput
            self.files = files
        }
    }

    package static let noun = "redact"
    private let dependencies: Dependencies

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    package var command: Command {
        Command(
            name: Self.noun, summary: "take personal data out of a text",
            takesWordsWithoutVerb: true,
            verbs: [
                Verb(
                    "redact",
                    "print a text with placeholders for names, e-mails, phones, addresses",
                    [.init("FILE", "a file; - or nothing reads stdin", .file, isOptional: true)],
                    options: [
                        .init("--map FILE", "keep what the placeholders stand for", .file),
                        .init("--restore MAP", "put the originals of a map back", .file),
                        .init("--hide-employers", "the employers of your profile, too"),
                        .init("--force", "replace the file of --map if it exists"),
                    ], json: "text counts map profile", example: "cv.txt --map cv.map"
                ) { try await run($0) }
            ])
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        if arguments.has("--restore"), arguments.has("--map") || arguments.has("--hide-employers") {
            throw UsageError(
                "--restore puts originals back and takes no other option.",
                hint: "chat redact --restore MAP FILE")
        }
        let text = try await text(arguments)
        if let path = arguments["--restore"] {
            return try await restore(text, path, wantsJSON: arguments.wantsJSON)
        }
        return try await redact(text, arguments)
    }

    // MARK: - There

    private func redact(_ text: String, _ arguments: CommandArguments) async throws -> CommandOutput
    {
        let profile = try await dependencies.person()
        let redactor = Redactor(
            profile.merging(dependencies.people(text)),
            hidesEmployers: arguments.has("--hide-employers"), readsProse: true)
        var map = RedactionMap(avoiding: text)
        let redacted = redactor.redact(text, into: &map)
        if let path = arguments["--map"] {
            try await dependencies.files.write(
                Array((JSONWriter.pretty(map.json) + "\n").utf8), to: path,
                replaces: arguments.has("--force"), besides: arguments.plain.first)
        }
        var output = CommandOutput(
            json: [
                "text": .string(redacted), "counts": Self.json(map),
                "map": arguments["--map"].map { .string($0) } ?? .null,
                "profile": .bool(!profile.isEmpty),
            ])
        if !arguments.wantsJSON { output.document = Array(redacted.utf8) }
        let summary = Self.summary(map)
        output.remarks = [
            StyledLine([
                .init(summary.isEmpty ? "Nothing was found to hide" : "Hidden: \(summary)", .dim),
                .init(
                    arguments["--map"].map { " · back with chat redact --restore \($0)" } ?? "",
                    .hint),
            ])
        ]
        if profile.isEmpty {
            output.notices = [
                "No profile is set, so your name and address were not looked for: "
                    + "chat profile set name"
            ]
        }
        return output
    }

    /// "3 names, 1 e-mail, 2 phones": counts distinct ones.
    package static func summary(_ map: RedactionMap) -> String {
        counts(map).map { ProfileValue.count($0.count, $0.kind) }.joined(separator: ", ")
    }

    private static func counts(
        _ map: RedactionMap
    ) -> [(kind: PersonalData.Kind, count: Int)] {
        PersonalData.Kind.allCases.map { kind in
            (kind, map.entries.count { $0.kind == kind })
        }.filter { $0.count > 0 }
    }

    private static func json(_ map: RedactionMap) -> JSONValue {
        .object(
            JSONObject(
                counts(map).map { JSONObject.Member($0.kind.rawValue, JSONValue($0.count)) }))
    }

    // MARK: - And back

    private func restore(
        _ text: String, _ path: String, wantsJSON: Bool
    ) async throws -> CommandOutput {
        let bytes = try await dependencies.read(path)
        let shown = path.oneLine
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch {
            let (line, column) = JSON5.position(of: error.offset, in: bytes)
            throw RedactionError(
                .notMap(
                    shown,
                    "line \(line), column \(column): \(Diagnostic.words(error.reason.rawValue))"))
        }
        let map: RedactionMap
        do { map = try RedactionMap(json: value) } catch {
            throw RedactionError(.notMap(shown, "no list of placeholders"))
        }
        let restored = map.restore(text)
        var output = CommandOutput(json: ["text": .string(restored)])
        if !wantsJSON { output.document = Array(restored.utf8) }
        return output
    }

    // MARK: - Reading

    private func text(_ arguments: CommandArguments) async throws -> String {
        let name = arguments.plain.first
        if arguments.interaction.isChat, name == nil || name == "-" {
            throw UsageError("At the prompt, name a file.", hint: "chat redact cv.txt")
        }
        if name == nil, !dependencies.hasInput() {
            throw UsageError(
                "redact needs a text.", hint: "chat redact cv.txt, or: … | chat redact")
        }
        let bytes = try await dependencies.read(name == "-" ? nil : name)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw RedactionError(
                .notText(name.map { $0.oneLine } ?? "standard input"))
        }
        return text
    }
}

/// The reason why a text was not redacted or restored. Nothing was written.
package struct RedactionError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The text, or the map.
        case unreadable(String, String)
        /// The file is not UTF-8.
        case notText(String)
        case notMap(String, String)
        /// The file of the map already exists.
        case mapExists(String)
        /// The map would replace the text.
        case mapIsText(String)
        case unwritable(String, String)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension RedactionError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .unreadable(let name, let why):
            Diagnostic(
                "\(name) could not be read: \(why).",
                todo: "Name a file, or pipe the text in: chat redact -", namesCommands: true)
        case .notText(let name):
            Diagnostic(
                "\(name) is not text in UTF-8; nothing was written.",
                todo: "Convert it first: iconv -f LATIN1 -t UTF-8 FILE", namesCommands: false)
        case .notMap(let path, let why):
            Diagnostic(
                "\(path) is not a map of placeholders: \(why).",
                todo: "chat redact --map FILE writes one.")
        case .mapExists(let path):
            Diagnostic(
                "\(path) already exists; nothing was written.",
                todo: "Give another name, or --force to replace it.", exit: .usage)
        case .mapIsText(let path):
            Diagnostic(
                "\(path) is the text file itself; give the map another name.", exit: .usage)
        case .unwritable(let path, let why):
            Diagnostic("\(path) could not be written: \(why). Nothing was written.")
        }
    }
}
