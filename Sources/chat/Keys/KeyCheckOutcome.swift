import AgentCore

/// What a server said about a key, and the sentence for it. The words of the
/// server are foreign text: the terminal's allow-list is applied later.
enum KeyCheckOutcome: Sendable, Equatable {
    case valid(models: Int)
    /// The key works but may not list models.
    case validCannotList(reason: ServerText?)
    /// 401.
    case rejected(reason: ServerText?)
    /// 403: known, but not allowed here.
    case restricted(reason: ServerText?)
    /// 402 or a quota error.
    case noMoney(reason: ServerText?)
    /// 429.
    case rateLimited(reason: ServerText?)
    /// 404, or a page where the API was expected: says nothing about the key.
    case wrongBaseURL(reason: ServerText?)
    /// Server error or no network: says nothing about the key. With a sentence
    /// of ours.
    case couldNotCheck(reason: String?)

    /// What happens to a new key with this outcome.
    enum Saving: Sendable, Equatable {
        case save, saveWithWarning, onlyIfTheUserSaysSo, refuse
    }

    var saving: Saving {
        switch self {
        case .valid: .save
        case .validCannotList, .restricted, .noMoney, .rateLimited: .saveWithWarning
        case .wrongBaseURL, .couldNotCheck: .onlyIfTheUserSaysSo
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
        case .couldNotCheck: "could_not_check"
        }
    }

    func sentence(_ origin: KeyOrigin) -> String {
        switch self {
        case .valid(let models):
            "The key is valid: \(models) \(models == 1 ? "model" : "models") at \(origin)."
        case .validCannotList(let reason):
            Self.join("The key is valid but may not list models.", reason)
        case .rejected(let reason): Self.join("\(origin) rejected the key.", reason)
        case .restricted(let reason):
            Self.join(
                "\(origin) knows the key but restricts it (region, scope or workspace).", reason)
        case .noMoney(let reason):
            Self.join("The key is valid, but its account has no money or quota left.", reason)
        case .rateLimited(let reason):
            Self.join("The key is valid, but it is at its rate limit now.", reason)
        case .wrongBaseURL(let reason):
            Self.join("The base URL looks wrong: there is no model list at \(origin).", reason)
        case .couldNotCheck(let reason):
            Self.join("The key could not be checked at \(origin).", said: reason)
        }
    }

    private static func join(_ sentence: String, _ reason: ServerText?) -> String {
        join(sentence, said: reason?.text)
    }

    private static func join(_ sentence: String, said reason: String?) -> String {
        guard let reason, !reason.isEmpty else { return sentence }
        return "\(sentence) The reason given: \(reason.prefix(300))"
    }
}
