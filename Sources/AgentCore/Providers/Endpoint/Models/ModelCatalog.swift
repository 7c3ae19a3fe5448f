import Base

/// Known facts about models by name: limits, rules about parameters, and fallback names if a server
/// lists none.
///
/// A hint, never a reason to refuse: an unknown name gets the defaults, and a server's own
/// statement takes precedence.
package enum ModelCatalog {
    package static let defaultOutputLimit = 32_000

    // MARK: - Names

    package static let openAI: [ModelInfo] = [
        "gpt-6.2-sol", "gpt-6.2-astra", "gpt-6.1-terra", "gpt-6.1-sol", "gpt-6-sol", "gpt-6-luna",
        "gpt-6-astra", "gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-5.5", "gpt-5.5-pro",
    ].map {
        // GPT-6 models state an input limit, earlier ones only a window.
        ModelInfo(
            id: $0, maxInput: $0.hasPrefix("gpt-6") ? 922_000 : nil, maxOutput: 128_000)
    }

    package static let claude: [ModelInfo] =
        [
            "claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-fable-5-2",
            "claude-fable-5-1",
            "claude-opus-5", "claude-sonnet-5", "claude-fable-5", "claude-mythos-5-1",
            "claude-mythos-5", "claude-opus-4-8", "claude-opus-4-7", "claude-opus-4-6",
            "claude-sonnet-4-6",
        ].map { ModelInfo(id: $0, maxInput: 1_000_000, maxOutput: 128_000) }
        + [
            ModelInfo(id: "claude-haiku-4-5", maxInput: 200_000, maxOutput: 64_000),
            ModelInfo(id: "claude-opus-4-5", maxInput: 200_000),
            ModelInfo(id: "claude-sonnet-4-5", maxInput: 200_000),
        ]

    package static func known(for provider: ProviderName) -> [ModelInfo] {
        switch provider {
        case .openai: openAI
        case .claude: claude
        default: []
        }
    }

    /// The table's entry for a name, ignoring a date at its end.
    package static func info(_ model: String) -> ModelInfo? {
        (openAI + claude).first { $0.id == model || isDated(model, of: $0.id) }
    }

    /// The provider implied by the start of a name; nil for all others.
    package static func provider(ofModel name: String) -> ProviderName? {
        if name.hasPrefix("claude-") { return .claude }
        return isOpenAIName(name) ? .openai : nil
    }

    /// The models of a provider's list that can chat.
    package static func chatModels(
        of list: [ModelInfo], provider: ProviderName
    ) -> [ModelInfo] {
        switch provider {
        case .openai:
            list.filter { model in
                isOpenAIName(model.id) && !otherUses.contains(where: model.id.contains)
            }
        // Compatible servers name their models arbitrarily.
        case .local:
            list.filter { model in
                !["embed", "whisper", "rerank"].contains(where: model.id.lowercased().contains)
            }
        default: list
        }
    }

    /// The names closest to one that the server did not know, closest first.
    package static func nearest(
        to name: String, in names: [String], limit: Int = 3
    ) -> [String] {
        let wanted = Array(name.lowercased().utf8)
        // Names that long are not typos.
        guard wanted.count <= 200 else { return [] }
        let allowed = max(3, wanted.count / 2)
        return names.enumerated().filter { $1.utf8.count <= 200 }
            .map { (EditDistance.between(Array($1.lowercased().utf8), wanted), $0, $1) }
            .filter { $0.0 <= allowed }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
            .prefix(limit)
            .map(\.2)
    }

    // MARK: - Rules

    /// The smallest of the requested limit, the model's maximum and our own limit.
    package static func outputLimit(for request: ModelRequest) -> Int {
        min(
            max(1, request.maxOutputTokens), info(request.model)?.maxOutput ?? .max,
            defaultOutputLimit)
    }

    /// OpenAI models that reason before they answer.
    package static func isReasoningModel(_ model: String) -> Bool {
        if isOSeries(model) { return true }
        guard let version = gptVersion(model) else { return false }
        return version.major >= 5 && !model.contains("chat")
    }

    /// Whether `temperature` may be sent. Models whose reasoning can be switched off accept it if
    /// it is.
    package static func acceptsSampling(_ model: String, effort: Effort? = nil) -> Bool {
        if let version = claudeVersion(model) {
            return version.major < 5
                && !(version.family == "opus" && version.major == 4 && version.minor >= 7)
        }
        if !isReasoningModel(model) { return true }
        return effort == Effort.none
            && efforts(of: model, format: .responses)?.contains(.none) == true
    }

    /// OpenAI models that place `instructions` after the input, where no prompt cache can find
    /// them: 6.2 and later.
    package static func readsInstructionsLast(_ model: String) -> Bool {
        guard isReasoningModel(model), let version = gptVersion(model) else { return false }
        return version >= (6, 2)
    }

    /// Models that accept tools between messages: OpenAI's from GPT-6 on, and those of Claude's
    /// that accept a system text there.
    package static func takesLateTools(_ model: String, _ format: WireFormat) -> Bool {
        format == .messages
            ? takesLaterSystem(model, format)
            : format == .responses && gptVersion(model).map { $0 >= (6, 0) } ?? false
    }

    /// Claude models that accept `thinking: adaptive`: 4.6 and later.
    package static func thinksAdaptively(_ model: String) -> Bool {
        guard let version = claudeVersion(model) else { return false }
        return version.major >= 5 || version.major == 4 && version.minor >= 6
    }

    /// Claude models that verify the text before reasoning that is sent back: Fable and Mythos 5.1,
    /// and all of 5.5.
    package static func bindsThinking(_ model: String) -> Bool {
        claudeVersion(model).map { ($0.major, $0.minor) >= (5, 1) } ?? false
    }

    /// Models that accept a system text between messages: OpenAI's as a developer item, Claude's
    /// since Opus 4.8, except Sonnet 5 (platform.claude.com, "Mid-conversation system messages").
    package static func takesLaterSystem(_ model: String, _ format: WireFormat) -> Bool {
        switch format {
        case .responses: return isReasoningModel(model)
        case .messages:
            guard let version = claudeVersion(model) else { return false }
            let number = (version.major, version.minor)
            return version.family == "sonnet" ? number > (5, 0) : number >= (4, 8)
        case .chat, .none: return false
        }
    }

    // MARK: - Reading names

    typealias ClaudeVersion = (family: String, major: Int, minor: Int)

    private static let otherUses = [
        "audio", "realtime", "transcribe", "tts", "image", "embedding", "moderation", "search",
        "instruct",
    ]

    private static func isOSeries(_ name: String) -> Bool {
        name.hasPrefix("o") && name.dropFirst().first?.isNumber == true
    }

    private static func isOpenAIName(_ name: String) -> Bool {
        // Ollama's names have a tag; `gpt-oss` is an open model.
        if name.contains(":") || name.hasPrefix("gpt-oss") { return false }
        return name.hasPrefix("gpt-") || name.hasPrefix("chatgpt-") || isOSeries(name)
    }

    /// `claude-opus-4-5-20251101` is opus 4.5; names like `claude-3-5-sonnet` are from
    /// before families came first.
    static func claudeVersion(_ model: String) -> ClaudeVersion? {
        let words = model.split(separator: "-")
        guard words.count >= 3, words[0] == "claude", let major = Int(words[2]) else { return nil }
        guard Int(words[1]) == nil else { return nil }
        let minor = words.count > 3 && words[3].count <= 2 ? Int(words[3]) ?? 0 : 0
        return (String(words[1]), major, minor)
    }

    /// `gpt-6.2-sol` is 6.2.
    static func gptVersion(_ model: String) -> (major: Int, minor: Int)? {
        guard model.hasPrefix("gpt-") else { return nil }
        let numbers = model.dropFirst(4).prefix { $0.isNumber || $0 == "." }
            .split(separator: ".").map { Int($0) }
        guard let major = numbers.first ?? nil else { return nil }
        return (major, numbers.count > 1 ? numbers[1] ?? 0 : 0)
    }

    private static func isDated(_ name: String, of base: String) -> Bool {
        guard name.hasPrefix(base + "-") else { return false }
        let rest = name.dropFirst(base.count + 1)
        return rest.count >= 8 && rest.allSatisfy { $0.isNumber || $0 == "-" }
    }
}

