import Base
import TerminalKit

/// The effects of keys on the screen of a playing story. Pure: keys and answers in, actions
/// out.
///
///     listening ── g, / ─→ typing ── Enter, Esc ─→ listening
///     listening ── w, v ─→ (the shell looks up) ─→ choosing ── Enter, Esc ─→ listening
///     listening ── ? ─→ help ── any key ─→ listening
struct StoryScreenKeys: Sendable, Equatable {
    enum Entry: Sendable, Equatable { case place, text, sleep }

    enum Choice: Sendable, Equatable { case speaker, voice }

    enum Mode: Sendable, Equatable {
        case listening
        case help
        case typing(Entry, String)
        /// The id of an item is its index in the list that was offered.
        case choosing(Choice, PickerState)
    }

    enum Destination: Sendable, Equatable {
        case segment(Int)
        case percent(Double)
    }

    enum Action: Sendable, Equatable {
        case none
        case togglePause
        case segments(Int)
        case chapters(Int)
        case rate(Int)
        case bookmark
        case go(Destination)
        case find(String)
        case findNext
        case sleep(String)
        /// The shell answers with `offer`.
        case offer(Choice)
        case choose(Choice, Int)
        case preview(Int)
        case say(String)
        case background
        case stop
        /// Ctrl-C.
        case interrupt
    }

    private(set) var mode = Mode.listening
    /// Whether there is a prompt behind the screen.
    var hasBackground = false

    /// The keys with their descriptions, for `?`, and a short form.
    static let help: [(key: String, does: String, word: String)] = [
        ("Space", "pause, resume", "pause"),
        ("← →", "segment back, on", "segment"),
        ("[ ]", "chapter back, on", "chapter"),
        ("g", "go to a segment, or 40 %", "go to"),
        ("/ n", "find words, find the next", "find, next"),
        ("+ -", "faster, slower", "speed"),
        ("t", "sleep timer: 20m, or off", "sleep"),
        ("b", "bookmark here", "bookmark"),
        ("w", "wrong speaker", "speaker"),
        ("v", "another voice for this one", "voice"),
        ("&", "to the background", "behind"),
        ("s q", "stop; the place is kept", "stop"),
    ]

    private static let longestEntry = 100

    /// Opens the list with the rows that the shell has looked up.
    mutating func offer(
        _ choice: Choice, title: String, _ rows: [(label: String, detail: String)], at index: Int
    ) {
        let items = rows.enumerated().map {
            PickerItem(id: "\($0)", title: $1.label, detail: $1.detail)
        }
        let request = PickerRequest(heading: title, items: items)
        mode = .choosing(choice, PickerState(request, selected: index))
    }

    mutating func take(_ key: PanelKey) -> Action {
        if key == .interrupt { return .interrupt }
        switch mode {
        case .listening: return listen(key)
        case .help:
            mode = .listening
            return .none
        case .typing(let entry, let text): return type(key, entry, text)
        case .choosing(let choice, let picker): return choose(key, choice, picker)
        }
    }

    private mutating func listen(_ key: PanelKey) -> Action {
        switch key {
        case .enter, .character(" "): return .togglePause
        case .right, .down: return .segments(1)
        case .left, .up: return .segments(-1)
        case .pageDown: return .chapters(1)
        case .pageUp: return .chapters(-1)
        case .home: return .go(.segment(1))
        case .escape: return hasBackground ? .background : .stop
        case .character(let character): return letter(character)
        default: return .none
        }
    }

    private mutating func letter(_ character: Character) -> Action {
        switch character {
        case "]": return .chapters(1)
        case "[": return .chapters(-1)
        case "+", "=": return .rate(1)
        case "-", "_": return .rate(-1)
        case "n": return .findNext
        case "b": return .bookmark
        case "w": return .offer(.speaker)
        case "v": return .offer(.voice)
        case "&": return hasBackground ? .background : .say("There is no prompt to go back to.")
        case "s", "q": return .stop
        case "g": mode = .typing(.place, "")
        case "/": mode = .typing(.text, "")
        case "t": mode = .typing(.sleep, "")
        case "?", "h": mode = .help
        default: break
        }
        return .none
    }

    // MARK: - Typing

    private mutating func type(_ key: PanelKey, _ entry: Entry, _ text: String) -> Action {
        switch key {
        case .escape: mode = .listening
        case .backspace:
            // Backspace in an empty entry leaves it.
            mode = text.isEmpty ? .listening : .typing(entry, String(text.dropLast()))
        case .clear: mode = .typing(entry, "")
        case .character(let character) where text.count < Self.longestEntry:
            mode = .typing(entry, text + String(character))
        case .enter:
            mode = .listening
            let wanted = text.trimmingSpace()
            if wanted.isEmpty { return .none }
            if entry == .text { return .find(wanted) }
            if entry == .sleep { return .sleep(wanted) }
            return Self.place(wanted).map(Action.go)
                ?? .say("A segment or a percentage: 12, or 40 %.")
        default: break
        }
        return .none
    }

    /// "12", "40%", "40 %"
    static func place(_ text: String) -> Destination? {
        guard text.hasSuffix("%") else {
            return Int(text).flatMap { $0 > 0 ? .segment($0) : nil }
        }
        let number = String(text.dropLast()).trimmingSpace()
        guard let percent = Double(number), (0...100).contains(percent) else { return nil }
        return .percent(percent)
    }

    // MARK: - Choosing

    private mutating func choose(
        _ key: PanelKey, _ choice: Choice, _ picker: PickerState
    ) -> Action {
        var picker = picker
        if key == .character(" "), choice == .voice {
            guard picker.items.indices.contains(picker.selected) else { return .none }
            return Int(picker.items[picker.selected].id).map(Action.preview) ?? .none
        }
        guard picker.take(key, on: ScreenSize()) == .done else {
            mode = .choosing(choice, picker)
            return .none
        }
        mode = .listening
        return picker.picked.flatMap { Int($0) }.map { .choose(choice, $0) } ?? .none
    }
}
