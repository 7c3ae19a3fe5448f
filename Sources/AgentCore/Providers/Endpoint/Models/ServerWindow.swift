import Base

/// The context window of a model in tokens, as local servers report it besides their list.
/// Pure.
///
/// | server    | asked              | where it is                                           |
/// |-----------|--------------------|-------------------------------------------------------|
/// | Ollama    | GET /api/ps        | `context_length` of a model that is loaded            |
/// |           | POST /api/show     | `num_ctx` among the parameters; else it starts with 4,096 |
/// | llama.cpp | GET /props         | `default_generation_settings.n_ctx`                   |
/// | LM Studio | GET /api/v0/models | `loaded_context_length`                               |
///
/// vLLM and newer versions of llama.cpp have it in their list (`ModelList`).
package struct ServerWindow: Sendable, Equatable {
    package var tokens: Int
    /// Whether it is only the server's default, not reported by the server.
    package var isUsual = false

    package init(tokens: Int, isUsual: Bool = false) {
        self.tokens = tokens
        self.isUsual = isUsual
    }

    /// Requests in the order in which they are tried; a server answers one of them.
    enum Question: CaseIterable {
        case ollamaLoaded, ollamaModel, llamaCpp, lmStudio

        var path: String {
            switch self {
            case .ollamaLoaded: "/api/ps"
            case .ollamaModel: "/api/show"
            case .llamaCpp: "/props"
            case .lmStudio: "/api/v0/models"
            }
        }

        /// The body of a POST request; nil for a GET.
        func body(_ model: String) -> JSONValue? {
            self == .ollamaModel ? ["model": .string(model)] : nil
        }

        func window(of model: String, in answer: JSONValue) -> ServerWindow? {
            switch self {
            case .ollamaLoaded:
                let loaded = (answer["models"]?.arrayValue ?? []).first { entry in
                    [entry["name"], entry["model"]].contains { name in
                        guard let name = name?.stringValue else { return false }
                        return name == model || name == model + ":latest"
                    }
                }
                return ServerWindow(loaded?["context_length"])
            case .ollamaModel:
                guard answer["model_info"] != nil || answer["details"] != nil else { return nil }
                return ServerWindow(
                    Self.parameter("num_ctx", in: answer["parameters"]?.stringValue ?? ""))
                    ?? ServerWindow(tokens: 4_096, isUsual: true)
            case .llamaCpp:
                return ServerWindow(answer["default_generation_settings"]?["n_ctx"])
            case .lmStudio:
                let entry = answer["data"]?.arrayValue?.first { $0["id"]?.stringValue == model }
                return ServerWindow(entry?["loaded_context_length"])
            }
        }

        /// Lines such as `num_ctx                        8192`.
        private static func parameter(_ name: String, in text: String) -> JSONValue? {
            for line in text.split(whereSeparator: \.isNewline) {
                let words = line.split(whereSeparator: \.isWhitespace)
                if words.count == 2, words[0] == name, let number = Int64(words[1]) {
                    return .integer(number)
                }
            }
            return nil
        }
    }

    private init?(_ value: JSONValue?) {
        guard let tokens = value?.integerValue, tokens > 0 else { return nil }
        self.init(tokens: tokens)
    }
}
