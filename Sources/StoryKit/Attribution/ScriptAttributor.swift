/// Reads the speakers from the labels of a script: `HAMLET. …`, `Alice: …`.
struct ScriptAttributor {
    let text: StoryText
    let cast: Cast

    /// One attribution for each quotation.
    func attribute() -> [Attribution] {
        let names = cast.characters.map { [$0.name] + $0.aliases }.map { $0.map(Cast.compared) }
        return text.spans.indices.filter { text.spans[$0].kind == .quotation }.map { span in
            let paragraph = text.paragraphs[text.spans[span].paragraph]
            guard let label = ScriptReader.label(in: text.bytes, paragraph) else {
                return Attribution(
                    span: span, speaker: nil, confidence: 0, tier: .guess, evidence: "no label")
            }
            let spelled = text.text(of: label.name)
            let folded = Cast.compared(spelled)
            let speaker =
                names.firstIndex { $0.contains(folded) }
                ?? Self.only(
                    names.indices.filter { character in
                        names[character].contains {
                            Set(folded.split(separator: " ")).isSubset(of: $0.split(separator: " "))
                        }
                    })
            return Attribution(
                span: span, speaker: speaker, confidence: speaker == nil ? 0 : 0.99,
                tier: speaker == nil ? .guess : .sure, evidence: "label “\(spelled)”",
                isTagged: speaker != nil)
        }
    }

    private static func only(_ found: [Int]) -> Int? { found.count == 1 ? found[0] : nil }
}
