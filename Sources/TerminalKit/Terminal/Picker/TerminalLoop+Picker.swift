import Glibc

/// The result of a picker.
enum PickerAnswer: Sendable {
    case done(String?)
    /// This terminal cannot move its cursor.
    case noCursor
}

/// The picker's part of the loop: draws below the existing text, waits for keys, signals,
/// output and search results, and leaves the screen as it was.
extension TerminalLoop {
    /// Seconds after which a running search is reported.
    private static let patience = 0.5

    func pick(_ state: PickerState, _ search: PickerSearch?) -> PickerAnswer {
        guard found != nil, editor != nil else { return .noCursor }
        return .done(choose(state, search))
    }

    /// Starts in an empty row; also while a prompt is open, whose line is off the screen
    /// meanwhile.
    func choose(_ state: PickerState, _ search: PickerSearch? = nil) -> String? {
        guard !isLeaving, !hasInputEnded else { return nil }
        if !output.isAtLineStart { output.write("\n") }
        let before = activity
        activity = .picking
        interrupts = 0
        picker = PickerOnScreen(state: state)
        defer {
            erasePicker()
            picker = nil
            activity = before
            interrupts = 0
        }
        var asked: (number: Int, end: Double)?
        var action = picker?.state.begin() ?? .done(id: nil)
        while true {
            switch action {
            case .done(let id): return id
            case .draw: drawPicker()
            case .none: break
            case .search(let number, let query):
                asked = (number, uptime + Self.patience)
                search?.ask(query, number: number)
                drawPicker()
            }
            guard let next = nextPickerAction(search, &asked) else { return nil }
            action = next
        }
    }

    /// Waits for the next key or search result; nil when the picker is over without an answer.
    private func nextPickerAction(
        _ search: PickerSearch?, _ asked: inout (number: Int, end: Double)?
    ) -> PickerState.Action? {
        if isLeaving || hasInputEnded || interrupts > 0 || isAskedToClose() { return nil }
        // Typed before the prompt from which the picker was opened.
        if !replayed.isEmpty { return pickerAction(for: replayed.removeFirst()) }
        if let key = keys.next() { return pickerAction(for: key) }
        for result in search?.takeResults() ?? [] {
            let action =
                result.items.map { picker?.state.take(found: $0, for: result.number) }
                ?? picker?.state.take(failure: "The search failed.", for: result.number)
            if let action, action != .none {
                asked = nil
                return action
            }
        }
        if let question = asked, uptime >= question.end {
            asked = nil
            return picker?.state.noteSlow(question.number)
        }
        let rest = asked.map { max(0, Int32(($0.end - uptime) * 1_000) + 1) } ?? -1
        let events = nextEvent(for: &keys, timeout: rest)
        if events.contains(.woken) {
            takeNews(printAbovePicker)
        }
        if events.contains(.input) { keys.feed(readInput()) }
        return PickerState.Action.none
    }

    private func pickerAction(for key: Key) -> PickerState.Action? {
        guard key == .character("\u{1A}") else { return picker?.state.take(key) }
        suspend(isGroup: true)
        return PickerState.Action.none
    }

    // MARK: The screen

    func drawPicker() {
        let size = pickerSize
        guard var picker else { return }
        let view = PickerView(
            &picker.state, columns: size.columns - (options.style.usesUnicode ? 0 : 8),
            rows: size.rows)
        output.write(
            picker.screen.draw(
                view.lines, row: view.row, column: view.column, options.style))
        self.picker = picker
    }

    /// Erases the picker; the cursor is where it began.
    func erasePicker() {
        guard !isLeaving, let bytes = picker?.screen.erase(columns: pickerSize.columns) else {
            return
        }
        output.write(bytes)
        output.noteLineStart(true)
    }

    private func printAbovePicker(_ bytes: [UInt8]) {
        erasePicker()
        output.write(bytes)
        if !output.isAtLineStart { output.write("\n") }
        drawPicker()
    }

    private var pickerSize: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(options.output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

/// A picker that is open.
struct PickerOnScreen {
    var state: PickerState
    var screen = ScreenArea()
}
