import Base

/// Shows a list on the terminal until the user leaves, runs the actions, and lends the terminal to
/// those that need it. It does not own the rows: actions return them.
package struct ItemListPanel: Sendable {
    private let list: ItemList
    private let style: Style
    private let environment: Environment

    /// Time after which a running action is shown as running.
    private static let patience = Duration.milliseconds(300)

    package init(_ list: ItemList, style: Style, environment: Environment) {
        self.list = list
        self.style = style
        self.environment = environment
    }

    /// Returns when the user leaves, at the end of the input, or when the program has to end; the
    /// screen is then as it was before.
    package func run(on terminal: TerminalSession) async -> ItemList.Ending {
        let runner = await PanelRunner(ItemListState(list), at: PanelPlace(terminal, style))
        // Only Ctrl-C at a line is thrown, which leaves the list.
        let ending = try? await runner.run { await perform($0, runner) }
        return ending.flatMap { $0 } ?? .left
    }

    private func perform(
        _ effect: ItemListState.Effect, _ runner: PanelRunner<ItemListState>
    ) async -> ItemList.Ending? {
        switch effect {
        case .leave: return .left
        case .open(let id):
            guard let document = list.document else { return nil }
            switch await watched(runner, { try await document(id) }) {
            case .success(let document): runner.update { $0.show(document, of: id) }
            case .failure(let error): runner.update { $0.fail(Self.words(error)) }
            }
            return nil
        case .run(let key, let id):
            guard let action = list.actions.first(where: { $0.key == key }) else { return nil }
            let result: Result<ItemList.Update, any Error>
            switch action.kind {
            case .leaves: return .chosen(key: key, id: id)
            case .inPlace: result = await watched(runner) { try await action.run(id) }
            case .takesTerminal:
                result = await runner.outside {
                    do { return .success(try await action.run(id)) } catch {
                        return .failure(error)
                    }
                }
            }
            switch result {
            case .success(let update):
                let next = runner.update { $0.take(update) }
                if let next { return await perform(next, runner) }
            case .failure(let error): runner.update { $0.fail(Self.words(error)) }
            }
            return nil
        }
    }

    /// Runs the body while keys are read, and shows that it is running if it takes long.
    private func watched<Value: Sendable>(
        _ runner: PanelRunner<ItemListState>, _ body: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        let slow = Task { [environment] in
            try await environment.sleep(Self.patience)
            runner.update { $0.noteSlow() }
        }
        let result = await runner.working(keepsKeys: true, body)
        slow.cancel()
        return result
    }

    static func words(_ error: any Error) -> StyledLine {
        let diagnostic = Diagnostic(of: error)
        let todo = diagnostic.todo.map { " \($0)" } ?? ""
        return StyledLine(diagnostic.what + todo, .warning)
    }
}

extension TerminalSession {
    /// Lends the terminal, in its original mode, to another program and takes it back.
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
