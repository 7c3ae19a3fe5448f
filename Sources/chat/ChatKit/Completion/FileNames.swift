import Glibc

/// The files and folders whose path begins with the typed text. Reads only a bounded part of one
/// folder, because the user's key is waiting.
struct FileNames {
    struct Name: Equatable {
        /// The path as typed so far, with this name.
        var path: String
        var isFolder: Bool
    }

    let home: String
    /// Maximum number of entries read and of names offered.
    static let (readLimit, limit) = (20_000, 500)

    /// Sorted; hidden names only if a dot was typed.
    func names(beginning typed: String) -> [Name] {
        if typed == "~" { return [Name(path: "~/", isFolder: true)] }
        let (folder, start) = Self.parts(of: typed)
        return names(in: folder) {
            $0.hasPrefix(start) && (!$0.hasPrefix(".") || start.hasPrefix("."))
        }
    }

    /// The folder of a path, with its slash, and the text after it.
    static func parts(of typed: String) -> (folder: String, start: String) {
        guard let slash = typed.lastIndex(of: "/") else { return ("", typed) }
        return (String(typed[...slash]), String(typed[typed.index(after: slash)...]))
    }

    /// Sorted; `folder` as it is typed.
    func names(
        in folder: String, limit: Int = limit, where isWanted: (String) -> Bool = { _ in true }
    ) -> [Name] {
        let place =
            folder.isEmpty ? "." : folder.hasPrefix("~/") ? home + folder.dropFirst() : folder
        guard let directory = opendir(place) else { return [] }
        defer { closedir(directory) }
        var names: [Name] = []
        var count = 0
        while count < Self.readLimit, names.count < limit, let entry = readdir(directory) {
            count += 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // The kernel ends the name with a zero byte within the field.
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    String(decodingCString: $0, as: UTF8.self)
                }
            }
            guard name != ".", name != "..", isWanted(name) else { continue }
            // A name that is not text, or contains a control character, cannot be typed.
            guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\u{FFFD}" }) else {
                continue
            }
            var isFolder = entry.pointee.d_type == UInt8(DT_DIR)
            if entry.pointee.d_type == UInt8(DT_LNK) || entry.pointee.d_type == UInt8(DT_UNKNOWN) {
                var facts = stat()
                isFolder =
                    stat("\(place)/\(name)", &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
            }
            names.append(Name(path: folder + name + (isFolder ? "/" : ""), isFolder: isFolder))
        }
        return names.sorted { $0.path < $1.path }
    }
}
