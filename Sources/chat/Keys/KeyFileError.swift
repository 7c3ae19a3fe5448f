import AgentCore
import Glibc

/// Why the key file was not read or written. Never holds its text.
struct KeyFileError: Error, Sendable, Equatable {
    enum Reason: Sendable, Equatable {
        case symbolicLink
        /// A folder, a pipe, a device.
        case notAFile
        case otherOwner
        case readableByOthers
        case folderOfOtherOwner(String)
        case folderWritableByOthers(String)
        case malformed
        case otherVersion
        /// An `errno`.
        case system(Int32)
    }

    var reason: Reason
    var path: String

    /// What happened and the line that mends it.
    var sentence: String {
        let file = Self.quoted(path)
        switch reason {
        case .symbolicLink:
            return "The key file is a symbolic link and was not read: rm \(file)"
        case .notAFile: return "The key file is not a regular file: rm \(file)"
        case .otherOwner:
            return "The key file belongs to another user: sudo chown \(geteuid()) \(file)"
        case .readableByOthers:
            return "The key file can be read by others and was not used: chmod 600 \(file)"
        case .folderOfOtherOwner(let folder):
            return "The folder of the key file belongs to another user: "
                + "sudo chown \(geteuid()) \(Self.quoted(folder))"
        case .folderWritableByOthers(let folder):
            return "The folder of the key file can be written by others: "
                + "chmod 700 \(Self.quoted(folder))"
        case .malformed:
            return "The key file cannot be read as keys: rm \(file), then chat keys set"
        case .otherVersion: return "The key file \(path) was written by a newer version of chat."
        case .system(let code):
            return "The key file \(path): \(String(cString: strerror(code)))."
        }
    }

    /// A word that a shell reads as it is.
    private static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPlain
            ? path
            : "'"
                + path.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }
}

extension KeyFileError: DescribedError {
    var diagnostic: Diagnostic { Diagnostic(sentence, namesCommands: true) }
}
