import Base

/// A list of things to look through and to work on: its rows, and what the keys
/// do to them. `ItemListPanel` shows it. Titles and cells may be foreign text:
/// they pass the allow-list when they are drawn.
package struct ItemList: Sendable {
    /// One line of the list.
    package struct Row: Sendable, Equatable {
        /// What the actions get; never shown.
        package var id: String
        /// Short cells before the title, in columns: `i12`, `idea`. Narrow
        /// windows show the first only.
        package var lead: [StyledLine.Span]
        /// Cut where it does not fit.
        package var title: String
        /// Dim, after the title: an age, tags. Not in narrow windows.
        package var detail: String
        /// Searched by `/` besides lead and title.
        package var searchText: String

        package init(
            id: String, lead: [StyledLine.Span] = [], title: String, detail: String = "",
            searchText: String = ""
        ) {
            self.id = id
            self.lead = lead
            self.title = title
            self.detail = detail
            self.searchText = searchText
        }
    }

    /// What Enter shows of a row.
    package struct Document: Sendable, Equatable {
        package var title: String
        /// Dim, below the title: kind, date, tags.
        package var facts: String
        /// Any number of lines.
        package var text: String

        package init(title: String, facts: String = "", text: String) {
            self.title = title
            self.facts = facts
            self.text = text
        }
    }

    /// What an action has changed.
    package struct Update: Sendable {
        /// All rows as they are now; nil for as before.
        package var rows: [Row]?
        /// Stays above the keys until the next action: `Deleted i12.`
        package var message: StyledLine?
        /// The row to stand on; nil for the one before, or its place.
        package var selected: String?

        package init(
            rows: [Row]? = nil, message: StyledLine? = nil, selected: String? = nil
        ) {
            self.rows = rows
            self.message = message
            self.selected = selected
        }
    }

    /// What a key does.
    package struct Action: Sendable {
        package enum Kind: Sendable {
            /// Runs while the list stays on the screen. Esc and Ctrl-C cancel its
            /// task.
            case inPlace
            /// The list is off the screen meanwhile, and the action may use the
            /// terminal: an editor (`TerminalSession.lend`), a question, output.
            case takesTerminal
            /// Ends the list, which returns the key and the row.
            case leaves
        }

        /// A letter of its own; not j k g G q b or `/`.
        package let key: Character
        /// One word, for the line of keys: `edit`.
        package let verb: String
        package let kind: Kind
        /// Done with the selected row; nothing happens in an empty list.
        package let needsRow: Bool
        /// - Parameter id: nil where no row is needed.
        package let run: @Sendable (_ id: String?) async throws -> Update

        package init(
            _ key: Character, _ verb: String, _ kind: Kind = .inPlace, needsRow: Bool = true,
            run: @escaping @Sendable (_ id: String?) async throws -> Update = { _ in Update() }
        ) {
            self.key = key
            self.verb = verb
            self.kind = kind
            self.needsRow = needsRow
            self.run = run
        }
    }

    package var heading: String
    package var rows: [Row]
    /// Shown in place of rows: `No ideas yet. chat idea makes one.`
    package var emptyText: String
    package var actions: [Action]
    /// Nil where Enter shows nothing.
    package var document: (@Sendable (_ id: String) async throws -> Document)?

    package init(
        heading: String, rows: [Row], emptyText: String = "Nothing here.",
        actions: [Action] = [],
        document: (@Sendable (_ id: String) async throws -> Document)? = nil
    ) {
        self.heading = heading
        self.rows = rows
        self.emptyText = emptyText
        self.actions = actions
        self.document = document
    }

    /// How the list was left.
    package enum Ending: Sendable, Equatable {
        case left
        /// By an action that leaves.
        case chosen(key: Character, id: String?)
    }
}
