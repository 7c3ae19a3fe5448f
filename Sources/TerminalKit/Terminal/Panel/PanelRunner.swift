import Base
import Synchronization

/// Runs a screen until it is over: draws it in a panel, reads its keys, has done what
/// they ask for, and draws it again. Where there is no cursor it prints the screen's
/// listing and reads lines. What is to be done is up to the caller, one effect after the
/// other; other tasks may change the screen meanwhile (`update`).
package final class PanelRunner<Screen: PanelScreen>: Sendable {
    private struct State {
        var screen: Screen
        var panel: TerminalPanel?
        /// Pressed while something else ran.
        var early: [PanelKey] = []
    }

    private let place: PanelPlace?
    private let state: Mutex<State>
    /// There is no cursor: nothing is drawn, and answers are lines.
    package let readsLines: Bool

    /// - Parameter place: nil without a place for lines.
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
            // In the lock: the latest one is what is seen.
            let screen = state.screen
            state.panel?.show(fitting: { screen.lines(on: $0) })
            return value
        }
    }

    /// - Parameters:
    ///   - before: done before each line is read, where lines are read.
    ///   - perform: what an effect does; an ending ends the screen.
    /// - Returns: nil at the end of the input, when nothing can be shown any more, and
    ///   when the task is cancelled. The screen is as it was.
    /// - Throws: what these throw; `CancellationError` for Ctrl-C where lines are read.
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
            // The panel has its size when it is drawn; the keys need it before.
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

    // MARK: For what an effect does

    /// As if this key had been pressed next.
    package func press(_ key: PanelKey) { state.withLock { $0.panel }?.press(key) }

    /// Works while the screen is seen: Esc and Ctrl-C cancel it, and so does the end of
    /// the panel.
    ///
    /// - Parameter keepsKeys: other keys count when it is over; else they are kept for
    ///   the next prompt.
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
            // Off the screen: its result is not needed.
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

    /// Does something that needs the terminal itself: the screen makes room and comes
    /// back, if there is still a terminal to come back to.
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
