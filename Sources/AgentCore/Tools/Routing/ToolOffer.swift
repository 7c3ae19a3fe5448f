/// The tools that the requests of a conversation contain, in the order in which they joined. It
/// only grows, at its end, so that a provider's prompt cache misses at most once for each joining.
/// Pure.
package struct ToolOffer: Sendable, Equatable {
    /// Groups that joined together: the first set, then later ones.
    package private(set) var joined: [[String]]

    package init(joined: [[String]] = []) { self.joined = joined }

    package var names: [String] { joined.flatMap(\.self) }
    /// Number of times that the list changed after the conversation had begun.
    package var joinings: Int { max(0, joined.count - 1) }

    package mutating func join(_ names: [String]) {
        var known = Set(self.names)
        let new = names.filter { known.insert($0).inserted }
        if !new.isEmpty { joined.append(new) }
    }
}

extension ToolOffer {
    /// A copy for a small window: leaves out the tools that joined first until the rest
    /// fits into `room` bytes.
    ///
    /// - Parameter needed: tools that stay.
    package func fitting(
        _ room: Int, of registry: ToolRegistry, keeping needed: Set<String>
    ) -> ToolOffer {
        var left = room
        var kept = needed.union([FindTools.toolName])
        let newest = Array(names.reversed())
        for name in newest.filter(kept.contains) + newest.filter({ !kept.contains($0) }) {
            left -= registry.tool(named: name)?.sizeInBytes ?? 0
            if left >= 0 { kept.insert(name) }
        }
        return ToolOffer(joined: joined.map { $0.filter(kept.contains) })
    }
}
