import Base

/// The state machine of the writing tools: keys and results in, actions out. Pure; knows no
/// model and no clock.
///
/// ```
/// menu        a letter chooses, anything else leaves it open, Esc leaves
/// working     no key counts: the user has not seen the result yet
/// review      see ReviewState
/// ```
/// Ctrl-C leaves at any moment, and the text stays unchanged.
struct WritingState: PanelScreen {
    enum Effect: Equatable, Sendable {
        case apply(WritingAssistant.Tool)
        case review(ReviewState.Effect)
    }

    enum Step: Equatable, Sendable {
        case menu
        case working(WritingAssistant.Tool, WritingAssistant.Progress)
        case review(WritingAssistant.Tool, ReviewState)
    }

    let selection: LineSelection
    /// The tools of the menu with one key each, as `keyed` gives them.
    var tools: [WritingAssistant.Tool] = []
    /// The text before the draft.
    var prompt = StyledLine("")
    var style = Style(usesColor: false, usesUnicode: true)
    private(set) var step = Step.menu
    /// Without a cursor: whether the review has been printed, and the problem of an invalid
    /// answer.
    var isListed = false
    var problem: String?

    init(_ selection: LineSelection) { self.selection = selection }

    /// The tools with one key each: their preferred letter, or the next digit. Tools beyond the
    /// tenth without a letter are not offered.
    static func keyed(_ tools: [WritingAssistant.Tool]) -> [WritingAssistant.Tool] {
        var taken: Set<Character> = ["q"]
        var digits = Array("123456789")
        return tools.compactMap { tool in
            var tool = tool
            if let key = tool.key, key.isLetter, taken.insert(key).inserted { return tool }
            guard !digits.isEmpty else { return nil }
            tool.key = digits.removeFirst()
            return tool
        }
    }

    mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
        switch (step, key) {
        case (.menu, .escape), (.menu, .interrupt), (.menu, .character("q")):
            return .review(.leave)
        case (.menu, .character(let letter)): return tool(letter).map { begin($0) }
        case (.menu, _), (.working, _): return nil
        case (.review(let tool, var review), _):
            let effect = review.take(key)
            step = .review(tool, review)
            return effect.map(Effect.review)
        }
    }

    func lines(on size: ScreenSize) -> [StyledLine] {
        WritingView(self, prompt: prompt, size: size, style: style).lines
    }

    func tool(_ letter: Character) -> WritingAssistant.Tool? {
        tools.first { $0.key.map(String.init) == letter.lowercased() }
    }

    mutating func begin(_ tool: WritingAssistant.Tool) -> Effect {
        step = .working(tool, .init())
        return .apply(tool)
    }

    mutating func note(_ progress: WritingAssistant.Progress) {
        guard case .working(let tool, _) = step else { return }
        step = .working(tool, progress)
    }

    /// Shows the tool's result, which has changes.
    mutating func show(_ version: WritingAssistant.Version) {
        guard case .working(let tool, _) = step else { return }
        step = .review(tool, ReviewState(version))
    }
}
