import AgentCore

/// Why the configuration cannot be used: where, which setting, what would be
/// accepted. Values are not repeated.
struct ConfigurationError: Error, Sendable, Equatable {
    enum Reason: Sendable, Equatable {
        /// The file is no JSON, even with comments and trailing commas.
        case syntax(JSONParser.Failure.Reason)
        /// A setting has a value of the wrong kind.
        case wrongValue(name: String, accepted: String)
        /// The same for an environment variable or an option.
        case wrongVariable(name: String, accepted: String)
        /// An `errno`.
        case unreadable(Int32)
        case tooLarge
        /// No usable HOME, and the user database knows none.
        case noHome
    }

    var reason: Reason
    var file: String?
    /// From 1.
    var line: Int?
    var column: Int?

    init(reason: Reason, file: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
        self.column = column
    }
}
