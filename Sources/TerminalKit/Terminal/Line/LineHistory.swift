/// What was typed before, for Up and Ctrl-R. The program decides what is kept
/// and where; it is asked on the terminal's thread.
package protocol LineHistory: Sendable {
    /// Oldest first, each once, at most `LineEditor.historyLimit`.
    var texts: [String] { get }

    /// Looks for lines that other instances have added: before each prompt.
    ///
    /// - Returns: false when `texts` is as it was.
    mutating func refresh() -> Bool

    /// - Returns: false when the line is not to be recalled.
    mutating func append(_ text: String) -> Bool

    /// The same lines as a list to search; an item's id is its index in `texts`.
    func request(query: String) -> PickerRequest
}
