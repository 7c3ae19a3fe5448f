import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Persistence
import TerminalKit

/// A conversation as one self-contained HTML file: no scripts, nothing loaded, readable on light
/// and dark backgrounds. Pure.
struct HTMLExport {
    let zone: LocalTime

    func text(_ record: ConversationRecord, _ turns: [StoredTurn]) -> String {
        let shown = turns.filter { $0.replaced == nil }
        let facts = HTMLText.escaped(MarkdownExport.facts(record, shown, zone))
        return Self.page(
            title: record.title,
            body: "<p class=\"facts\">\(facts)</p>\n" + shown.map(turn).joined())
    }

    /// - Parameters:
    ///   - title: plain text.
    ///   - body: HTML, each element on lines of its own.
    static func page(title: String, body: String) -> String {
        let title = HTMLText.escaped(title)
        return """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
            <title>\(title)</title>
            <style>\(style)</style>
            </head>
            <body>
            <h1>\(title)</h1>
            \(body)</body>
            </html>

            """
    }

    private func turn(_ stored: StoredTurn) -> String {
        var out = ""
        let results = stored.turn.results
        for message in stored.turn.messages {
            switch message.role {
            case .user:
                out += "<section class=\"you\">\n"
                for case .attachment(let file) in message.parts { out += Self.attached(file) }
                out += "<pre>\(HTMLText.escaped(message.text))</pre>\n</section>\n"
            case .assistant:
                out += "<section class=\"answer\">\n"
                out += MarkdownDocument(HostileText.text(message.text, isForPipe: true)).html()
                for call in message.toolCalls { out += Self.folded(call, results[call.id]) }
                out += "</section>\n"
            case .tool: break
            }
        }
        if let mark = ConversationView.mark(stored) {
            out += "<p class=\"facts\">\(HTMLText.escaped(mark))</p>\n"
        }
        return out
    }

    private static func attached(_ file: Attachment) -> String {
        let name = HTMLText.escaped("\(file.name), \(Quantities.bytes(file.bytes.count))")
        var out = "<p class=\"facts\">\(name)</p>\n"
        // The four image formats that browsers draw without running scripts in them.
        if case .image(let type, let data) = AttachmentContent(file) {
            out += "<img alt=\"\(name)\" src=\"data:\(type);base64,\(data)\">\n"
        }
        return out
    }

    private static func folded(_ call: ToolCall, _ result: ToolResult?) -> String {
        var out = "<details><summary>\(HTMLText.escaped(call.name))</summary>\n"
        out += "<pre>\(HTMLText.escaped(call.arguments))</pre>\n"
        if let result { out += "<pre>\(HTMLText.escaped(result.text))</pre>\n" }
        return out + "</details>\n"
    }

    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; \
        padding: 0 1rem; }
        .facts { color: gray; font-size: 0.9em; }
        .you { border-left: 3px solid #2a9; padding-left: 1rem; margin: 1.5rem 0; }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; }
        .you pre { font: inherit; margin: 0; }
        .answer pre { background: rgba(128, 128, 128, 0.15); padding: 0.7rem; \
        white-space: pre; overflow-x: auto; }
        table { border-collapse: collapse; }
        td, th { border: 1px solid rgba(128, 128, 128, 0.5); padding: 0.2rem 0.6rem; }
        img { max-width: 100%; }
        """
}
