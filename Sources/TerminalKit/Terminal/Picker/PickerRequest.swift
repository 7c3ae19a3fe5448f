/// One item to pick from. Titles and details may be untrusted text: they pass the
/// allow-list when they are drawn.
package struct PickerItem: Sendable, Equatable {
    package var id: String
    package var title: String
    /// Dim, in a separate column: an age, a price, a provider.
    package var detail = ""
    /// A second, dim line.
    package var snippet: String?
    /// Text searched besides the title.
    var searchText = ""

    package init(
        id: String, title: String, detail: String = "", snippet: String? = nil,
        searchText: String = ""
    ) {
        self.id = id
        self.title = title
        self.detail = detail
        self.snippet = snippet
        self.searchText = searchText
    }
}

/// A list to pick from, independent of its display.
package struct PickerRequest: Sendable {
    package typealias Search = @Sendable (String) async throws -> [PickerItem]

    var heading: String
    package var items: [PickerItem]
    var initialQuery = ""
    /// Called when the query changes; if nil, `items` are filtered. The latest query wins; the
    /// tasks of earlier ones are cancelled. An empty query shows `items`.
    package var search: Search?

    package init(
        heading: String, items: [PickerItem], initialQuery: String = "", search: Search? = nil
    ) {
        self.heading = heading
        self.items = items
        self.initialQuery = initialQuery
        self.search = search
    }
}
