import Base
import Synchronization

/// Runs a screen until it ends: draws it in a panel, passes keys to it, has the caller perform its
/// effects, and draws it again. Without a cursor it prints the screen's listing and reads lines.
/// Effects are performed one at a time; other tasks may change the screen meanwhile (`update`).
package final class PanelRunner<Screen: PanelScreen>: Sendable {
    private struct State {
        var screen: Screen
        var panel: TerminalPanel?
        /// Keys pressed while an effect ran.
        var early: [PanelKey] = []
    }

    private let place: PanelPlace?
    private let state: Mutex<State>
    /// Whether there is no cursor: nothing is drawn, and answers are lines.
    package let readsLines: Bool

    /// - Parameter place: nil if lines are never read.
    package init(_ screen: Screen, on panel: TerminalPanel?, at place: PanelPlace? = nil) {
        state = Mutex(State(screen: screen, panel: panel))
        self.place = place
        readsLines = panel == nil
        update { _ in }
    }

    package convenience init(_ screen: Screen, at place: PanelPlace) async {
        self.init(screen, on: await place.openPanel(), at: place)
    }

    package var screen: Screen { state.withLock { $0.screen } }

    /// Changes the screen and shows it.
    @discardableResult
    package func update<Value: Sendable>(_ change: (inout Screen) -> Value) -> Value {
        state.withLock { state in
            let value = change(&state.screen)
            // Inside the lock, so that the latest state is shown.
            let screen = state.screen
            state.panel?.show(screen)
            return value
        }
    }

    /// - Parameters:
    ///   - before: called before each line is read, if lines are read.
    ///   - perform: performs an effect; a returned ending ends the screen.
    /// - Returns: nil at the end of the input, when nothing more can be shown, and when the task is
    ///   cancelled. The screen is then as it was before.
    /// - Throws: errors of the closures; `CancellationError` for Ctrl-C if lines are read.
    package func run<Ending>(
        before: () async throws -> Void = {},
        _ perform: (Screen.Effect) async throws -> Ending?
    ) async throws -> Ending? {
        do {
            while let effect = readsLines
                ? try await answered(before) : await pressed()
            {
                guard let ending = try await perform(effect) else { continue }
                await close()
                return ending
            }
        } catch {
            await close()
            throw error
        }
        await close()
        return nil
    }

    private func pressed() async -> Screen.Effect? {
        while let key = await nextKey() {
            // The panel gets its size only when it is drawn; the keys need it before.
            let size = place?.size() ?? ScreenSize()
            if let effect = update({ $0.take(key, on: size) }) { return effect }
        }
        return nil
    }

    private func nextKey() async -> PanelKey? {
        let (early, panel) = state.withLock { state in
            (state.early.isEmpty ? nil : state.early.removeFirst(), state.panel)
        }
        if let early { return early }
        return await panel?.nextKey()
    }

    private func answered(_ before: () async throws -> Void) async throws -> Screen.Effect? {
        guard let place else { return nil }
        while true {
            try await before()
            let lines = update { $0.listing(width: place.size().columns - 1) }
            if !lines.isEmpty { await place.say(lines) }
            guard let line = try await place.readLine(screen.question) else { return nil }
            try Task.checkCancellation()
            if let effect = update({ $0.take(line: line) }) { return effect }
        }
    }

    // MARK: Called by effects

    /// Acts as if this key were pressed next.
    package func press(_ key: PanelKey) { state.withLock { $0.panel }?.press(key) }

    /// Runs a body while the screen is visible: Esc and Ctrl-C cancel it, and so does the end of
    /// the panel.
    ///
    /// - Parameter keepsKeys: whether other keys are handled afterwards by the screen; otherwise
    ///   they are kept for the next prompt.
    package func working<Value: Sendable>(
        keepsKeys: Bool = false, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        let work = Task { try await body() }
        let panel = state.withLock { $0.panel }
        panel?.passTyping(!keepsKeys)
        let watch = Task { () -> [PanelKey] in
            guard let panel else { return [] }
            var early: [PanelKey] = []
            while let key = await panel.nextKey() {
                if key == .escape || key == .interrupt {
                    work.cancel()
                } else if keepsKeys {
                    early.append(key)
                }
            }
            // Off the screen: the result is not needed.
            if !Task.isCancelled { work.cancel() }
            return early
        }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        watch.cancel()
        let early = await watch.value
        panel?.passTyping(false)
        state.withLock { $0.early += early }
        return result
    }

    /// Runs a body that uses the terminal itself: the screen disappears meanwhile and returns, if
    /// the terminal still exists.
    package func outside<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        guard !readsLines else { return try await body() }
        await close()
        let value: Value
        do {
            value = try await body()
        } catch {
            await reopen()
            throw error
        }
        await reopen()
        return value
    }

    private func reopen() async {
        let panel = await place?.openPanel()
        state.withLock { $0.panel = panel }
        update { _ in }
    }

    private func close() async {
        let panel = state.withLock { state in
            defer { state.panel = nil }
            return state.panel
        }
        await panel?.close()
    }
}
