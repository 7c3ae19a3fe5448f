import AgentCore
import Base
import Library
import Persistence
import Privacy

/// The tool for the model: changes one library item, as a new revision. Models
/// cannot rewrite files.
extension WritingServer {
    package func listTools() -> [Tool] {
        [
            Tool(
                name: "writing_apply", title: "Apply a writing tool",
                description:
                    "Proofreads or rewrites an item of the library, as its new revision: with "
                    + "your text, checked against the old one, or by the tool itself.",
                inputSchema: .object([
                    .init("item", .string(description: "Id or title: i12"), isRequired: true),
                    .init(
                        "tool",
                        .string(
                            description:
                                "proofread, rewrite, friendly, professional, concise, or a saved one"
                        ), isRequired: true),
                    .init("text", .string(description: "The new text, whole")),
                ]),
                toolClass: .write,
                cues: """
                    typo* proofread* grammar spelling rewrite* rephras* reword* polish* friendlier \
                    friendly professional* concise shorten* shorter warmer tone formal* clean+up \
                    korrigier* rechtschreib* tippfehler* umschreib* umformulier* freundlich* \
                    professionell* fehler* mistakes lockerer kürz* kürzer förmlich* sachlich*
                    """)
        ]
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        guard name == "writing_apply" else { throw ToolError.toolNotFound(name: name) }
        let item = try await item(arguments)
        try LibraryServer.checkChangeable(item)
        do {
            let tool = try await engine.tool(named: arguments["tool"]?.stringValue ?? "")
            let redacted = try await dependencies.disclosure.redacted(item)
            var result: WritingResult
            if let text = arguments["text"]?.stringValue {
                result = try WritingEngine.checked(
                    text, tool, against: redacted?.item.body ?? item.body)
                if let map = redacted?.map {
                    result.text = map.restore(result.text)
                    result.original = item.body
                }
            } else {
                result = try await engine.apply(
                    tool, to: item.body, name: "\(item.id) \(item.title)",
                    withheld: redacted?.withheld, emit: emit)
            }
            if tool.isProofreading, let doubt = result.doubt {
                // The model has not seen the redacted data.
                throw WritingError(
                    .doubtful(
                        redacted == nil ? doubt : "It changes facts, or is a rewrite.", kept: nil))
            }
            return try await output(item, tool, result, redacted: redacted)
        } catch let refusal as DisclosureRefusal {
            let diagnostic = refusal.diagnostic
            return ToolOutput(
                text: "\(diagnostic.what) \(diagnostic.todo ?? "")", isError: true)
        } catch let error as WritingError {
            return ToolOutput(text: error.diagnostic.what, isError: true)
        }
    }

    private func output(
        _ item: LibraryItem, _ tool: WritingTool, _ result: WritingResult,
        redacted: ItemDisclosure.Redacted?
    ) async throws -> ToolOutput {
        func name(_ item: LibraryItem) -> String {
            "\(item.id) \"\(item.title.oneLine)\""
        }
        let shown = name(redacted?.item ?? item)
        let isUntrusted = item.hasUntrustedText || tool.hasUntrustedText
        guard result.isChanged else {
            return ToolOutput(
                text: "\(shown): nothing to change.", isUntrusted: isUntrusted)
        }
        let update = try await change(item, to: result.text, by: tool, result)
        if case .conflict(_, let kept) = update {
            return ToolOutput(
                text: "\(item.id) was changed in the meantime; the result is kept as revision "
                    + "\(kept.number).", isError: true, isUntrusted: isUntrusted)
        }
        // The model gets the placeholders that it has read.
        var (before, after) = (result.original, result.text)
        if let redacted {
            let redactor = Redactor(redacted.withheld)
            var map = redacted.map
            before = redactor.redact(before, into: &map)
            after = redactor.redact(after, into: &map)
        }
        var remark = ""
        if case .changed(let item) = update,
            let line = try await dependencies.review(item)
        {
            remark = "\n(\(line.text); the user sees which.)"
        }
        let diff = TextDiff(before, after)
        let facts = FactChanges(diff, isProofread: tool.isProofreading)
        if let sentence = facts.sentence { remark += "\n! \(sentence) Tell the user." }
        let lines = diff.lines(isMarked: true, facts: facts.changes).prefix(40)
        let count = Quantities.count(result.corrections, "change")
        return ToolOutput(
            text: "\(tool.past) \(shown): \(count). [-old-]{+new+}:\n"
                + lines.map(\.text).joined(separator: "\n") + remark,
            summary: "✓ \(tool.past) \(name(item)) · \(count) · /undo",
            isUntrusted: isUntrusted)
    }

    package func preview(of name: String, arguments: JSONObject) async -> CallPreview {
        do {
            let item = try await item(arguments)
            return .touches("\(item.id) \(item.title)")
        } catch let error as ToolError {
            return .fails(ToolOutput(error))
        } catch {
            return .touches(nil)
        }
    }

    private func item(_ arguments: JSONObject) async throws -> LibraryItem {
        let query = arguments["item"]?.stringValue ?? ""
        let found = try await dependencies.library.matches(query)
        guard let item = found.first else { throw ToolError.noMatch(query: query) }
        guard found.count == 1 else {
            var candidates: [String] = []
            for item in found.prefix(10) {
                // An item that may not be disclosed is shown by its number only.
                let title = try? await dependencies.disclosure.disclosed(item).title
                candidates.append("\(item.id) \(title ?? "(not shown)")")
            }
            throw ToolError.ambiguous(query: query, candidates: candidates)
        }
        return item
    }

    /// Changes the item's text, as a new revision.
    func change(
        _ item: LibraryItem, to text: String, by tool: WritingTool, _ result: WritingResult
    ) async throws -> ItemUpdate {
        let isUntrusted =
            item.hasUntrustedText || tool.hasUntrustedText || ToolCallContext.hasUntrustedText
        let caller = ToolCallContext.caller
        return try await dependencies.library.change(
            item.id, ItemChange(body: text), basedOn: item.revision,
            by: RevisionOrigin(
                by: result.isLocal ? .tool : .model,
                name: result.model ?? caller?.model ?? tool.name,
                conversation: caller?.conversation, hasUntrustedText: isUntrusted),
            verb: tool.past)
    }
}
