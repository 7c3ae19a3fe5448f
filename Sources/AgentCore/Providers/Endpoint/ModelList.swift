/// Reads the answer to `GET /v1/models` of any of the providers.
package enum ModelList {
    /// The models in the server's order; nil if the object is no such list.
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
                    ?? entry["context_length"]?.integerValue ?? known?.maxInput,
                maxOutput: entry["max_tokens"]?.integerValue ?? known?.maxOutput)
        }
    }
}
