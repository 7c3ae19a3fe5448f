import Base
import ICalendar

/// Short unique ids for the items of a listing: lists and questions show them,
/// and `ItemMatcher` finds items by them. Pure.
///
///     4f1c9a02                 the start of the UID, as long as no other has it
///     8b22d90c                 of `8b22d90c~4f1c9a02-…`: a UID that is in several
///                              files has a mark of its file before it
package struct ItemIDs: Sendable {
    private var twins: Set<String> = []
    private var short: [String: String] = [:]

    private static let shortest = 8

    package init(_ items: some Sequence<some ItemInFile>) {
        var files: [String: String] = [:]
        for item in items {
            if let other = files.updateValue(item.path, forKey: item.uid), other != item.path {
                twins.insert(item.uid)
            }
        }
        let ids = Set(items.map(full)).sorted()
        func shared(_ left: Int, _ right: Int) -> Int {
            guard ids.indices.contains(left), ids.indices.contains(right) else { return 0 }
            return zip(ids[left], ids[right]).prefix { $0 == $1 }.count
        }
        for (index, id) in ids.enumerated() {
            let length = max(
                Self.shortest, shared(index - 1, index) + 1, shared(index, index + 1) + 1)
            // An untrusted id may contain line breaks; `ItemMatcher` folds them alike.
            short[id] = String(id.prefix(length)).oneLine
        }
    }

    package func full(_ item: some ItemInFile) -> String {
        guard twins.contains(item.uid) else { return item.uid }
        // FNV-1a.
        let hash = item.path.utf8.reduce(0x811C_9DC5 as UInt32) {
            ($0 ^ UInt32($1)) &* 0x0100_0193
        }
        return hash.padded(to: 8, radix: 16) + "~" + item.uid
    }

    package subscript(_ item: some ItemInFile) -> String { short[full(item)] ?? item.uid }

    /// Includes the file, for items that differ in nothing else.
    package func label(_ item: some ItemInFile) -> String {
        guard twins.contains(item.uid) else { return self[item] }
        let folder = FilePath.name(FilePath.folder(of: item.path))
        return "\(self[item]) in \(folder)/\(FilePath.name(item.path))".oneLine
    }
}

/// An item in a file, with a UID that another item may share.
package protocol ItemInFile {
    var uid: String { get }
    var path: String { get }
}
