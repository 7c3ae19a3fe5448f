import Base
import Glibc

/// The reason why a tool does not read a file or folder, as a sentence that a model can act
/// on. Pure.
package struct FileRefusal: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case nothingOpen
        /// Outside the open folders, whose names are given.
        case outside(open: [String])
        /// The file exists in several of them.
        case inSeveral(open: [String])
        case goesUp
        /// Empty, or with a character that no path has.
        case noPath
        case tooLong
        case missing
        /// A link that leads out of the folder.
        case leaves
        case linksInCircle
        /// A pipe, a socket or a device.
        case special
        /// `/proc` and similar: not files on a disk.
        case kernel
        case key
        /// One of `chat`'s own files.
        case own
        case isFolder
        case notFolder
        /// Another file had its name when it was opened.
        case changed
        /// The file is not text; the actual kind, if known.
        case notText
        case tooLarge(limit: Int)
        case system(Int32)
    }

    package var reason: Reason
    /// The path as requested.
    package var path: String

    package init(_ reason: Reason, path: String) {
        self.reason = reason
        self.path = path
    }

    /// Whether the text contains names on the disk, which are untrusted.
    var namesFolders: Bool {
        switch reason {
        case .outside, .inSeveral: true
        default: false
        }
    }

    /// Contains only the requested path and the names of the open folders.
    package var modelText: String {
        let path = "\"\(UntrustedText.line(path, limit: 200))\""
        switch reason {
        case .nothingOpen:
            return "No folder is open. The user opens one with /open DIR."
        case .outside(let open):
            return "\(path) is outside of the open folders (\(Self.list(open))), and nothing else "
                + "can be read. The user can open another one with /open DIR."
        case .inSeveral(let open):
            return "\(path) is in several open folders (\(Self.list(open))). Put the name of the "
                + "folder before it."
        case .goesUp:
            return
                "\(path) goes up with \"..\", which is not followed. Give the path from the open "
                + "folder down."
        case .noPath: return "\(path) is not a path."
        case .tooLong: return "\(path) is longer than a path can be."
        case .missing: return "There is no \(path). list_folder shows what there is."
        case .leaves:
            return
                "\(path) leads out of the open folder by a symbolic link, and such links are not "
                + "followed."
        case .linksInCircle: return "\(path) leads through too many symbolic links."
        case .special: return "\(path) is a device, a pipe or a socket, which are never read."
        case .kernel:
            return
                "\(path) is not a file on a disk but a view into the kernel, which is never read."
        case .key:
            return "\(path) may hold keys or passwords. Such files are never read by a tool, under "
                + "any name. Ask the user for what you need to know of it."
        case .own:
            return "\(path) belongs to chat itself (conversations, settings, keys), which no tool "
                + "reads."
        case .isFolder: return "\(path) is a folder. list_folder shows what is in it."
        case .notFolder: return "\(path) is a file and no folder. read_file reads it."
        case .changed: return "\(path) was replaced while it was being opened. Try again."
        case .notText:
            return "\(path) is not text. The user can attach an image or a PDF with /attach."
        case .tooLarge(let limit):
            return "\(path) is larger than \(Quantities.bytes(limit)), more than is read of a file."
        case .system(let code):
            return "\(path) cannot be read: \(Diagnostic.system(code))."
        }
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    }
}
