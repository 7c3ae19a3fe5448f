import Base

/// Shows a list on the terminal until it is left: draws it in a panel, brings
/// keys to it, runs the actions, and gives the terminal away where one needs
/// it. On a terminal without a cursor it is numbered rows and a line for the
/// answer (`ItemListPrompt`). It owns no rows: actions return what there is.
package struct ItemListPanel: Sendable {
    private let list: ItemList
    private let style: Style
    private let environment: Environment

    /// An action that takes longer is mentioned.
    private static let patience = Duration.milliseconds(300)

    package init(_ list: ItemList, style: Style, environment: Environment) {
        self.list = list
        self.style = style
        self.environment = environment
    }

    /// Returns when it was left, at the end of the input, and when the program
    /// was asked to end; then the screen is as it was.
    package func run(on terminal: TerminalSession) async -> ItemList.Ending {
        guard var panel = await terminal.openPanel() else {
            return await ItemListPrompt(list: list, style: style).run(on: terminal)
        }
        var state = ItemListState(list)
        var keys: [PanelKey] = []
        var action = ItemListState.Action.draw
        while true {
            switch action {
            case .none, .cancel: break
            case .draw: show(state, on: panel)
            case .leave:
                await panel.close()
                return .left
            case .open(let id):
                action = await open(id, &state, panel, &keys)
                continue
            case .run(let key, let id):
                guard let wanted = list.actions.first(where: { $0.key == key }) else { break }
                switch wanted.kind {
                case .leaves:
                    await panel.close()
                    return .chosen(key: key, id: id)
                case .inPlace:
                    action = await run(wanted, id, &state, panel, &keys)
                case .takesTerminal:
                    await panel.close()
                    let result = await Self.result { try await wanted.run(id) }
                    guard let next = await terminal.openPanel() else { return .left }
                    panel = next
                    action = Self.take(result, &state)
                }
                continue
            }
            guard let key = keys.isEmpty ? await panel.nextKey() : keys.removeFirst() else {
                await panel.close()
                return .left
            }
            action = state.take(key, terminal.size)
        }
    }

    private func show(_ state: ItemListState, on panel: TerminalPanel) {
        panel.show(fitting: { ItemListView(state, $0).lines })
    }

    // MARK: Actions

    private func open(
        _ id: String, _ state: inout ItemListState, _ panel: TerminalPanel,
        _ keys: inout [PanelKey]
    ) async -> ItemListState.Action {
        guard let document = list.document else { return state.fail(StyledLine("")) }
        let result = await watched(state, panel, &keys) { try await document(id) }
        switch result {
        case .success(let document): return state.show(document, of: id)
        case .failure(let error): return state.fail(Self.words(error))
        }
    }

    private func run(
        _ action: ItemList.Action, _ id: String?, _ state: inout ItemListState,
        _ panel: TerminalPanel, _ keys: inout [PanelKey]
    ) async -> ItemListState.Action {
        Self.take(await watched(state, panel, &keys) { try await action.run(id) }, &state)
    }

    private static func take(
        _ result: Result<ItemList.Update, any Error>, _ state: inout ItemListState
    ) -> ItemListState.Action {
        switch result {
        case .success(let update): state.take(update)
        case .failure(let error): state.fail(words(error))
        }
    }

    /// Runs it while keys are read: Esc and Ctrl-C cancel it, and so does the
    /// end of the panel. Others wait until it is over.
    private func watched<Value: Sendable>(
        _ state: ItemListState, _ panel: TerminalPanel, _ keys: inout [PanelKey],
        _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        let work = Task { try await body() }
        let slow = Task { [environment] in
            try await environment.sleep(Self.patience)
            var state = state
            state.noteSlow()
            show(state, on: panel)
        }
        let watch = Task {
            var early: [PanelKey] = []
            var state = state
            while let key = await panel.nextKey() {
                if state.take(key, ScreenSize()) == .cancel {
                    work.cancel()
                } else {
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
        slow.cancel()
        watch.cancel()
        // What is drawn next must not be drawn over by it.
        _ = await slow.result
        keys += await watch.value
        return result
    }

    static func result<Value>(
        _ body: () async throws -> Value
    ) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    static func words(_ error: any Error) -> StyledLine {
        let diagnostic = Diagnostic(of: error)
        let todo = diagnostic.todo.map { " \($0)" } ?? ""
        return StyledLine(diagnostic.what + todo, .warning)
    }
}

extension TerminalSession {
    /// Gives the terminal, as it was found, to another program and takes it back.
    package func lend<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows
        -> Value
    {
        await release()
        do {
            let value = try await body()
            await reclaim()
            return value
        } catch {
            await reclaim()
            throw error
        }
    }
}
