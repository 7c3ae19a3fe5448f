import AgentCore
import Base
import Persistence

/// The outcome of a restore, actual or planned, as a table. Pure.
struct RestoreReport {
    let taken: BackupEngine.Taken
    let path: String
    let isDryRun: Bool
    /// Width of the window.
    let columns: Int

    private typealias Outcome = MergeReport.Outcome

    private struct Row {
        var kind: String
        var id: String
        var title: String
        var outcome: MergeReport.Outcome
        /// The file itself, or the one that is written instead.
        var target: String
    }

    /// Maximum number of rows; further ones are only counted.
    private static let rowLimit = 40
    private static let idWidth = 12

    private var rows: [Row] {
        taken.database.lines.map {
            Row(
                kind: $0.kind.rawValue, id: $0.id, title: $0.title, outcome: $0.outcome,
                target: taken.databasePath)
        }
            + taken.files.map {
                Row(
                    kind: $0.kind.rawValue, id: $0.label, title: $0.title, outcome: $0.outcome,
                    target: $0.target)
            }
    }

    /// The proposals as rows of the JSON.
    private var proposals: [Row] {
        taken.proposals.map { proposal in
            let label = proposal.file + (proposal.isUsed ? "" : BackupEngine.leftSuffix)
            let part = taken.files.first { $0.label == label }
            return Row(
                kind: "proposal", id: proposal.name, title: proposal.text,
                outcome: part.map { $0.outcome == .new && !proposal.isUsed ? .beside : $0.outcome }
                    ?? .kept, target: part?.target ?? "")
        }
    }

    var output: CommandOutput {
        let rows = rows
        let changed = rows.filter { $0.outcome.isChange }
        var output = CommandOutput()
        output.json = .array(
            (rows + proposals).map {
                [
                    "kind": .string($0.kind), "id": .string($0.id), "title": .string($0.title),
                    "outcome": .string($0.outcome.rawValue), "target": .string($0.target),
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
            output.lines += [StyledLine("")] + details(changed)
            output.lines += [StyledLine(""), StyledLine("  written to", .dim)] + targets(changed)
        }
        if isDryRun, !taken.proposals.isEmpty {
            output.lines += [StyledLine(""), StyledLine("  not used without your yes", .dim)]
            let names = taken.proposals.map { DisplayWidth.cut($0.name, to: columns / 2) }
            let width = max(12, columns - 5 - (names.map(DisplayWidth.of).max() ?? 0))
            output.lines += StyledLine.table(
                zip(names, taken.proposals).map { name, proposal in
                    let text = proposal.text.split(whereSeparator: \.isNewline)
                    return [
                        .init(name, .accent),
                        .init(DisplayWidth.cut(text.joined(separator: " "), to: width)),
                    ]
                }, columns: 1, indent: "  ")
        }
        if isDryRun, taken.isChange {
            output.remarks = [
                StyledLine("Nothing was changed · chat restore \(path)", .hint)
            ]
        }
        output.notices += notices
        if !taken.unknown.isEmpty {
            output.notices.append(
                "Not restored, because this version of chat does not know it: "
                    + Self.list(taken.unknown) + ".")
        }
        return output
    }

    /// The parts of the configuration that are not used, or need a second look.
    private var notices: [String] {
        var notices: [String] = []
        let files = taken.proposals.map(\.file)
        for (index, file) in files.enumerated() where files.firstIndex(of: file) == index {
            let unused = taken.proposals.filter { $0.file == file && !$0.isUsed }.map(\.name)
            guard !isDryRun, !unused.isEmpty,
                let left = taken.files.first(where: { $0.label == file + BackupEngine.leftSuffix })
            else { continue }
            notices.append(
                "Not used, since others may have written it: \(Self.list(unused)). "
                    + (left.outcome == .kept
                        ? "\(left.target) is from an earlier restore and was kept."
                        : "Look at it first: \(left.target)"))
        }
        if taken.proposals.contains(where: { $0.isUsed && $0.name == "calendars" }) {
            notices.append(
                "The calendar entries went where your calendars were until now. To have them in "
                    + "the folders of the new configuration, restore this file again.")
        }
        if !isDryRun,
            taken.files.contains(where: {
                $0.label.hasPrefix(BackupManifest.routines) && $0.outcome == .new
            })
        {
            notices.append(
                "Restored routines are paused until you approve them: chat routine list")
        }
        let linked = taken.files.filter(\.isBehindLink).map(\.label)
        if !linked.isEmpty {
            notices.append("Not restored, because a link leads elsewhere: \(Self.list(linked)).")
        }
        return notices
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(5).map { DisplayWidth.cut($0, to: 60) }.joined(separator: ", ")
            + (names.count > 5 ? " and \(names.count - 5) more" : "")
    }

    /// Lists every file separately, calendar entries by their folder.
    private func targets(_ rows: [Row]) -> [StyledLine] {
        var counts: [String: Int] = [:]
        for row in rows {
            let isEntry = row.kind == FileMerge.Entry.Kind.calendar.rawValue
            counts[isEntry ? FilePath.folder(of: row.target) + "/" : row.target, default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { target, count in
            let isFolder = target.hasSuffix("/")
            return StyledLine([
                .init("  " + target),
                .init(isFolder ? "  " + Quantities.count(count, "file") : "", .dim),
            ])
        }
    }

    /// A line for each kind, a column for each outcome.
    private func summary(_ rows: [Row]) -> [StyledLine] {
        let kinds = [
            ("conversation", "conversations"), ("item", "library"), ("calendar", "calendars"),
            ("configuration", "configuration"),
        ]
        let lines: [[StyledLine.Span]] = kinds.flatMap { kind, label -> [[StyledLine.Span]] in
            // The files with a calendar's name and colour are not entries.
            let own = rows.filter {
                $0.kind == kind && (kind != "calendar" || $0.id.hasSuffix(".ics"))
            }
            guard !own.isEmpty else { return [] }
            let counts = Outcome.allCases.compactMap { outcome in
                let count = own.count { $0.outcome == outcome }
                return count == 0 ? nil : "\(Quantities.grouped(count)) \(Self.word(outcome))"
            }
            let line = counts.joined(separator: ", ")
            // Allows for "conversations" and the spaces around it.
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

    /// The id for finding it: the beginning of a UUID, a number, a calendar.
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
