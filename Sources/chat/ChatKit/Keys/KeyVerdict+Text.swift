import AgentCore
import Base

/// The consequences of a key's verdict: whether to store the key, and the sentence for the user.
/// The server's own text is untrusted; the terminal's allow-list is applied later.
extension KeyVerdict {
    /// Whether a new key with this verdict is stored.
    enum Saving: Sendable, Equatable {
        case save, saveWithWarning, onlyIfTheUserSaysSo, refuse
    }

    var saving: Saving {
        switch self {
        case .valid: .save
        case .validCannotList, .restricted, .noMoney, .rateLimited: .saveWithWarning
        case .wrongBaseURL, .couldNotCheck, .otherOrigin: .onlyIfTheUserSaysSo
        case .rejected: .refuse
        }
    }

    /// The word of `--json`.
    var word: String {
        switch self {
        case .valid: "valid"
        case .validCannotList: "valid_cannot_list"
        case .rejected: "rejected"
        case .restricted: "restricted"
        case .noMoney: "no_money"
        case .rateLimited: "rate_limited"
        case .wrongBaseURL: "wrong_base_url"
        case .couldNotCheck, .otherOrigin: "could_not_check"
        }
    }

    func sentence(_ origin: KeyOrigin) -> String {
        switch self {
        case .valid(let models):
            "The key is valid: \(Quantities.count(models.count, "model")) at \(origin)."
        case .validCannotList: "The key is valid but may not list models."
        case .rejected(let reason): Self.join("\(origin) rejected the key.", reason?.text)
        case .restricted(let reason):
            Self.join(
                "\(origin) accepts the key but restricts it (region, scope or workspace).",
                reason?.text)
        case .noMoney(let reason):
            Self.join(
                "The key is valid, but its account has no money or quota left.", reason?.text)
        case .rateLimited: "The key is valid, but it is at its rate limit now."
        case .wrongBaseURL: "The base URL looks wrong: there is no model list at \(origin)."
        case .couldNotCheck(let error):
            Self.join("The key could not be checked at \(origin).", Diagnostic(error).what)
        case .otherOrigin:
            "The key could not be checked: it belongs to \(origin), which is not in use now."
        }
    }

    /// The models in use that are about to be retired.
    func endings(_ used: [String]) -> [String] {
        guard case .valid(let models) = self else { return [] }
        return models.filter { used.contains($0.id) }.compactMap { $0.ending?.sentence }
    }

    private static func join(_ sentence: String, _ reason: String?) -> String {
        guard let reason, !reason.isEmpty else { return sentence }
        return "\(sentence) The reason given: \(reason.prefix(300))"
    }
}

extension KeyText.Problem {
    package var sentence: String {
        switch self {
        case .empty: "No key was given."
        case .controlCharacter:
            "The key contains a space, a line break or a control character. Copy it again."
        case .notASCII: "The key contains a character that keys never have. Copy it again."
        case .tooLong: "That is too long for a key."
        }
    }
}
