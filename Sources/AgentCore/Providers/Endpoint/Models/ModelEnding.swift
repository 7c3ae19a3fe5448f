import Base
import FoundationEssentials

/// The end of a model's service: the day from its server's list or error, and its successor
/// from the list or the vendor's page of deprecations. Pure.
package struct ModelEnding: Sendable, Equatable {
    package var model: String
    /// `2027-02-26`
    package var day: String
    package var next: String?

    /// Reads a stored ending; nil if `day` is not a date.
    package init?(model: String, day: String, next: String?) {
        guard let date = Self.date(iso: day) else { return nil }
        (self.model, self.day, self.next) = (model, date.isoText, next)
    }

    /// Parses a server's list entry: OpenAI (in either of two notations), OpenRouter,
    /// Mistral.
    init?(_ entry: JSONValue, of model: String) {
        let said = ["shutdown_date", "expiration_date", "deprecation"].lazy
            .compactMap { entry[$0] }.first { !$0.isNull }
        guard
            let date = said?.integerValue.flatMap(Self.date(seconds:))
                ?? said?.stringValue.flatMap(Self.date(iso:))
        else { return nil }
        self.init(model, date, next: entry["deprecation_replacement_model"]?.stringValue)
    }

    /// Parses the error about a retired model: "was shut down on January 14, 2027". Of several
    /// days, the last one counts.
    package init?(error sentence: String, of model: String) {
        let text = sentence.lowercased()
        guard Self.endWords.contains(where: text.contains) else { return nil }
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init)
        let dates = words.indices.compactMap { index -> CivilDate? in
            if let date = Self.date(iso: words[index]) { return date }
            guard words[index].count >= 3, index > 0, index + 1 < words.count,
                let month = Self.months.firstIndex(where: { $0.hasPrefix(words[index]) })
            else { return nil }
            // "January 14, 2027" and "14 January 2027".
            let isDayFirst = Self.number(words[index + 1]) ?? 0 > 31
            let day = words[isDayFirst ? index - 1 : index + 1]
            let year = isDayFirst ? index + 1 : index + 2
            guard year < words.count, let day = Self.number(day),
                let year = Self.number(words[year])
            else { return nil }
            return CivilDate(year: year, month: month + 1, day: day)
        }
        guard let date = dates.last else { return nil }
        self.init(model, date, next: nil)
    }

    private init(_ model: String, _ date: CivilDate, next: String?) {
        self.model = model
        day = date.isoText
        self.next = next ?? Self.successor(of: model)
    }

    /// The notice for the user before the day, and after it.
    package var sentence: String { "\(model) ends on \(day)\(after)." }
    package var pastSentence: String { "\(model) ended on \(day)\(after)." }
    private var after: String { next.map { "; \($0) comes after it" } ?? "" }

    private static func date(seconds: Int) -> CivilDate? {
        seconds > 0 && seconds < 1 << 36 ? CivilDate(dayNumber: seconds / 86_400) : nil
    }

    private static func date(iso text: String) -> CivilDate? {
        let parts = text.prefix(10).split(separator: "-").map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2]
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// "14", "14th"
    private static func number(_ word: String) -> Int? {
        Int(word.prefix(while: \.isNumber))
    }

    /// Words that errors use for the end of a model.
    static let endWords = [
        "deprecated", "decommissioned", "retired", "shut down", "discontinued",
        "no longer available",
    ]

    private static let months = CivilDate.longMonthNames.map { $0.lowercased() }

    /// <https://developers.openai.com/api/docs/deprecations>, November 2026. Speech models have no
    /// successor that has their voices.
    package static func successor(of model: String) -> String? {
        successors.first { model == $0.model || model.hasPrefix($0.model + "-20") }?.next
    }

    private static let successors = [
        (["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"], "gpt-transcribe"),
        (["gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4.1-mini"], "gpt-6-luna"),
        (["gpt-5", "o3"], "gpt-6.1-sol"), (["gpt-5-mini"], "gpt-6.1-terra"),
        (["gpt-5-nano"], "gpt-6-luna"),
    ].flatMap { models, next in models.map { (model: $0, next: next) } }
}
