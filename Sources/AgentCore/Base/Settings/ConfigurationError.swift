import Glibc

/// The reason why the configuration cannot be used: the position, the setting, the accepted
/// values. Values are not repeated.
package struct ConfigurationError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The file is not JSON, even with comments and trailing commas.
        case syntax(JSONParser.Failure.Reason)
        /// A setting has a value of the wrong kind.
        case wrongValue(name: String, accepted: String)
        /// A wrong value in an environment variable or an option.
        case wrongVariable(name: String, accepted: String)
        /// An `errno`.
        case unreadable(Int32)
        case tooLarge(limit: Int)
        /// No HOME, and the user database knows no folder.
        case noHome
        /// HOME is not the absolute path of a folder.
        case unusableHome(String)
    }

    package var reason: Reason
    package var file: String?
    /// The line, counted from 1.
    package var line: Int?
    package var column: Int?

    package init(reason: Reason, file: String? = nil, line: Int? = nil, column: Int? = nil) {
        self.reason = reason
        self.file = file
        self.line = line
        self.column = column
    }
}

extension ConfigurationError: DescribedError {
    package var diagnostic: Diagnostic {
        var place = file ?? ""
        if let line = line { place += ":\(line)" }
        if line != nil, let column = column { place += ":\(column)" }
        switch reason {
        case .syntax(let reason):
            return Diagnostic(
                "\(place) cannot be read: \(Diagnostic.words(reason.rawValue)).",
                todo: "Comments and trailing commas are fine. To fix it: chat config edit",
                exit: .usage)
        case .wrongValue(let name, let accepted):
            return Diagnostic(
                "\(place): \(name) must be \(accepted).", todo: "To fix it: chat config edit",
                exit: .usage)
        case .wrongVariable(let name, let accepted):
            return Diagnostic("\(name) must be \(accepted).", exit: .usage)
        case .unreadable(let code):
            return Diagnostic("\(place) cannot be read: \(Diagnostic.system(code)).")
        case .tooLarge(let limit):
            return Diagnostic(
                "\(place) is larger than \(Quantities.bytes(limit)).", exit: .usage)
        case .noHome:
            return Diagnostic(
                "There is no home folder to save anything in.",
                todo: "Set HOME to a folder that exists, or CHAT_HOME.")
        case .unusableHome(let path):
            return Diagnostic(
                path.hasPrefix("/")
                    ? "HOME is \(path), which is not a folder."
                    : "HOME is \(path), which is not an absolute path.",
                todo: "Set HOME to a folder that exists, or CHAT_HOME.", exit: .usage)
        }
    }
}
