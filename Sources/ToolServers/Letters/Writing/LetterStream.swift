import AgentCore

/// Shows a letter as it arrives, with placeholders restored as soon as they are complete. One for
/// each answer.
actor LetterStream {
    /// All of it, as it came.
    private(set) var text = ""
    private let map: RedactionMap
    private let emit: Emitter
    private var progress: ToolProgress

    /// Characters of a placeholder that may not be whole yet.
    private static let held = 24
    /// Rows of a letter that are in sight while it comes.
    private static let rows = 10

    /// - Parameter model: what is waited for.
    init(
        title: String, map: RedactionMap, emit: Emitter, model: String? = nil, part: String = ""
    ) {
        self.map = map
        self.emit = emit
        progress = ToolProgress(activity: "Writing", title: title)
        progress.part = part
        progress.textRows = Self.rows
        progress.hint = "what has arrived is kept"
        progress.facts = [model.map { "waiting for \($0)" } ?? "waiting"]
    }

    func begin() { emit(progress) }

    func add(_ piece: String) {
        text += piece
        progress.text = Self.shown(text, map)
        progress.facts = [Quantities.count(LetterAnswer.words(text), "word")]
        emit(progress)
    }

    /// Without the beginning of a placeholder at its end.
    static func shown(_ text: String, _ map: RedactionMap) -> String {
        let tail = text.suffix(held)
        guard let open = tail.lastIndex(of: "["), !tail[open...].contains("]") else {
            return onOneLine(map.restore(text))
        }
        return onOneLine(map.restore(String(text[..<open])))
    }

    /// Rows are folded where they are shown.
    private static func onOneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
