/// One thing that can be picked. Titles and details may be foreign text: they
/// pass the allow-list when they are drawn.
struct PickerItem: Sendable, Equatable {
    var id: String
    var title: String
    /// Dim, in a column of its own: an age, a price, a provider.
    var detail = ""
    /// A second, dim line.
    var snippet: String?
    /// Searched as well, besides the title.
    var searchText = ""
}

/// What is to be picked from. It says nothing of how that looks.
struct PickerRequest: Sendable {
    typealias Search = @Sendable (String) async throws -> [PickerItem]

    var heading: String
    var items: [PickerItem]
    var initialQuery = ""
    /// Asked when the query changes; nil filters `items`. The latest query wins,
    /// the task of an earlier one is cancelled. An empty query shows `items`.
    var search: Search?
}
