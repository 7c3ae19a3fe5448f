/// Which tools the requests of a conversation carry, in the order in which they joined. It
/// only grows, and what joins stands behind the rest, so that a provider's prompt cache
/// misses at most once for each joining. Pure.
package struct ToolOffer: Sendable, Equatable {
    /// What joined at one time: the first set, then what came later.
    package private(set) var joined: [[String]]

    package init(joined: [[String]] = []) { self.joined = joined }

    package var names: [String] { joined.flatMap(\.self) }
    /// Times that the list changed under a conversation that had begun.
    package var joinings: Int { max(0, joined.count - 1) }

    package mutating func join(_ names: [String]) {
        var known = Set(self.names)
        let new = names.filter { known.insert($0).inserted }
        if !new.isEmpty { joined.append(new) }
    }
}

extension ToolOffer {
    /// For a small window: without the tools that joined first, as far as the rest does not
    /// fit into so many bytes.
    ///
    /// - Parameter needed: those that stay.
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
