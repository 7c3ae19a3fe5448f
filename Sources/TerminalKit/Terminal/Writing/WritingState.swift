/// The writing tools on a text: keys and results in, what to do out. Pure; knows
/// no model and no clock.
///
/// ```
/// menu        a letter chooses, anything else leaves it open, Esc leaves
/// working     Esc and Ctrl-C cancel the request and leave; other keys are lost,
///             since what was not seen cannot be decided on
/// review      see ReviewState
/// ```
/// Ctrl-C leaves at any moment, and the text stays as it was.
struct WritingState: Sendable, Equatable {
    enum Action: Equatable, Sendable {
        case none, draw, leave
        case apply(WritingAssistant.Tool)
        case cancel
        case done(String)
        case edit(String)
    }

    enum Step: Equatable, Sendable {
        case menu
        case working(WritingAssistant.Tool, WritingAssistant.Progress)
        case review(WritingAssistant.Tool, ReviewState)
    }

    let selection: LineSelection
    let tools: [WritingAssistant.Tool]
    private(set) var step = Step.menu

    /// - Parameter tools: with a key each, as `keyed` gives them.
    init(_ selection: LineSelection, tools: [WritingAssistant.Tool]) {
        self.selection = selection
        self.tools = tools
    }

    /// The tools with a key each: the letter they ask for, or the next digit.
    /// What is left without one after ten is not offered.
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

    mutating func take(_ key: PanelKey) -> Action {
        switch step {
        case .menu:
            switch key {
            case .escape, .interrupt, .character("q"): return .leave
            case .character(let letter):
                guard let tool = tool(letter) else { return .none }
                step = .working(tool, .init())
                return .apply(tool)
            default: return .none
            }
        case .working: return key == .escape || key == .interrupt ? .cancel : .none
        case .review(let tool, var review):
            let action = review.take(key)
            step = .review(tool, review)
            return switch action {
            case .none: .none
            case .draw: .draw
            case .leave: .leave
            case .done(let text): .done(text)
            case .edit(let text): .edit(text)
            }
        }
    }

    func tool(_ letter: Character) -> WritingAssistant.Tool? {
        tools.first { $0.key.map(String.init) == letter.lowercased() }
    }

    mutating func note(_ progress: WritingAssistant.Progress) {
        guard case .working(let tool, _) = step else { return }
        step = .working(tool, progress)
    }

    /// What the tool has made, which has changes.
    mutating func show(_ version: WritingAssistant.Version) {
        guard case .working(let tool, _) = step else { return }
        step = .review(tool, ReviewState(version))
    }
}
