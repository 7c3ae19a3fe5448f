import AgentCore
import Base
import Persistence

/// A named text for a model, with its settings: sent by `/prompt use NAME` and `chat -P NAME`, used
/// as the system prompt of a conversation by `/role NAME`, and as the instructions of the
/// program's own recipes. A value; `PromptBook` finds prompts.
package struct Prompt: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        /// Built into the program: an example, or the instructions of a recipe.
        case builtIn
        /// An item of the library.
        case item(ItemID)
        /// `roles/NAME.md`.
        case file
        case configuration
    }

    package var name: String
    /// The purpose in one line; if nil, the first words of the prompt are shown.
    package var summary: String?
    /// May contain placeholders `{{input}}` and `{{name|default}}`; see
    /// `PromptTemplate`.
    package var text: String
    package var model: String?
    package var effort: Effort?
    package var temperature: Double?
    package var maxOutputTokens: Int?
    /// Whether it changes a given text, and is offered where text is written.
    package var isWritingTool: Bool
    package var source: Source
    /// Invalid lines of the header, as written.
    package var problems: [String] = []
    /// Whether it may contain untrusted text; messages with it then do as well.
    package var hasUntrustedText = false

    package init(
        name: String, text: String, summary: String? = nil, model: String? = nil,
        effort: Effort? = nil, temperature: Double? = nil, maxOutputTokens: Int? = nil,
        isWritingTool: Bool = false, source: Source = .builtIn
    ) {
        self.name = name
        self.summary = summary
        self.text = text
        self.model = model
        self.effort = effort
        self.temperature = temperature
        self.maxOutputTokens = maxOutputTokens
        self.isWritingTool = isWritingTool
        self.source = source
    }

    package var template: PromptTemplate { PromptTemplate(text) }

    package var itemID: ItemID? { if case .item(let id) = source { id } else { nil } }

    /// Whether it can be typed as one word and used as a file name.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.first != "." && name.first != "-"
            && name != "none"
            && name.utf8.allSatisfy { byte in
                byte.isASCIILetterOrDigit || byte >= 0x80 || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}

extension Prompt {
    /// The description in a list: the settings, then the purpose.
    package var line: String { line(summaryOrBeginning) }
    /// The description, not shortened.
    package var wholeLine: String { line(purpose) }

    private func line(_ purpose: String) -> String {
        var words = settings.map { "\($0) \($1)" }
        if isWritingTool { words.append("writing tool") }
        words.append(purpose)
        return words.joined(separator: " · ")
    }

    /// Maximum width in columns, beside a name, a place and a setting.
    private static let lineLimit = 44

    /// The summary, else the first line of the text, shortened; untrusted text.
    package var summaryOrBeginning: String { DisplayWidth.cut(purpose, to: Self.lineLimit) }

    private var purpose: String {
        summary ?? text.split(separator: "\n").first.map(String.init) ?? ""
    }

    /// "model opus", "temperature 0.2": its settings for the answer.
    package var settings: [(name: String, value: String)] {
        [
            ("model", model), ("effort", effort?.rawValue),
            ("temperature", temperature.map(Self.plain)),
            ("max_tokens", maxOutputTokens.map(String.init)),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
