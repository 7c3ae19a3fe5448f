import AgentCore
import Base
import FoundationEssentials
import Library
import Persistence
import StoryKit

/// `chat story segments` and `chat story fix`: who says what, and the user's corrections.
struct StorySegmentCommand: Sendable {
    let book: StoryBook
    let library: LibraryServer.Dependencies

    private static let listed = 40
    static let members =
        "number kind start end text speaker confidence tier evidence by"

    var verbs: [Verb] {
        [
            Verb(
                "segments", "what is narrated and what is spoken, by whom, and how certain that is",
                [.init("STORY", "a story: s3 or last", .story, isOptional: true)],
                options: [
                    .init("--from N", "begin with segment N"),
                    .init("--guess", "only those that are guessed"),
                    .init("--all", "not only \(Self.listed)"),
                ], json: Self.members, example: "s3 --guess"
            ) { try await segments($0) },
            Verb(
                "fix", "say who speaks in a segment",
                [
                    .init("STORY", "a story: s3 or last", .story, isOptional: true),
                    .init("N", "the number of the segment, as segments shows it"),
                    .phrase("NAME", "one of the cast, or nobody"),
                ], json: Self.members, example: "s3 12 Alice"
            ) { try await fix($0) },
        ]
    }

    private func found(_ name: String) async throws -> (LibraryItem, StorySegments) {
        let item = try await book.lookup.find(name)
        let cast = try book.cast(of: item).cast
        return (item, await book.perform { StorySegments(item, cast) })
    }

    private func segments(_ arguments: CommandArguments) async throws -> CommandOutput {
        let (_, found) = try await found(arguments.text.isEmpty ? "last" : arguments.text)
        let from = try arguments.number("--from") ?? 1
        guard from > 0 else { throw UsageError("--from counts from 1.") }
        let chosen = found.text.spans.indices.dropFirst(from - 1).filter { span in
            !arguments.has("--guess") || found.attributions[span]?.tier == .guess
        }
        // The space between two quotations is a segment too, with nothing to show.
        let seen = chosen.filter { span in
            found.attributions[span] != nil
                || !found.text.text(of: found.text.spans[span].range).trimmingSpace().isEmpty
        }
        let shown = arguments.has("--all") ? seen[...] : seen.prefix(Self.listed)
        var output = CommandOutput(
            lines: lines(Array(shown), found), json: .array(chosen.map(found.json)))
        if chosen.isEmpty {
            output.lines = [StyledLine("No such segments.", .dim)]
        } else if let next = seen.dropFirst(shown.count).first {
            output.remarks = [
                StyledLine(
                    "… and \(Quantities.grouped(seen.count - shown.count)) more: "
                        + "--from \(next + 1), or --all", .dim)
            ]
        }
        return output
    }

    private func fix(_ arguments: CommandArguments) async throws -> CommandOutput {
        var rest = arguments.plain[...]
        var name = "last"
        if rest.count > 2, let first = rest.first, Int(first) == nil {
            name = first
            rest.removeFirst()
        }
        guard let number = rest.popFirst().flatMap({ Int($0) }), !rest.isEmpty else {
            throw UsageError(
                "A segment has a number: chat story fix s3 12 Alice",
                hint: "chat story segments shows the numbers.")
        }
        let (item, segments) = try await found(name)
        guard segments.attributions[number - 1] != nil else {
            throw UsageError(
                segments.text.spans.indices.contains(number - 1)
                    ? "Segment \(number) is not spoken." : "There is no segment \(number).",
                hint: "chat story segments shows the numbers.")
        }
        let wanted = rest.joined(separator: " ")
        let isNobody = wanted == "nobody" && segments.cast.find(wanted) == nil
        let kept = try await StoryDecisions(book).keep(
            isNobody ? nil : try StoryCast(segments.cast).find(wanted), of: number - 1,
            in: segments, of: item.id)
        let speaker = kept.segments.speaker(number - 1).map { $0.oneLine }
        var output = CommandOutput(
            lines: [
                .done(
                    "\(speaker ?? "none of the cast") says \(number): \(book.lookup.name(item))")
            ] + lines([number - 1], kept.segments), json: .array([kept.segments.json(number - 1)]))
        if !kept.changed.isEmpty {
            output.lines.append(StyledLine("also changed: \(kept.changed.count)", .dim))
            output.lines += lines(Array(kept.changed.prefix(Self.changedListed)), kept.segments)
        }
        return output
    }

    private static let changedListed = 5

    /// `  12  Alice      guess   “But I don't want to go among mad people,”`
    private func lines(_ spans: [Int], _ found: StorySegments) -> [StyledLine] {
        let names = spans.map { span in
            found.attributions[span] == nil
                ? "" : (found.speaker(span) ?? "unknown").oneLine
        }
        let numberWidth = String((spans.last ?? 0) + 1).utf8.count + 2
        let width = library.width() ?? .max
        let nameWidth = min(max(8, min(20, width / 4)), names.map(DisplayWidth.of).max() ?? 0)
        return spans.indices.map { row in
            let span = spans[row]
            let text = found.text.text(of: found.text.spans[span].range).oneLine
            let tier = found.attributions[span]?.tier.rawValue ?? ""
            var line = StyledLine([
                .init(DisplayWidth.padLeft("\(span + 1)", to: numberWidth), .dim),
                .init(
                    "  "
                        + DisplayWidth.pad(
                            DisplayWidth.cut(names[row], to: nameWidth), to: nameWidth),
                    .accent),
                .init("  " + DisplayWidth.pad(tier, to: 6), .dim),
            ])
            let room = width == .max ? 100 : width - DisplayWidth.of(line.text) - 3
            let isTold = found.attributions[span] == nil
            line.spans.append(
                .init("  " + DisplayWidth.cut(text, to: max(8, room)), isTold ? .dim : .plain))
            return line
        }
    }
}
