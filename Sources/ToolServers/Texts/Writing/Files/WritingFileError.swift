import Base
import Glibc

/// The reason why a writing tool cannot process a file. It was not changed.
package struct WritingFileError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case file(OpenFile.Failure.Reason)
        /// The `errno` of writing.
        case unwritable(Int32)
        case empty
        /// The file is too large; its size in bytes.
        case tooLarge(Int)
        /// Neither UTF-8 nor Latin-1, or with zero bytes.
        case binary
        /// The result has a character that the file's encoding lacks. `kept` is where the
        /// result was saved.
        case lacks(String, kept: String?)
        case changedMeanwhile
        /// The file has other hard links, which would keep the old text.
        case linked(Int)
        /// The file was changed since the step to be undone or redone.
        case changedSince
        case gone
        /// The previous contents could not be recorded for undo.
        case notNoted(Diagnostic)
    }

    package var reason: Reason
    /// The path as typed by the user.
    package var path: String

    package init(_ reason: Reason, _ path: String) {
        self.reason = reason
        self.path = path
    }
}

extension WritingFileError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .file(.system(ENOENT)): Diagnostic("There is no file \(path).", exit: .usage)
        case .file(.system(let code)):
            Diagnostic("\(path) cannot be read: \(Diagnostic.system(code)).")
        case .unwritable(let code):
            Diagnostic(
                "\(path) cannot be written: \(Diagnostic.system(code)). "
                    + "It was not changed.")
        case .file(.isFolder):
            Diagnostic("\(path) is a folder.", todo: "Name a file in it.", exit: .usage)
        case .file(.notRegular):
            Diagnostic(
                "\(path) is not a file.", todo: "A pipe's text: COMMAND | chat write proofread -",
                exit: .usage)
        case .empty: Diagnostic("\(path) is empty.", exit: .refused)
        case .tooLarge(let size):
            Diagnostic(
                "\(path) is too large for a writing tool: \(Quantities.bytes(size)), at most "
                    + "\(Quantities.bytes(WritingFile.limit)).",
                todo: "Split it, or pipe in the part that matters.", exit: .usage)
        case .binary: Diagnostic("\(path) is not text in UTF-8 or Latin-1.", exit: .usage)
        case .lacks(let character, let kept):
            Diagnostic(
                "\(path) is in Latin-1, which does not have \(character); nothing was changed.",
                todo: kept.map { "The result is kept in \($0), in UTF-8." }, exit: .refused)
        case .changedMeanwhile, .file(.changed):
            Diagnostic(
                "\(path) was changed by another program in the meantime; nothing was written.",
                todo: "Try again.")
        case .linked(let count):
            Diagnostic(
                "\(path) has \(count) names (hard links), and the others would keep the old text; "
                    + "nothing was changed.",
                todo: "Without --in-place the result goes to stdout.")
        case .changedSince:
            Diagnostic("Nothing was undone: \(path) has since been changed by another program.")
        case .gone: Diagnostic("Nothing was undone: \(path) is gone.")
        case .notNoted(let why):
            Diagnostic(
                "\(path) was not changed, because the change could not be recorded for undo: "
                    + "\(why.what)")
        }
    }
}
