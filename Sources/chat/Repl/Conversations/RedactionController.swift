import AgentCore
import Base
import ChatKit
import Persistence
import Privacy

/// `/redact on|off`: whether the conversation is redacted, stored with it.
struct RedactionController: ReplController {
    let context: ReplContext

    /// `/redact [on|off]`
    func change(to word: String?) async throws {
        let isOn = await session.redacts
        let wanted = word.map { $0 == "on" } ?? isOn
        if word != nil { try await session.change { $0.redacts = wanted } }
        await show(await redactionLines(isOn: wanted, isChange: wanted != isOn))
    }

    private func redactionLines(isOn: Bool, isChange: Bool) async -> [StyledLine] {
        var lines = [StyledLine("  redact: \(isOn ? "on" : "off")", isOn ? .success : .plain)]
        func add(_ text: String, _ look: StyledLine.Style) {
            lines += WordWrap.texts(text, width: max(16, windowWidth - 5)).map {
                StyledLine("    " + $0, look)
            }
        }
        let host: String? =
            if await session.hasHistory, let choice = await session.expectedChoice(),
                choice.provider != .offline
            {
                await services.connector.host(of: choice.provider)
            } else {
                nil
            }
        guard isOn else {
            if isChange, let host {
                add(
                    "With the next message \(host) gets the whole conversation unredacted.",
                    .warning)
            }
            return lines
        }
        add(await redactedWords, .dim)
        if isChange, let host { add("What was sent before is with \(host) already.", .warning) }
        return lines
    }

    /// The redacted words: those of the profile, and those recognized by their form.
    private var redactedWords: String {
        get async {
            do {
                let person = try await services.person()
                if person.isEmpty {
                    return "Your profile is empty, so only e-mail addresses, phone numbers and the "
                        + "like are found. Tell it your name: /profile set name"
                }
                let kinds = PersonalData.Kind.allCases.filter { !person.values(of: $0).isEmpty }
                    .map(\.words)
                return "Kept here: \(kinds.joined(separator: ", ")), and what looks like "
                    + "an e-mail address, a phone number and the like."
            } catch {
                let said = services.diagnostics.describe(error)
                return "Your profile cannot be read, so nothing is sent: \(said.what)"
            }
        }
    }
}
