import Base

/// A list of items to browse and act on: its rows and its actions. `ItemListPanel` shows
/// it. Titles and cells may be untrusted text: they pass the allow-list when they are
/// drawn.
package struct ItemList: Sendable {
    /// One line of the list.
    package struct Row: Sendable, Equatable {
        /// Passed to the actions; never shown.
        package var id: String
        /// Short cells before the title, in columns: `i12`, `idea`. Narrow windows show
        /// only the first.
        package var lead: [StyledLine.Span]
        /// The row's main text, cut if it does not fit.
        package var title: String
        /// Dim, after the title: an age, tags. Not in narrow windows.
        package var detail: String
        /// Text that `/` searches besides lead and title.
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

    /// The document that Enter shows.
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

    /// The result of an action.
    package struct Update: Sendable {
        /// All rows after the action; nil if unchanged.
        package var rows: [Row]?
        /// Shown above the keys until the next action: `Deleted i12.`
        package var message: StyledLine?
        /// The row to select; if nil, the row selected before or its position.
        package var selected: String?

        package init(
            rows: [Row]? = nil, message: StyledLine? = nil, selected: String? = nil
        ) {
            self.rows = rows
            self.message = message
            self.selected = selected
        }
    }

    /// A key's action.
    package struct Action: Sendable {
        package enum Kind: Sendable {
            /// Runs while the list stays on the screen. Esc and Ctrl-C cancel its task.
            case inPlace
            /// Takes the list off the screen and may use the terminal: for an editor
            /// (`TerminalSession.lend`), a question, or output.
            case takesTerminal
            /// Ends the list, which returns the key and the row.
            case leaves
        }

        /// A unique letter; not j k g G q b or `/`.
        package let key: Character
        /// One word, for the line of keys: `edit`.
        package let verb: String
        package let kind: Kind
        /// Whether it acts on the selected row; it does nothing in an empty list.
        package let needsRow: Bool
        /// - Parameter id: nil if no row is needed.
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
    /// Nil if Enter shows nothing.
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

    /// The way in which the list was left.
    package enum Ending: Sendable, Equatable {
        case left
        /// The key of an action that leaves, with the row it applied to.
        case chosen(key: Character, id: String?)
    }
}
