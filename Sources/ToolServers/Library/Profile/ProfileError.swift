import Base
import Privacy

/// The reason why an operation on the profile failed. It never contains a value of the profile.
package struct ProfileError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case empty(Profile.Field)
        /// "has no @"
        case invalid(Profile.Field, String)
        case tooMany(Profile.Field)
        /// The value contains an API key.
        case holdsKey
        /// No such value exists.
        case notThere(Profile.Field)
        /// The file is invalid: the position, counted from 1, and the problem.
        case malformed(String, line: Int, column: Int, String)
        case unreadable(String, String)
        case unwritable(String, String)
        /// The file contains no personal details.
        case nothingToImport(String)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    static func malformed(
        _ path: String, _ bytes: [UInt8], at offset: Int, _ what: String
    ) -> ProfileError {
        let (line, column) = JSON5.position(of: offset, in: bytes)
        return ProfileError(.malformed(path, line: line, column: column, what))
    }
}

extension ProfileError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .empty(let field):
            Diagnostic(
                "profile needs a value for \(ProfileValue.title(field)).",
                todo: "chat profile set \(field.rawValue) asks for it.", exit: .usage)
        case .invalid(let field, let problem):
            Diagnostic(
                "That \(ProfileValue.title(field)) \(problem)\(problem.hasSuffix("?") ? "" : ".") "
                    + "Nothing was changed.",
                todo: "chat profile set \(field.rawValue) asks for it.", exit: .usage)
        case .tooMany(let field):
            Diagnostic(
                "A profile has at most \(Profile.limit) values of each kind. Nothing was changed.",
                todo: "chat profile remove \(field.rawValue) 2 removes the second.")
        case .holdsKey:
            Diagnostic(
                "Not kept: that looks like an API key.",
                todo: "chat keys set asks for it.", exit: .refused)
        case .notThere(let field):
            Diagnostic(
                "The profile has no such \(ProfileValue.title(field)).",
                todo: "chat profile show --reveal shows what it has.")
        case .malformed(let path, let line, let column, let what):
            Diagnostic(
                "The profile \(path) is damaged at line \(line), column \(column): \(what).",
                todo:
                    "It was not changed, and nothing that needs it is sent: repair it, or move it "
                    + "out of the way.")
        case .unreadable(let path, let why):
            Diagnostic(
                "The profile \(path) cannot be read: \(why).",
                todo: "Nothing that needs it is sent until it can be read.")
        case .unwritable(let path, let why):
            Diagnostic("The profile \(path) could not be written: \(why).")
        case .nothingToImport(let path):
            Diagnostic(
                "\(path) does not say who you are.",
                todo: "A JSON Resume has it in \"basics\"; or: chat profile set name",
                namesCommands: false)
        }
    }
}
