import AgentCore
import Base
import DateLanguage
import FoundationEssentials

/// `chat reminders parse`: shows how a phrase is understood, with any time,
/// zone and locale. Stores nothing.
struct ParseCommand: Sendable {
    let context: DateContext
    let parse: @Sendable (String, DateContext) -> ParsedPhrase
    let judge: MessageJudge

    static let options: [Verb.Option] = [
        .init("--now ISO", "as if that were the time now"),
        .init("--tz ZONE", "in that time zone, such as Europe/Berlin"),
        .init("--locale en_GB", "with the date formats of that locale"),
        .init("--file PATH", "parse each line of it instead of WORDS", .file),
    ]

    func run(_ arguments: CommandArguments) throws -> CommandOutput {
        guard arguments.isBlank == (arguments["--file"] != nil) else {
            throw UsageError(
                "reminders parse needs a phrase.",
                hint: "chat reminders parse \"call mom tomorrow at 5pm\"")
        }
        var context = self.context
        if let name = arguments["--locale"] { context.locale = DateLocale(named: name) }
        if let zone = arguments["--tz"] {
            guard let rules = context.zones.rules(named: zone) else {
                throw UsageError(
                    "--tz \"\(zone)\" is not a known time zone",
                    hint: context.zones.isMissing
                        ? PackageManager.here.line(forOneOf: ["tzdata"])
                        : "such as Europe/Berlin")
            }
            context.local = LocalTime(rules)
        }
        if let text = arguments["--now"] { context.now = try now(text, context.local) }
        let text = ReadingText(context: context)
        /// An empty line between several items.
        func lines(_ readings: [ParsedPhrase], _ understanding: Understanding) -> [StyledLine] {
            readings.flatMap { [StyledLine("")] + text.lines($0, understanding) }
                .dropFirst().map(\.self)
        }
        guard let file = arguments["--file"] else {
            let (readings, understanding) = read(arguments.text, context)
            return CommandOutput(
                lines: lines(readings, understanding),
                json: ReadingText.json(readings, understanding))
        }
        let all = try phrases(file).map { ($0, read($0, context)) }
        return CommandOutput(
            lines: all.flatMap { [StyledLine($0, .bold)] + lines($1.0, $1.1) },
            json: .array(all.map { ReadingText.json($1.0, $1.1) }))
    }

    /// The readings that would be stored if the message is something new, else
    /// those of the date language; never empty.
    private func read(
        _ phrase: String, _ context: DateContext
    ) -> ([ParsedPhrase], Understanding) {
        let understanding = judge.read(phrase, in: context)
        return switch understanding.act {
        case .store(let readings, _) where !readings.isEmpty: (readings, understanding)
        case .ask(let reading, _): ([reading], understanding)
        default: ([parse(phrase, context)], understanding)
        }
    }

    /// One phrase in each non-empty line.
    private func phrases(_ path: String) throws -> [String] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let (bytes, _) = try FileCall.read(
            String(parts.last ?? ""),
            in: try FileCall.openFolder(
                parts.count == 1 ? "." : folder.isEmpty ? "/" : folder),
            path: path, limit: 8 << 20)
        return String(decoding: bytes, as: UTF8.self)
            .split(whereSeparator: \.isNewline).map(String.init)
            .filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private func now(_ text: String, _ local: LocalTime) throws -> Date {
        do throws(ISO8601.Failure) {
            switch try ISO8601.parse(text) {
            case .date(let date): return local.start(of: date)
            case .local(let clock): return local.instant(of: clock)
            case .instant(let instant): return instant
            }
        } catch {
            throw UsageError("--now \"\(text)\" cannot be read", hint: ISO8601.accepted)
        }
    }
}
