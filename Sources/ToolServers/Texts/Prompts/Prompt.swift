import AgentCore
import Base
import Persistence

/// A text for a model with a name, and what goes with it: sent by `/p NAME` and `chat -P NAME`,
/// used as the system text of a conversation by `/role NAME`, and as the instructions of a recipe
/// where the program writes. A value; where prompts come from is `PromptBook`'s business.
package struct Prompt: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        /// Of the program: an example, or the instructions of a recipe.
        case builtIn
        /// Of the library.
        case item(ItemID)
        /// `roles/NAME.md`.
        case file
        case configuration
    }

    package var name: String
    /// What it is for, in one line; nil where its first words have to do.
    package var summary: String?
    /// May hold places for `{{input}}` and `{{name|default}}`; see
    /// `PromptTemplate`.
    package var text: String
    package var model: String?
    package var effort: Effort?
    package var temperature: Double?
    package var maxOutputTokens: Int?
    /// It changes a text that is given, and is offered where text is written.
    package var isWritingTool: Bool
    package var source: Source
    /// Lines of the head that say nothing we know, as they stand there.
    package var problems: [String] = []
    /// It may hold text by others; messages with it do as well then.
    package var hasForeignText = false

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

    /// Whether it can be typed as one word and be the name of a file.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64 && name.first != "." && name.first != "-"
            && name != "none"
            && name.utf8.allSatisfy { byte in
                byte.isASCIILetterOrDigit || byte >= 0x80 || [0x2D, 0x2E, 0x5F].contains(byte)
            }
    }
}

extension Prompt {
    /// What a list says of it: the settings, then what it is for.
    package var line: String {
        var words = settings.map { "\($0) \($1)" }
        if isWritingTool { words.append("writing tool") }
        words.append(summaryOrBeginning)
        return words.joined(separator: " · ")
    }

    /// Columns, beside a name, a place and a setting.
    private static let lineLimit = 44

    /// The summary, else the first line of the text, cut; foreign text.
    package var summaryOrBeginning: String {
        let line = summary ?? text.split(separator: "\n").first.map(String.init) ?? ""
        return DisplayWidth.cut(line, to: Self.lineLimit)
    }

    /// "model opus", "temperature 0.2": what it says itself about the answer.
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
