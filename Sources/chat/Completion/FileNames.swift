import Glibc

/// The files and folders whose path begins as typed. Reads one folder, a
/// bounded part of it: it runs while a key waits.
struct FileNames {
    struct Name: Equatable {
        /// The path as it was begun, and this name.
        var path: String
        var isFolder: Bool
    }

    let home: String
    /// Entries that are read, and names that are offered.
    static let (readLimit, limit) = (20_000, 500)

    /// Sorted; hidden ones only when a dot was typed.
    func names(beginning typed: String) -> [Name] {
        if typed == "~" { return [Name(path: "~/", isFolder: true)] }
        let slash = typed.lastIndex(of: "/")
        let folder = slash.map { String(typed[...$0]) } ?? ""
        let start = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
        let place =
            folder.isEmpty ? "." : folder.hasPrefix("~/") ? home + folder.dropFirst() : folder
        guard let directory = opendir(place) else { return [] }
        defer { closedir(directory) }
        var names: [Name] = []
        var count = 0
        while count < Self.readLimit, names.count < Self.limit, let entry = readdir(directory) {
            count += 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // The kernel ends the name with a null within the field.
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) {
                    String(decodingCString: $0, as: UTF8.self)
                }
            }
            guard name.hasPrefix(start), name != ".", name != "..",
                !name.hasPrefix(".") || start.hasPrefix(".")
            else { continue }
            // A name that is no text, or holds a control, cannot be typed.
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
