/// Earlier lines, for Up and Ctrl-R. The program decides what is stored and where. Called on the
/// terminal's thread.
package protocol LineHistory: Sendable {
    /// Oldest first, each once, at most `LineEditor.historyLimit`.
    var texts: [String] { get }

    /// Loads lines added by other instances: before each prompt.
    ///
    /// - Returns: false if `texts` is unchanged.
    mutating func refresh() -> Bool

    /// - Returns: false if the line must not be recalled.
    mutating func append(_ text: String) -> Bool

    /// The lines as a searchable list; an item's id is its index in `texts`.
    func request(query: String) -> PickerRequest
}
