import Base

/// The result of an act: its items, and the message about them. The output for the screen, for
/// `--json` and for the model is made from it; for a long listing, only the requested one.
package struct Outcome: Sendable {
    /// One item, for programs and the model.
    package struct Row: Sendable {
        /// The file its text is in; nil if the text is ours.
        package var path: String?
        package var json: @Sendable () -> JSONValue
        /// One line for the model.
        package var told: @Sendable () -> String
        /// Other files quoted in the model's line.
        package var quoted: [String]

        package init(
            path: String? = nil, quoted: [String] = [], json: @escaping @Sendable () -> JSONValue,
            told: @escaping @Sendable () -> String
        ) {
            (self.path, self.quoted, self.json, self.told) = (path, quoted, json, told)
        }
    }

    /// The noun for a list of items, and the model's text around the rows.
    package struct Listing: Sendable {
        package var noun: String
        package var empty: String
        /// A hint how to get the rest: "ask for fewer days".
        package var more: String
        /// Number of files that could not be read.
        package var unread = 0

        package init(noun: String, empty: String, more: String, unread: Int = 0) {
            (self.noun, self.empty, self.more, self.unread) = (noun, empty, more, unread)
        }
    }

    package var rows: [Row] = []
    /// Nil for a single item, or several that are not a list.
    package var listing: Listing?
    /// The text for the model, if it differs from the rows.
    package var told: String?
    /// Computed only if it is shown.
    private let lines: @Sendable () -> [StyledLine]
    /// Notices, choices and the exit code; lines and JSON if there are no rows.
    package var screen: CommandOutput

    package init(
        _ rows: [Row], listing: Listing? = nil, told: String? = nil, notices: [String] = [],
        sources: [String]? = nil, lines: @escaping @Sendable () -> [StyledLine]
    ) {
        (self.rows, self.listing, self.told, self.lines) = (rows, listing, told, lines)
        screen = CommandOutput(notices: notices, sources: sources)
    }

    /// An outcome without text for the model.
    package init(_ screen: CommandOutput) {
        self.screen = screen
        lines = { screen.lines }
    }

    /// Maximum number of items sent to the model, and written as JSON unless requested.
    private static let limit = 200

    /// - Parameter isOnlyJSON: whether only JSON is needed: then no view of a long listing is made,
    ///   since programs request thousands of items.
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

    package func answer(isUntrusted: ([String]) async -> Bool) async -> ToolOutput {
        let shown = rows.prefix(Self.limit)
        let paths =
            shown.flatMap { [$0.path].compactMap(\.self) + $0.quoted } + (screen.sources ?? [])
        guard let listing else {
            let summary = lines().first?.text
            return ToolOutput(
                text: told ?? summary ?? "", summary: summary, isUntrusted: await isUntrusted(paths)
            )
        }
        var text = shown.isEmpty ? [listing.empty] : shown.map { $0.told() }
        if rows.count > shown.count {
            text.append("and \(rows.count - shown.count) more; \(listing.more)")
        }
        if listing.unread > 0 { text.append("\(listing.unread) files could not be read") }
        return ToolOutput(
            text: text.joined(separator: "\n"),
            summary: "\(rows.count) \(listing.noun)\(rows.count == 1 ? "" : "s")",
            isUntrusted: await isUntrusted(paths))
    }
}
