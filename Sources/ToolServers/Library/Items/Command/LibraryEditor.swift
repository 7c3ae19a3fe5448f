import AgentCore
import Base
import Persistence

/// Changes an item's text, from the user's editor or from a script, without losing any:
///
///     unchanged               no revision
///     empty                   a question; never deleted
///     the editor failed       the text stays in its file, which is named
///     a key was typed in      refused, and the text stays in its file as well
///     changed elsewhere       kept as a revision beside the other change
package struct LibraryEditor: Sendable {
    private let store: LibraryStore
    /// The item with its id, as the command that is used calls it: `s3 Alice`.
    private let name: @Sendable (LibraryItem) -> String
    /// Updates data that depends on the text, such as places in it.
    private let follow: @Sendable (_ change: inout ItemChange, _ item: LibraryItem) -> Void

    package init(
        store: LibraryStore, name: @escaping @Sendable (LibraryItem) -> String = ItemTable.name,
        follow: @escaping @Sendable (_ change: inout ItemChange, _ item: LibraryItem) -> Void = {
            _, _ in
        }
    ) {
        self.store = store
        self.name = name
        self.follow = follow
    }

    /// Opens the text in the user's editor.
    /// - Throws: `ToolError.failed` with the file's path if the editor failed;
    ///   errors of `LibraryStore.change`.
    package func edit(
        _ item: LibraryItem, _ interaction: Interaction
    ) async throws -> CommandOutput {
        switch await interaction.edit(item.body, "\(item.id).md") {
        case .unchanged: return unchanged(item)
        case .holdsKey(let path): throw KeyNotKept(path: path)
        case .failed(let sentence): throw ToolError.failed("Nothing was changed: \(sentence)")
        case .changed(let text):
            return try await apply(ItemChange(body: text), to: item, interaction)
        }
    }

    /// - Parameters:
    ///   - item: its state when the change was begun.
    ///   - origin: who wrote the new text.
    package func apply(
        _ change: ItemChange, to item: LibraryItem, by origin: RevisionOrigin = .user,
        _ interaction: Interaction
    ) async throws -> CommandOutput {
        var change = change
        follow(&change, item)
        if let body = change.body {
            if KeyShape.isFound(in: body), !KeyShape.isFound(in: item.body) { throw KeyNotKept() }
            if body.trimmingSpace().isEmpty, !item.body.trimmingSpace().isEmpty {
                let isMeant = await interaction.confirm(
                    "The text is empty.", "Empty \(name(item))? (It is not deleted.)")
                guard isMeant else {
                    return CommandOutput(
                        lines: [
                            StyledLine("The text is empty: \(item.id) is unchanged.", .warning),
                            StyledLine(
                                "chat library delete \(item.id) moves it to the trash.", .hint),
                        ], outcome: .refused)
                }
            }
            // A title made from the text is updated with it. A prompt's title is the name used to
            // call it.
            if change.title == nil, item.kind != .prompt,
                ItemTitle.isMade(item.title, of: item.body)
            {
                let title = ItemTitle.of(body)
                if !title.isEmpty { change.title = title }
            }
        }
        switch try await store.change(item.id, change, basedOn: item.revision, by: origin) {
        case .unchanged(let item): return unchanged(item)
        case .changed(let item):
            return CommandOutput(
                lines: [
                    StyledLine([
                        .init("✓ edited: \(name(item))", .success),
                        .init(" · revision \(item.revision) · /undo", .hint),
                    ])
                ], json: .array([ItemTable.json(item)]))
        case .conflict(let now, let kept):
            return CommandOutput(
                lines: [
                    StyledLine(
                        "\(name(now)) was changed elsewhere in the meantime; that "
                            + "left it.", .warning),
                    StyledLine(
                        "Your text is revision \(kept.number): chat library restore \(now.id) "
                            + "--revision \(kept.number)", .hint),
                ], json: .array([ItemTable.json(now)]), outcome: .degraded)
        }
    }

    private func unchanged(_ item: LibraryItem) -> CommandOutput {
        CommandOutput(
            lines: [StyledLine("Nothing changed: \(name(item))", .dim)],
            json: .array([ItemTable.json(item)]))
    }
}
