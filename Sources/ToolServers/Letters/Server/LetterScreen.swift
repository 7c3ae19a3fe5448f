/// The terminal that a letter is shown on. Values and closures, made by the program.
package struct LetterScreen: Sendable {
    /// Whether standard output is a terminal.
    package var showsOutput: Bool
    /// Whether standard error is a terminal.
    package var showsErrors: Bool
    package var columns: @Sendable () -> Int
    package var rows: @Sendable () -> Int

    package init(
        showsOutput: Bool = false, showsErrors: Bool = false,
        columns: @escaping @Sendable () -> Int = { 80 },
        rows: @escaping @Sendable () -> Int = { 24 }
    ) {
        self.showsOutput = showsOutput
        self.showsErrors = showsErrors
        self.columns = columns
        self.rows = rows
    }
}
