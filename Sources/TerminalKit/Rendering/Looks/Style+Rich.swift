import Base

/// Converts formatted lines to bytes.
extension Style {
    /// Appends the line from an offset on with its looks, and resets them at its end.
    func append(_ line: PaintedLine, from offset: Int, to out: inout [UInt8]) {
        guard usesColor || opensLinks else {
            out += line.bytes.dropFirst(offset)
            return
        }
        var start = offset
        for run in line.runs where run.end > start {
            let codes = usesColor ? theme.codes(run.look) : ""
            let link = opensLinks ? run.look.url.flatMap(Hyperlink.open) : nil
            if let link { out += Array(link.utf8) }
            if codes.isEmpty {
                out += line.bytes[start..<run.end]
            } else {
                out += Array("\u{1B}[\(codes)m".utf8)
                out += line.bytes[start..<run.end]
                out += Self.reset
            }
            if link != nil { out += Array(Hyperlink.close.utf8) }
            start = run.end
        }
    }

    /// The line with its line end.
    package func bytes(_ line: RichLine) -> [UInt8] {
        var out: [UInt8] = []
        append(PaintedLine(line), from: 0, to: &out)
        out.append(0x0A)
        return out
    }

    private static let reset = Array("\u{1B}[0m".utf8)
}

extension RichLine {
    /// Converts a line of command output to a line of a document.
    package init(_ line: StyledLine) {
        self.init(
            line.spans.map { span in
                let look: Look =
                    switch span.style {
                    case .plain: Look()
                    case .dim, .hint: Look(.text, .dim)
                    case .bold: Look(.text, .bold)
                    case .accent: Look(.accent)
                    case .success: Look(.success)
                    case .warning: Look(.warning)
                    case .failure: Look(.failure)
                    case .selected: Look(.text, .bold)
                    case .inserted: Look(.inserted)
                    case .deleted: Look(.deleted, .strike)
                    case .party: Look(.text, .bold)
                    }
                return Span(HostileText.line(span.text), look)
            })
    }
}

extension StyledLine {
    /// Converts a line of a document to the few styles of commands.
    package init(_ line: RichLine) {
        self.init(
            line.spans.map { span in
                let style: Style =
                    switch span.look.color {
                    case .text, .comment, .heading:
                        span.look.traits.contains(.bold)
                            ? .bold
                            : span.look.traits.contains(.dim) || span.look.color == .comment
                                ? .dim : .plain
                    case .accent, .link, .code, .keyword: .accent
                    case .string, .inserted, .success: .success
                    case .number, .warning: .warning
                    case .deleted, .failure: .failure
                    }
                return Span(span.text, style)
            })
        keepsForm = true
    }
}
