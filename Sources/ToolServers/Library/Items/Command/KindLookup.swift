import Base
import Persistence

/// Finds items of one kind by what users call them: `s3`, `i3`, `3`, `last`, a part of the
/// title.
package struct KindLookup: Sendable {
    package let library: LibraryStore
    package let kind: ItemKind

    package init(_ kind: ItemKind, in library: LibraryStore) {
        self.library = library
        self.kind = kind
    }

    /// - Parameter isTrashed: nil searches the trash as well.
    /// - Throws: `KindLookupError`.
    package func find(_ words: String, isTrashed: Bool? = false) async throws -> LibraryItem {
        let filter = ItemFilter(kinds: [kind], isTrashed: isTrashed ?? false)
        var found = try await library.matches(words, in: filter)
        if found.isEmpty, isTrashed == nil {
            found = try await library.matches(words, in: ItemFilter(kinds: [kind], isTrashed: true))
        }
        guard let first = found.first else {
            if let id = ItemID(words), let item = try await library.item(id) {
                throw KindLookupError(
                    item.kind == kind ? .inTrash(id) : .otherKind(id, item.kind), kind)
            }
            throw KindLookupError(.notFound(words), kind)
        }
        guard found.count == 1 else {
            throw KindLookupError(.ambiguous(words, candidates: found.prefix(5).map(name)), kind)
        }
        return first
    }

    /// Each argument is one item if all of them are ids; otherwise together they are a title.
    package func items(_ words: [String]) async throws -> [LibraryItem] {
        let isTitle = words.contains { ItemID($0) == nil && $0 != "last" }
        var items: [LibraryItem] = []
        for query in isTitle ? [words.joined(separator: " ")] : words {
            let item = try await find(query)
            if !items.contains(where: { $0.id == item.id }) { items.append(item) }
        }
        return items
    }

    /// `s3`.
    package func id(_ id: ItemID) -> String { kind.id(id) }

    /// `s3 Alice in Wonderland`, for sentences.
    package func name(_ item: LibraryItem) -> String {
        "\(kind.id(item.id)) \(DisplayWidth.cut(ItemTable.title(item), to: 64))"
    }
}

/// The reason why no item of a kind was found.
package struct KindLookupError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case notFound(String)
        case ambiguous(String, candidates: [String])
        case inTrash(ItemID)
        case otherKind(ItemID, ItemKind)
    }

    package var reason: Reason
    package var kind: ItemKind

    package init(_ reason: Reason, _ kind: ItemKind) {
        self.reason = reason
        self.kind = kind
    }
}

extension KindLookupError: DescribedError {
    package var diagnostic: Diagnostic { sentence.namingCommands }

    /// The manual's word for it.
    private var noun: String { kind == .memory ? "note" : "\(kind)" }

    private var sentence: Diagnostic {
        switch reason {
        case .notFound(let words):
            Diagnostic(
                "No \(noun) is called \"\(KeyShape.shown(words.oneLine))\".",
                todo: "chat \(kind) list shows what there is.")
        case .ambiguous(let words, let candidates):
            Diagnostic(
                "\"\(KeyShape.shown(words.oneLine))\" matches several: "
                    + candidates.joined(separator: ", ") + ".",
                todo: "Use its id: "
                    + "chat \(kind) show \(candidates.first?.prefix { $0 != " " } ?? "")")
        case .inTrash(let id):
            Diagnostic(
                "\(kind.id(id)) is in the trash.",
                todo: "chat library restore \(kind.id(id)) brings it back.")
        case .otherKind(let id, let other):
            Diagnostic(
                "\(id) is not a \(noun): its kind is \(other.rawValue.oneLine).",
                todo: "chat library show \(id)")
        }
    }
}
