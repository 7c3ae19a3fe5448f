import Base

/// Lets the user pick one of many items: in a panel or, without a cursor, from a numbered list.
/// Runs the searches: only the latest query counts, earlier ones are cancelled.
extension TerminalSession {
    /// The id of the picked item; nil for Esc, Ctrl-C, Ctrl-D and the end of the input.
    /// Waits while a prompt is open.
    package func pick(_ request: PickerRequest, _ environment: Environment) async -> String? {
        let place = PanelPlace(self, Style(usesColor: false, usesUnicode: true))
        let runner = await PanelRunner(PickerState(request), at: place)
        var searches: [Task<Void, Never>] = []
        let perform = { (effect: PickerState.Effect) async -> Bool? in
            guard case .search(let number, let query) = effect, let search = request.search
            else { return true }
            searches.last?.cancel()
            let task = Task {
                await runner.find(number, environment) { try await search(query) }
            }
            searches.append(task)
            if runner.readsLines { await task.value }
            return nil
        }
        if let first = runner.update({ $0.begin() }) { _ = await perform(first) }
        // Ctrl-C, if lines are read, picks nothing.
        _ = try? await runner.run(perform)
        for task in searches {
            task.cancel()
            await task.value
        }
        return runner.screen.picked
    }
}

extension PanelRunner<PickerState> {
    /// Shows the result of a search, and reports one that takes long.
    fileprivate func find(
        _ number: Int, _ environment: Environment,
        _ search: @Sendable () async throws -> [PickerItem]
    ) async {
        let slow = Task {
            try await environment.sleep(.milliseconds(500))
            update { $0.noteSlow(number) }
        }
        defer { slow.cancel() }
        let found: [PickerItem]?
        do { found = try await search() } catch is CancellationError { return } catch {
            found = nil
        }
        if update({ $0.take(found: found, for: number) }) { press(.enter) }
    }
}
