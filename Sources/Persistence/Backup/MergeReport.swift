/// What merging another database does, or would do: one line for each of its conversations and
/// items. A value.
package struct MergeReport: Sendable, Equatable {
    package enum Outcome: String, Sendable, CaseIterable {
        /// It was not here.
        case new
        /// The other is newer and holds everything that is here.
        case updated
        /// Both have gone on since they were the same: the other is stored beside
        /// this one.
        case beside
        case unchanged
        /// What is here is newer, or in use.
        case kept

        /// Something is written.
        package var isChange: Bool { self == .new || self == .updated || self == .beside }
    }

    package enum Kind: String, Sendable, CaseIterable { case conversation, item }

    package struct Line: Sendable, Equatable {
        package var kind: Kind
        /// The id of a conversation, the number of an item as it is shown here
        /// afterwards; the other's where it is not known yet.
        package var id: String
        /// Foreign text.
        package var title: String
        package var outcome: Outcome
    }

    package var lines: [Line] = []
    /// Requests to a model that belong to no conversation.
    package var usageRows = 0

    package init(lines: [Line] = [], usageRows: Int = 0) {
        self.lines = lines
        self.usageRows = usageRows
    }

    package var isChange: Bool { usageRows > 0 || lines.contains { $0.outcome.isChange } }
}
