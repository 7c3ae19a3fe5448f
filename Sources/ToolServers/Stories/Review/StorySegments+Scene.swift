import StoryKit

/// Applies one decision of the user to the quotations around it, without reading the whole
/// story again: a novel takes longer than a key press may.
extension StorySegments {
    /// Number of quotations before and after a decision that it may affect; beyond that it
    /// changes hardly anything.
    private static let reach = 20
    /// Bytes read before the first of them, to find who is present.
    private static let leadIn = 2_000

    /// Reads the scene around a quotation with and without the decision, and takes over the
    /// differences. Attributions that depend on text outside the scene stay.
    /// - Parameters:
    ///   - span: the index of a quotation.
    ///   - speaker: an index into the cast; nil for none of it.
    /// - Returns: the segments with the decision, and the attributions that it replaced.
    func deciding(
        _ span: Int, _ speaker: Int?
    ) -> (segments: StorySegments, replaced: [Int: Attribution]) {
        let quotations = attributions.keys.sorted()
        guard let place = quotations.firstIndex(of: span) else { return (self, [:]) }
        let near = quotations[
            max(0, place - Self.reach)..<min(quotations.count, place + Self.reach + 1)]
        let (scene, spans) = scene(Array(near))
        var decided: [Int: Int?] = [:]
        for (part, whole) in spans where attributions[whole]?.by == .user {
            decided[part] = .some(attributions[whole]?.speaker)
        }
        let attributor = Attributor(cast: cast)
        let before = attributor.attribute(scene, decided: decided)
        for (part, whole) in spans where whole == span { decided[part] = .some(speaker) }
        let after = attributor.attribute(scene, decided: decided, withCandidates: true)

        var changed: [Int: Attribution] = [
            span: Attribution(
                span: span, speaker: speaker, confidence: 1, tier: .sure,
                evidence: "your decision", by: .user)
        ]
        let old = Dictionary(uniqueKeysWithValues: before.map { ($0.span, $0) })
        for var new in after {
            guard let whole = spans[new.span], whole != span, attributions[whole]?.by != .user,
                let old = old[new.span], (old.speaker, old.tier) != (new.speaker, new.tier)
            else { continue }
            new.span = whole
            changed[whole] = labelled(new)
        }
        return (replacing(changed), attributions.filter { changed[$0.key] != nil })
    }

    /// The paragraphs around some quotations as a separate text, with a map from its spans to those
    /// of the whole.
    private func scene(_ quotations: [Int]) -> (StoryText, [Int: Int]) {
        guard let first = quotations.first, let last = quotations.last else {
            return (StoryText("", style: text.style, language: text.language), [:])
        }
        let wanted = text.spans[first].range.lowerBound - Self.leadIn
        let start =
            text.paragraphs[...text.spans[first].paragraph].last { $0.lowerBound <= wanted }?
            .lowerBound ?? 0
        let next = text.spans[last].paragraph + 1
        let end =
            text.paragraphs.indices.contains(next)
            ? text.paragraphs[next].lowerBound : text.bytes.count
        let scene = StoryText(
            text.text(of: start..<end), style: text.style, language: text.language)
        var whole: [Range<Int>: Int] = [:]
        for span in quotations { whole[text.spans[span].range] = span }
        var spans: [Int: Int] = [:]
        for (part, span) in scene.spans.enumerated() where span.kind == .quotation {
            spans[part] = whole[span.range.lowerBound + start..<span.range.upperBound + start]
        }
        return (scene, spans)
    }
}