/// Reads the answer to `GET /v1/models` of any of the providers.
package enum ModelList {
    /// Maximum bytes of an answer about models: a router that offers 400 of them sends 1 MB, and
    /// four are read in the three seconds that a list is waited for.
    static let limitInBytes = 4 << 20

    /// The models in the server's order; nil if the object is not such a list.
    package static func read(_ json: JSONValue) -> [ModelInfo]? {
        // llama.cpp and others repeat Ollama's form beside the standard one.
        guard let entries = json["data"]?.arrayValue ?? json["models"]?.arrayValue else {
            return json["object"] == "list" ? [] : nil
        }
        var seen: Set<String> = []
        return entries.compactMap { entry in
            guard let id = entry["id"]?.stringValue ?? entry["name"]?.stringValue, !id.isEmpty,
                seen.insert(id).inserted
            else { return nil }
            let known = ModelCatalog.info(id)
            return ModelInfo(
                id: id, displayName: entry["display_name"]?.stringValue,
                maxInput: entry["max_input_tokens"]?.integerValue
                    ?? entry["max_model_len"]?.integerValue
                    ?? entry["context_length"]?.integerValue
                    ?? entry["meta"]?["n_ctx"]?.integerValue ?? known?.maxInput,
                maxOutput: entry["max_tokens"]?.integerValue ?? known?.maxOutput,
                ending: ModelEnding(entry, of: id))
        }
    }
}
