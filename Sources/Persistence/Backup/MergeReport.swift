/// The outcome of merging another database, actual or planned: one line for each of its
/// conversations and items. A value.
package struct MergeReport: Sendable, Equatable {
    package enum Outcome: String, Sendable, CaseIterable {
        /// The conversation was not in this database before.
        case new
        /// The other is newer and contains everything of the one here.
        case updated
        /// Both have changed since they were identical: the other is stored beside this one.
        case beside
        case unchanged
        /// The version here is newer, or in use.
        case kept

        /// Whether this outcome writes something.
        package var isChange: Bool { self == .new || self == .updated || self == .beside }
    }

    package enum Kind: String, Sendable, CaseIterable { case conversation, item }

    package struct Line: Sendable, Equatable {
        package var kind: Kind
        /// A conversation's id, or an item's number after the merge; until that is known, its
        /// number in the other database.
        package var id: String
        /// Untrusted text.
        package var title: String
        package var outcome: Outcome
    }

    package var lines: [Line] = []
    /// Number of model requests that do not belong to a conversation.
    package var usageRows = 0

    package init(lines: [Line] = [], usageRows: Int = 0) {
        self.lines = lines
        self.usageRows = usageRows
    }

    package var isChange: Bool { usageRows > 0 || lines.contains { $0.outcome.isChange } }
}
