import AgentCore
import Base
import Persistence

/// What a restore did, or would do, as a table. Pure.
struct RestoreReport {
    let taken: BackupEngine.Taken
    let path: String
    let isDryRun: Bool
    /// Of the window.
    let columns: Int

    private typealias Outcome = MergeReport.Outcome

    private struct Row {
        var kind: String
        var id: String
        var title: String
        var outcome: MergeReport.Outcome
    }

    /// The rest is counted.
    private static let rowLimit = 40
    private static let idWidth = 12

    private var rows: [Row] {
        taken.database.lines.map {
            Row(kind: $0.kind.rawValue, id: $0.id, title: $0.title, outcome: $0.outcome)
        }
            + taken.files.map {
                Row(kind: $0.kind.rawValue, id: $0.label, title: $0.title, outcome: $0.outcome)
            }
    }

    var output: CommandOutput {
        let rows = rows
        let changed = rows.filter { $0.outcome.isChange }
        var output = CommandOutput()
        output.json = .array(
            rows.map {
                [
                    "kind": .string($0.kind), "id": .string($0.id), "title": .string($0.title),
                    "outcome": .string($0.outcome.rawValue),
                ]
            })
        let name = FilePath.name(path)
        let made = "made \(taken.manifest.created.prefix(10)) by chat \(taken.manifest.app)"
        if !taken.isChange {
            let isKept = rows.contains { $0.outcome == .kept }
            output.lines = [
                StyledLine([
                    .init("✓ ", .success),
                    .init(
                        isKept
                            ? "nothing restored from \(name): what you have is newer or in use, and stays"
                            : "everything in \(name) is already here", .success),
                    .init(" · \(made)", .dim),
                ])
            ]
        } else {
            output.lines = [
                StyledLine([
                    isDryRun
                        ? .init("restoring \(name) would change", .bold)
                        : .init("✓ restored \(name)", .success),
                    .init(" · \(made)", .dim),
                ])
            ]
        }
        output.lines += summary(rows)
        if isDryRun, !changed.isEmpty {
            output.lines.append(StyledLine(""))
            output.lines += details(changed)
        }
        if isDryRun, taken.isChange {
            output.remarks = [
                StyledLine("Nothing was changed · chat restore \(path)", .hint)
            ]
        }
        if let beside = taken.setAside {
            output.notices.append(
                isDryRun
                    ? "Its configuration names programs or servers: you will be asked about it."
                    : "Its configuration names programs or servers; look at it first: \(beside)")
        }
        if !taken.unknown.isEmpty {
            output.notices.append(
                "Not restored, because this version of chat does not know it: "
                    + taken.unknown.prefix(3).joined(separator: ", ")
                    + (taken.unknown.count > 3 ? ", …" : "") + ".")
        }
        return output
    }

    /// A line for each kind, a column for each outcome.
    private func summary(_ rows: [Row]) -> [StyledLine] {
        let kinds = [
            ("conversation", "conversations"), ("item", "library"), ("calendar", "calendars"),
            ("configuration", "configuration"),
        ]
        let lines: [[StyledLine.Span]] = kinds.flatMap { kind, label -> [[StyledLine.Span]] in
            let own = rows.filter { $0.kind == kind }
            guard !own.isEmpty else { return [] }
            let counts = Outcome.allCases.compactMap { outcome in
                let count = own.count { $0.outcome == outcome }
                return count == 0 ? nil : "\(Quantities.grouped(count)) \(Self.word(outcome))"
            }
            let line = counts.joined(separator: ", ")
            // "conversations" and the spaces around it stand before them.
            if line.count + 17 <= columns { return [[.init(label, .dim), .init(line)]] }
            return counts.enumerated().map { [.init($0 == 0 ? label : "", .dim), .init($1)] }
        }
        return StyledLine.table(lines, columns: 1, indent: "  ")
    }

    private func details(_ rows: [Row]) -> [StyledLine] {
        let shown = rows.prefix(Self.rowLimit)
        let isNarrow = columns < 64
        func width(_ texts: [String]) -> Int { (texts.map(DisplayWidth.of).max() ?? 0) + 2 }
        let taken =
            2 + width(shown.map { Self.word($0.outcome) })
            + (isNarrow ? 0 : width(shown.map(\.kind)) + Self.idWidth + 2)
        let titleWidth = min(50, max(12, columns - taken))
        let cells: [[StyledLine.Span]] = shown.map { row in
            let style: StyledLine.Style = row.outcome == .new ? .success : .accent
            let title = row.title.split(whereSeparator: \.isNewline).joined(separator: " ")
            var cells: [StyledLine.Span] = [.init(Self.word(row.outcome), style)]
            if !isNarrow { cells.append(.init(row.kind, .dim)) }
            cells.append(.init(DisplayWidth.cut(title, to: titleWidth)))
            if !isNarrow {
                cells.append(.init(DisplayWidth.cut(Self.mark(row), to: Self.idWidth), .dim))
            }
            return cells
        }
        var lines = StyledLine.table(cells, columns: isNarrow ? 1 : 3, indent: "  ")
        if rows.count > Self.rowLimit {
            let rest = Quantities.grouped(rows.count - Self.rowLimit)
            lines.append(StyledLine("  … and \(rest) more · --json lists them all", .dim))
        }
        return lines
    }

    /// By which it is found: the beginning of an id, a number, a calendar.
    private static func mark(_ row: Row) -> String {
        switch row.kind {
        case "conversation": String(row.id.prefix(8))
        case "calendar": row.title == row.id ? "" : FilePath.folder(of: row.id)
        case "item": row.id
        default: ""
        }
    }

    private static func word(_ outcome: Outcome) -> String {
        switch outcome {
        case .new: "new"
        case .updated: "updated"
        case .beside: "beside yours"
        case .unchanged: "the same"
        case .kept: "kept as yours"
        }
    }
}
