import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Library
import Persistence
import TerminalKit

/// The interactive list of items, on a terminal: `/library` without a verb, `/letters`, and `chat
/// idea list`. Its keys act like the commands of the same name.
struct LibraryPanel: Sendable {
    let services: Services
    let terminal: TerminalSession
    let style: Style
    /// The editor and the question, for editing an item.
    let interaction: Interaction
    /// `/ideas` and `/letters`: only this kind, in saved order.
    var kind: ItemKind?
    /// Grammar of the place, for hints.
    var grammar = CommandGrammar.prompt

    /// Maximum number of rows; `library list` and `search` have no such limit.
    static let limit = 1_000
    /// Number of characters of a body that `/` searches.
    private static let searched = 2_000

    private var store: LibraryStore { services.library }

    func run() async throws {
        let rows = try await rows()
        let count = try await store.count(ItemFilter(kinds: kinds))
        let (name, emptyText) =
            switch kind {
            case ItemKind.idea: ("Ideas", "No ideas are kept yet: /idea has some.")
            case ItemKind.letter: ("Letters", "No letters yet: /letter new writes one.")
            default: ("Library", "Nothing is kept yet: /keep keeps an answer.")
            }
        let list = ItemList(
            heading: count > rows.count
                ? "\(name), the latest of \(Quantities.grouped(count))" : name,
            rows: rows, emptyText: emptyText,
            actions: [edit, delete, undo], document: { try await document($0) })
        _ = await ItemListPanel(list, style: style, environment: services.environment)
            .run(on: terminal)
    }

    // MARK: - Rows

    private var kinds: [ItemKind] { kind.map { [$0] } ?? [] }

    private func rows() async throws -> [ItemList.Row] {
        let now = services.environment.now()
        let filter = ItemFilter(
            kinds: kinds, order: kind == nil ? .latestChange : .newest, limit: Self.limit)
        var items = try await store.items(filter, bodyLimit: Self.searched)
        if kind == .idea { items.reverse() }
        return items.map { item in
            let tags = item.tags.map { "#" + $0 }.joined(separator: " ")
            let age = Quantities.ago(item.updated, now: now)
            let shown = (kind ?? .idea).id(item.id)
            return ItemList.Row(
                id: "\(item.id)",
                lead: [.init(shown, .accent), .init(item.kind.rawValue, .dim)],
                title: ItemTable.title(item), detail: tags.isEmpty ? age : "\(age)  \(tags)",
                searchText: "\(tags) \(item.body)")
        }
    }

    private func document(_ id: String) async throws -> ItemList.Document {
        let item = try await item(id)
        return ItemList.Document(
            title: ItemTable.title(item),
            facts: ItemTable.facts(item, now: services.environment.now()), text: item.body)
    }

    private func item(_ id: String) async throws -> LibraryItem {
        guard let id = ItemID(id) else { throw ToolError.noMatch(query: id) }
        return try await store.liveItem(id)
    }

    // MARK: - Keys

    private var edit: ItemList.Action {
        ItemList.Action("e", "edit", .takesTerminal) { id in
            guard let id else { return ItemList.Update() }
            // Output that is too long for a line of the list, such as the path of a text, is
            // printed above it.
            let elsewhere = StyledLine("What happened is shown above the list.", .dim)
            do {
                var output = try await LibraryEditor(store: store).edit(item(id), interaction)
                if output.lines.count > 1 {
                    await show(output.lines.map(\.indented))
                    output.lines = [elsewhere]
                }
                return try await update(output, selected: id)
            } catch {
                await show(services.diagnostics.describe(error).lines)
                return ItemList.Update(message: elsewhere)
            }
        }
    }

    private var delete: ItemList.Action {
        ItemList.Action("d", "delete") { id in
            guard let id = id.flatMap({ ItemID($0) }) else { return ItemList.Update() }
            let gone = try await store.trash([id])
            let names = gone.map(ItemTable.name).joined(separator: ", ")
            return ItemList.Update(
                rows: try await rows(),
                message: StyledLine([
                    .init("✓ deleted: \(names)", .success), .init(" · u takes it back", .dim),
                ]))
        }
    }

    /// Undoes the latest change of items, starting with this session's.
    private var undo: ItemList.Action {
        ItemList.Action("u", "undo", needsRow: false) { _ in
            let history = UndoHistory([LibraryUndoSource(store)])
            let step = try await history.entries(undone: false, limit: 1).first?.step
            var output = try await UndoCommand(history, environment: services.environment)
                .step("", verb: UndoCommand.defaultVerb)
            // The next undo step does not matter here.
            output.lines = Array(output.lines.prefix(1))
            return try await update(output, selected: step?.subject)
        }
    }

    private func show(_ lines: [StyledLine]) async {
        await terminal.write(grammar.lines(lines).flatMap { style.bytes($0) })
    }

    private func update(
        _ output: CommandOutput, selected: String? = nil
    ) async throws -> ItemList.Update {
        ItemList.Update(
            rows: try await rows(), message: grammar.lines(output.lines).first,
            selected: selected)
    }
}
