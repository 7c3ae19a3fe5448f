import AgentCore
import Base

/// A request before it is sent, to show to the user. Pure.
package struct LetterPreview: Sendable {
    /// The exact bytes of the request.
    package var body: [UInt8]
    /// The part of the body that is about the user: what was asked for, résumé and advert.
    package var input: String
    package var resume: LetterInputs.Resume
    /// The part of the résumé in the request.
    package var sentResume: String
    package var destination: TextDestination?
    /// Whether a name of the user was known, so that it could be removed.
    package var knowsName: Bool

    /// A heading with content and destination, then the text wrapped to the window; if it is
    /// longer, only its beginning and end.
    ///
    /// - Parameters:
    ///   - columns: width of the window.
    ///   - rows: height of the window; nil shows everything.
    package func lines(columns: Int, rows: Int?) -> [StyledLine] {
        let size = Quantities.bytes(body.count)
        let place = destination.map { "\($0.host) · \($0.model)" } ?? "the model"
        var lines = [
            StyledLine([
                .init("  This is what leaves your machine, to "), .init(place, .accent),
                .init(" · \(size)", .dim),
            ]),
            knowsName
                ? StyledLine(
                    "  Your name, address, phone and e-mail are taken out: [NAME] and the like.",
                    .dim)
                : StyledLine(
                    "  Your name is not known, so look for it below: chat profile set name",
                    .warning),
            resume.notSent.map { StyledLine("  \($0)", .dim) },
        ].compactMap(\.self).flatMap { $0.folded(to: max(16, columns - 1)) }
        lines.append(StyledLine(""))
        let text = input.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .flatMap { WordWrap.texts(String($0), width: max(16, columns - 5)) }
        var shown = text.map { Self.marked($0) }
        // Leave room for the heading, the question and a row about the omitted text.
        let room = max(6, (rows ?? Int.max) - lines.count - 4)
        if shown.count > room {
            let head = room * 2 / 3
            let rest = shown.count - room + 1
            shown =
                shown.prefix(head)
                + [
                    StyledLine(
                        "  ⋮ \(Quantities.count(rest, "more line")) · --show-request", .dim)
                ] + shown.suffix(room - head - 1)
        }
        return lines + shown + [StyledLine("")]
    }

    /// Highlights placeholders, so that redactions are seen at a glance.
    private static func marked(_ row: String) -> StyledLine {
        var spans = [StyledLine.Span("  │ ", .dim)]
        var rest = row[...]
        while let open = rest.firstIndex(of: "["),
            let close = rest[open...].firstIndex(of: "]")
        {
            let word = rest[rest.index(after: open)..<close]
            let isPlaceholder =
                !word.isEmpty && word.allSatisfy { $0 == "_" || $0.isNumber || $0.isUppercase }
            spans.append(.init(String(rest[..<open])))
            spans.append(.init("[\(word)]", isPlaceholder ? .accent : .plain))
            rest = rest[rest.index(after: close)...]
        }
        spans.append(.init(String(rest)))
        return StyledLine(spans)
    }
}
