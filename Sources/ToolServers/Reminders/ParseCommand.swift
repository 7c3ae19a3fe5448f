import AgentCore
import FoundationEssentials

/// `chat reminders parse`: how a phrase is understood, against any clock, zone
/// and locale. Stores nothing.
struct ParseCommand: Sendable {
    let context: DateContext
    let parse: @Sendable (String, DateContext) -> Reading

    func run(_ arguments: [String]) throws -> CommandOutput {
        let words = try CommandArguments(
            arguments, verb: "parse", options: ["--file", "--now", "--tz", "--locale"])
        guard words.isBlank == (words["--file"] != nil) else {
            throw UsageError(
                "parse needs a phrase", hint: "chat reminders parse \"call mom tomorrow at 5pm\"")
        }
        var context = self.context
        if let name = words["--locale"] { context.locale = DateLocale(named: name) }
        if let zone = words["--tz"] {
            guard let rules = context.zones.rules(named: zone) else {
                throw UsageError(
                    "--tz \"\(zone)\" is no time zone known here", hint: "such as Europe/Berlin")
            }
            context.local = LocalTime(rules)
        }
        if let text = words["--now"] { context.now = try now(text, context.local) }
        let text = ReadingText(context: context)
        guard let file = words["--file"] else {
            let reading = parse(words.text, context)
            return CommandOutput(lines: text.lines(reading), json: ReadingText.json(reading))
        }
        let readings = try phrases(file).map { ($0, parse($0, context)) }
        return CommandOutput(
            lines: readings.flatMap { [StyledLine($0, .bold)] + text.lines($1) },
            json: .array(readings.map { ReadingText.json($1) }))
    }

    /// One in each line that is not empty.
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
