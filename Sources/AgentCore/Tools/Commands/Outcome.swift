import Base

/// What came of an act: the things it is about, and what is said of them. From it come the
/// screen, `--json` and the answer to the model; of a long listing only what is asked for.
package struct Outcome: Sendable {
    /// One thing, as programs and the model read it.
    package struct Row: Sendable {
        /// The file its words are in; nil where they are ours.
        package var path: String?
        package var json: @Sendable () -> JSONValue
        /// One line for the model.
        package var told: @Sendable () -> String
        /// Other files that the model's line has words of.
        package var quoted: [String]

        package init(
            path: String? = nil, quoted: [String] = [], json: @escaping @Sendable () -> JSONValue,
            told: @escaping @Sendable () -> String
        ) {
            (self.path, self.quoted, self.json, self.told) = (path, quoted, json, told)
        }
    }

    /// What a list of them is called, and what the model reads beside the rows.
    package struct Listing: Sendable {
        package var noun: String
        package var empty: String
        /// How to see the rest: "ask for fewer days".
        package var more: String
        /// Files that could not be read.
        package var unread = 0

        package init(noun: String, empty: String, more: String, unread: Int = 0) {
            (self.noun, self.empty, self.more, self.unread) = (noun, empty, more, unread)
        }
    }

    package var rows: [Row] = []
    /// nil where it is about one thing, or several that are not a list.
    package var listing: Listing?
    /// For the model, where that is not the rows.
    package var told: String?
    /// Only made if it is shown.
    private let lines: @Sendable () -> [StyledLine]
    /// Notices, choices and how it went; the lines and JSON of what has no rows.
    package var screen: CommandOutput

    package init(
        _ rows: [Row], listing: Listing? = nil, told: String? = nil, notices: [String] = [],
        sources: [String]? = nil, lines: @escaping @Sendable () -> [StyledLine]
    ) {
        (self.rows, self.listing, self.told, self.lines) = (rows, listing, told, lines)
        screen = CommandOutput(notices: notices, sources: sources)
    }

    /// With nothing in it for the model.
    package init(_ screen: CommandOutput) {
        self.screen = screen
        lines = { screen.lines }
    }

    /// More are neither made into JSON unasked nor all told to the model.
    private static let limit = 200

    /// - Parameter isOnlyJSON: what programs ask for in thousands needs no view of it.
    package func output(wantsJSON: Bool = false, isOnlyJSON: Bool = false) -> CommandOutput {
        var output = screen
        let isLong = rows.count > Self.limit
        if !isLong || !isOnlyJSON { output.lines = lines() }
        guard listing != nil || !rows.isEmpty else { return output }
        if isLong, !wantsJSON {
            output.sources = output.sources ?? rows.compactMap(\.path)
        } else {
            output.json =
                listing == nil && rows.count == 1
                ? rows[0].json() : .array(rows.map { $0.json() })
        }
        return output
    }

    package func answer(isForeign: ([String]) async -> Bool) async -> ToolOutput {
        let shown = rows.prefix(Self.limit)
        let paths =
            shown.flatMap { [$0.path].compactMap(\.self) + $0.quoted } + (screen.sources ?? [])
        guard let listing else {
            let summary = lines().first?.text
            return ToolOutput(
                text: told ?? summary ?? "", summary: summary, isForeign: await isForeign(paths))
        }
        var text = shown.isEmpty ? [listing.empty] : shown.map { $0.told() }
        if rows.count > shown.count {
            text.append("and \(rows.count - shown.count) more; \(listing.more)")
        }
        if listing.unread > 0 { text.append("\(listing.unread) files could not be read") }
        return ToolOutput(
            text: text.joined(separator: "\n"),
            summary: "\(rows.count) \(listing.noun)\(rows.count == 1 ? "" : "s")",
            isForeign: await isForeign(paths))
    }
}
