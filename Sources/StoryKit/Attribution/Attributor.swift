/// Says for every quotation of a story who speaks it.
package struct Attributor: Sendable {
    private let cast: Cast
    private let sieves: Sieves

    package init(cast: Cast, sieves: Sieves = .all) {
        self.cast = cast
        self.sieves = sieves
    }

    /// One for each quotation of the text, in order.
    package func attribute(_ text: StoryText) -> [Attribution] {
        text.spans.indices.filter { text.spans[$0].kind == .quotation }.map {
            Attribution(span: $0, speaker: nil, confidence: 0, tier: .guess, evidence: "")
        }
    }
}
