import Base
import Foundation
import Synchronization

@testable import TerminalKit

/// Items that tests list, change and delete.
final class ListedItems: Sendable {
    struct Item: Sendable { var id, kind, title, body, age: String }

    static let usual = [
        Item(
            id: "i12", kind: "idea", title: "A clock that rings tomorrow",
            body: "Rings **once**.\n\nThen it is quiet.", age: "2 days ago"),
        Item(
            id: "i9", kind: "draft", title: "日本語の手紙を書くための計画を立てる 👩‍👩‍👧 and more of it to cut",
            body: String(repeating: "漢字かな and some words. ", count: 30), age: "3 days ago"),
        Item(
            id: "i3", kind: "transcript", title: "evil\u{1B}[2J title", body: "\u{7}bell", age: ""),
    ]

    private let state: Mutex<(items: [Item], deleted: [Item])>

    init(_ items: [Item] = usual) { state = Mutex((items, [])) }

    var rows: [ItemList.Row] {
        state.withLock(\.items).map { item in
            ItemList.Row(
                id: item.id, lead: [.init(item.id, .dim), .init(item.kind, .dim)],
                title: item.title, detail: item.age, searchText: item.body)
        }
    }

    private func update(_ words: String) -> ItemList.Update {
        ItemList.Update(rows: rows, message: StyledLine(words, .dim))
    }

    struct Trouble: DescribedError {
        var diagnostic: Diagnostic { Diagnostic("It cannot be done.", todo: "Try another.") }
    }

    func list(
        edit: @escaping @Sendable (String) async throws -> String = { $0 }
    ) -> ItemList {
        ItemList(
            heading: "Library", rows: rows, emptyText: "Nothing kept yet.",
            actions: [
                ItemList.Action("e", "edit", .takesTerminal) { id in
                    let title = try await edit(id ?? "")
                    self.state.withLock { state in
                        for index in state.items.indices where state.items[index].id == id {
                            state.items[index].title = title
                        }
                    }
                    return self.update("Edited \(id ?? "").")
                },
                ItemList.Action("d", "delete") { id in
                    self.state.withLock { state in
                        state.deleted += state.items.filter { $0.id == id }
                        state.items.removeAll { $0.id == id }
                    }
                    return self.update("Deleted \(id ?? ""). u brings it back.")
                },
                ItemList.Action("u", "undo", needsRow: false) { _ in
                    let back = try self.state.withLock { state in
                        guard let item = state.deleted.popLast() else { throw Trouble() }
                        state.items.insert(item, at: 0)
                        return item.id
                    }
                    var update = self.update("Restored \(back).")
                    update.selected = back
                    return update
                },
            ],
            document: { id in
                guard let item = self.state.withLock({ $0.items.first { $0.id == id } }) else {
                    throw Trouble()
                }
                return ItemList.Document(
                    title: "\(item.id)  \(item.title)", facts: "\(item.kind) · \(item.age)",
                    text: item.body)
            })
    }
}
