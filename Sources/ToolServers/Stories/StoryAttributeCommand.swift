import AgentCore
import Base
import Documents
import StoryKit

/// `chat story attribute`: finds who says each quotation of a text, without saving it and
/// without a model.
package struct StoryAttributeCommand: Sendable {
    /// Reads a file, or standard input for nil.
    package typealias Read = @Sendable (_ path: String?) async throws -> [UInt8]

    private let read: Read
    private let width: @Sendable () -> Int?

    package init(read: @escaping Read, width: @escaping @Sendable () -> Int?) {
        self.read = read
        self.width = width
    }

    package var verb: Verb {
        Verb(
            "attribute", "who says each quotation of a text, and how certain that is",
            [.init("FILE", "a text in UTF-8, or - for standard input", .file)],
            options: [
                .init("--cast FILE", "the cast as JSON; default: found in the text", .file),
                .init("--show-cast", "print the cast instead, as --cast reads it"),
                .init(
                    "--quotes STYLE", "how it marks speech; default: detected",
                    .oneOf(QuoteStyle.allCases.map(\.rawValue))),
                .init("--language L", "its language", .examples(["en", "de", "fr"])),
            ], json: "start end text speaker confidence tier evidence",
            example: "alice.txt --cast cast.json"
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let path = arguments.plain.first ?? "-"
        let bytes = try await read(path == "-" ? nil : path)
        let shown = path == "-" ? "standard input" : path.oneLine
        guard let source = String(validating: bytes, as: UTF8.self) else {
            throw StoryAttributeError(.notText(shown))
        }
        let given = try await cast(arguments["--cast"])
        let text = StoryText(
            source, style: arguments["--quotes"].flatMap(QuoteStyle.init),
            language: arguments["--language"] ?? TextLanguage.guess(String(source.prefix(40_000))))
        let cast = given ?? CastFinder.find(in: text)
        if arguments.has("--show-cast") { return Self.output(cast) }
        let attributions = Attributor(cast: cast).attribute(text)
        var output = CommandOutput(
            lines: lines(attributions, text, cast),
            json: .array(attributions.map { Self.json($0, text, cast) }))
        output.remarks = [Self.summary(attributions, text)]
        output.quotesOthers = true
        return output
    }

    // MARK: - Input

    private func cast(_ path: String?) async throws -> Cast? {
        guard let path else { return nil }
        let bytes = try await read(path)
        let shown = path.oneLine
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch {
            let (line, column) = JSON5.position(of: error.offset, in: bytes)
            throw StoryAttributeError(
                .notCast(
                    shown,
                    "line \(line), column \(column): \(Diagnostic.words(error.reason.rawValue))"))
        }
        do { return try StoryCast(value, isLenient: true).cast } catch {
            let why =
                switch error.reason {
                case .noName(let number): "character \(number) has no name"
                default: "it is not an array of characters"
                }
            throw StoryAttributeError(.notCast(shown, why))
        }
    }

    // MARK: - Output

    private static func json(
        _ attribution: Attribution, _ text: StoryText, _ cast: Cast
    ) -> JSONValue {
        let range = text.spans[attribution.span].range
        // Two digits match the precision of the measurement.
        let confidence = (attribution.confidence * 100).rounded() / 100
        return [
            "start": JSONValue(range.lowerBound), "end": JSONValue(range.upperBound),
            "text": .string(text.text(of: range)),
            "speaker": attribution.speaker.map { .string(cast.characters[$0].name) } ?? .null,
            "confidence": JSONValue(confidence), "tier": .string(attribution.tier.rawValue),
            "evidence": .string(attribution.evidence),
        ]
    }

    private static func output(_ cast: Cast) -> CommandOutput {
        let members = cast.characters.enumerated().map { index, character -> JSONValue in
            let gender: JSONValue = character.gender.map { .string($0.rawValue) } ?? .null
            let aliases: [JSONValue] = character.aliases.map { .string($0) }
            return [
                "name": .string(character.name), "aliases": .array(aliases), "gender": gender,
                "narrator": .bool(index == cast.narrator),
            ]
        }
        let names = cast.characters.map { $0.name.oneLine }
        let nameWidth = names.map(DisplayWidth.of).max() ?? 0
        var output = CommandOutput(
            lines: cast.characters.enumerated().map { index, character in
                var facts = character.aliases.map { $0.oneLine }
                if index == cast.narrator { facts.insert("narrator", at: 0) }
                if let gender = character.gender { facts.insert(gender.rawValue, at: 0) }
                return StyledLine([
                    .init(DisplayWidth.pad(names[index], to: nameWidth)),
                    .init("  " + facts.joined(separator: ", "), .dim),
                ])
            }, json: .array(members))
        output.quotesOthers = true
        return output
    }

    /// `Alice   sure   “What is the use of a book”   tag “thought Alice”`
    private func lines(
        _ attributions: [Attribution], _ text: StoryText, _ cast: Cast
    ) -> [StyledLine] {
        let names = attributions.map { attribution in
            attribution.speaker.map { cast.characters[$0].name.oneLine } ?? "unknown"
        }
        let nameWidth = min(24, names.map(DisplayWidth.of).max() ?? 0)
        let quoteWidth = max(20, ((width() ?? 100) - nameWidth - 12) * 3 / 5)
        return attributions.indices.map { row in
            let range = text.spans[attributions[row].span].range
            let quotation = text.text(of: range).oneLine
            return StyledLine([
                .init(
                    DisplayWidth.pad(DisplayWidth.cut(names[row], to: nameWidth), to: nameWidth)),
                .init("  " + DisplayWidth.pad(attributions[row].tier.rawValue, to: 6), .dim),
                .init(
                    "  "
                        + DisplayWidth.pad(
                            DisplayWidth.cut(quotation, to: quoteWidth), to: quoteWidth)),
                .init("  " + attributions[row].evidence, .dim),
            ])
        }
    }

    /// "147 quotations in double-curly marks: 60 % sure, 30 % likely, 10 % guesses".
    private static func summary(_ attributions: [Attribution], _ text: StoryText) -> StyledLine {
        guard !attributions.isEmpty else {
            return StyledLine("No quotations found: --quotes says how they are marked.", .dim)
        }
        let shares = Attribution.Tier.allCases.map { tier in
            let count = attributions.count { $0.tier == tier }
            return
                "\((count * 100 + attributions.count / 2) / attributions.count) % \(tier.rawValue)"
        }
        return StyledLine(
            "\(Quantities.count(attributions.count, "quotation")), marked \(text.style.sample): "
                + shares.joined(separator: ", "), .dim)
    }
}

/// The reason why the speakers of a text could not be found.
package struct StoryAttributeError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The file is not UTF-8.
        case notText(String)
        case notCast(String, String)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension StoryAttributeError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .notText(let name):
            Diagnostic(
                "\(name) is not text in UTF-8, so positions in it cannot be given.",
                todo: "chat story import FILE reads other formats.")
        case .notCast(let path, let why):
            Diagnostic(
                "\(path) is not a cast: \(why).",
                todo: "chat story attribute FILE --show-cast --json writes one.")
        }
    }
}
