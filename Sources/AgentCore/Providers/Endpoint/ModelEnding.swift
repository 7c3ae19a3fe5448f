import Base
import FoundationEssentials

/// That a model ends, and what comes after it: the day as its server's list gives it, the
/// successor from the vendor's page of deprecations. Pure.
package struct ModelEnding: Sendable, Equatable {
    package var model: String
    /// `2027-02-26`
    package var day: String

    /// As a server's list has it: `shutdown_date` with OpenAI, in either of two notations.
    init?(_ entry: JSONValue, of model: String) {
        let said = entry["shutdown_date"]
        var date: CivilDate?
        if let seconds = said?.integerValue {
            guard seconds > 0, seconds < 1 << 36 else { return nil }
            date = CivilDate(dayNumber: seconds / 86_400)
        } else {
            let parts = (said?.stringValue ?? "").prefix(10).split(separator: "-").map { Int($0) }
            guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2]
            else { return nil }
            date = CivilDate(year: year, month: month, day: day)
        }
        guard let date else { return nil }
        self.model = model
        day = "\(date.year)-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
    }

    package var sentence: String {
        let next = Self.successor(of: model).map { "; \($0) comes after it" } ?? ""
        return "\(model) ends on \(day)\(next)."
    }

    /// <https://developers.openai.com/api/docs/deprecations>, November 2026. Speech models
    /// have none that speaks with their voices.
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
