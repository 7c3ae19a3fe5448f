import AgentCore
import Base
import TerminalKit

/// The models as rows to choose from or to read: grouped by provider, with their window and price.
/// Pure.
package struct ModelChoices: Sendable, Equatable {
    package struct Row: Sendable, Equatable {
        /// `claude/claude-sonnet-5-5`: the argument of `/model`.
        var id: String
        var provider: ProviderName
        var model: String
        /// `1M · $2 / $10`: the window, and the prices of input and output.
        var detail: String
        var isCurrent: Bool
    }

    package var rows: [Row] = []
    /// Dim notes about lists that are missing or not live.
    package var notes: [String] = []

    /// - Parameter current: the current choice; its provider's group comes first.
    package init(
        _ listings: [ModelDirectory.Listing], current: ProviderChoice?, prices: PriceTable
    ) {
        let ordered =
            listings.filter { $0.provider == current?.provider }
            + listings.filter { $0.provider != current?.provider }
        for listing in ordered {
            if let note = Self.note(listing) { notes.append(note) }
            for model in listing.models {
                let isCurrent = listing.provider == current?.provider && model.id == current?.model
                rows.append(
                    Row(
                        id: "\(listing.provider.rawValue)/\(model.id)", provider: listing.provider,
                        model: model.id,
                        detail: Self.detail(model, listing.provider, prices), isCurrent: isCurrent))
            }
        }
    }

    static func detail(
        _ model: ModelInfo, _ provider: ProviderName, _ prices: PriceTable
    ) -> String {
        // A name that only respells the id adds nothing.
        let name = model.displayName.flatMap { name in
            let spelled = name.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" }
            return model.id.lowercased().hasPrefix(String(spelled)) ? nil : name
        }
        return [
            (model.maxInput ?? ModelCatalog.info(model.id)?.maxInput).map(Quantities.short),
            prices.summary(of: model.id, provider: provider), name,
        ].compactMap(\.self).joined(separator: " · ")
    }

    static func note(_ listing: ModelDirectory.Listing) -> String? {
        let name = listing.provider.rawValue
        if !listing.isConnected { return listing.problem.map { "\(name): \($0)" } }
        switch listing.source {
        case .live: return nil
        case .cache(let age):
            let old = "\(name): the list is from \(Self.ago(age))"
            return listing.problem.map { "\(old); \($0)" }
        case .builtIn:
            let names = listing.models.isEmpty ? "" : "built-in names; "
            return listing.problem.map { "\(name): \(names)\($0)" }
        }
    }

    package static func ago(_ seconds: Int) -> String {
        switch seconds / 60 {
        case ..<1: "a moment ago"
        case ..<60: "\(seconds / 60) min ago"
        case ..<2880: "\(seconds / 3600) h ago"
        default: "\(seconds / 86_400) days ago"
        }
    }
}

extension ModelChoices {
    /// The picker below the prompt.
    package var request: PickerRequest {
        PickerRequest(
            heading: "Model",
            items: rows.map { row in
                PickerItem(
                    id: row.id, title: (row.isCurrent ? "● " : "  ") + row.model,
                    detail: row.provider.rawValue + (row.detail.isEmpty ? "" : " · \(row.detail)"),
                    searchText: row.id)
            })
    }

    /// The list for reading, without a picker.
    package func lines(width: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        var provider: ProviderName?
        let names = rows.map { HostileText.line($0.model) }
        let column = min(names.map(DisplayWidth.of).max() ?? 0, max(12, width - 30))
        for (row, name) in zip(rows, names) {
            if row.provider != provider {
                lines.append(StyledLine(row.provider.rawValue, .bold))
                provider = row.provider
            }
            let gap = String(repeating: " ", count: max(0, column - DisplayWidth.of(name)))
            var spans = [
                StyledLine.Span(row.isCurrent ? "● " : "  "), StyledLine.Span(name, .accent),
            ]
            if !row.detail.isEmpty {
                spans.append(.init("\(gap)  \(HostileText.line(row.detail))", .dim))
            }
            lines.append(StyledLine(spans))
        }
        return lines
    }
}
