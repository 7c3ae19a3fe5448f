import AgentCore

/// A résumé that was pasted as one line, its parts divided by dashes or bars: each
/// part on a line. Pure; other texts come back as they are.
enum OneLine {
    static func unfolded(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.count <= 4, let long = lines.first(where: { $0.count > 200 }) else {
            return text
        }
        let sign = [" – ", " — ", " | ", " · ", " • ", " - ", " / "]
            .map { sign in
                (sign, parts: long.replacing(sign, with: "\n").split(separator: "\n").count)
            }
            .max { $0.parts < $1.parts }
        guard let sign, sign.parts >= 5 else { return text }
        return text.replacing(sign.0, with: "\n")
    }
}
