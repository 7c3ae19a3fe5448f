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
            ], json: StorySegmentCommand.members,
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
        if arguments.has("--show-cast") {
            return StoryCastTable.output(StoryCast(cast), width: width())
        }
        let found = StorySegments(text, cast, JSONObject())
        let spans = found.attributions.keys.sorted()
        var output = CommandOutput(
            lines: lines(spans, found), json: .array(spans.map(found.json)))
        output.remarks = [Self.summary(StoryIndex(found), text)]
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

    /// `Alice   sure   “What is the use of a book”   tag “thought Alice”`
    private func lines(_ spans: [Int], _ found: StorySegments) -> [StyledLine] {
        let names = spans.map { (found.speaker($0) ?? "unknown").oneLine }
        let nameWidth = min(24, names.map(DisplayWidth.of).max() ?? 0)
        let quoteWidth = max(20, ((width() ?? 100) - nameWidth - 12) * 3 / 5)
        func cell(_ text: String, _ width: Int) -> String {
            DisplayWidth.pad(DisplayWidth.cut(text, to: width), to: width)
        }
        return zip(spans, names).map { span, name in
            let attribution = found.attributions[span]
            return StyledLine([
                .init(cell(name, nameWidth)),
                .init("  " + cell(attribution?.tier.rawValue ?? "", 6), .dim),
                .init(
                    "  "
                        + cell(
                            found.text.text(of: found.text.spans[span].range).oneLine, quoteWidth)),
                .init("  " + (attribution?.evidence ?? ""), .dim),
            ])
        }
    }

    /// "147 quotations, marked “ ”: 60 % sure, 30 % likely, 10 % guesses".
    private static func summary(_ index: StoryIndex, _ text: StoryText) -> StyledLine {
        guard index.quotations > 0 else {
            return StyledLine("No quotations found: --quotes says how they are marked.", .dim)
        }
        return StyledLine(
            "\(Quantities.count(index.quotations, "quotation")), marked \(text.style.sample): "
                + index.shares, .dim)
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
