import Glibc

/// The parts of a path, and its shortest form: without `.`, `..` and doubled
/// slashes.
package enum FilePath {
    /// The current folder of the process; `/` if it was deleted.
    package static func workingFolder() -> String {
        guard let path = getcwd(nil, 0) else { return "/" }
        defer { free(path) }
        return String(cString: path)
    }

    /// The absolute path without links; nil with `errno` set if nothing is there.
    package static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The last component.
    package static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The parent folder: `.` for a bare name, `/` at the top.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Expands `~` and `~/…` like a shell.
    package static func expanding(_ path: String, home: String) -> String {
        path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path
    }

    /// `talk` for `~/in/talk.m4a`; `.m4a` alone is a whole name.
    package static func stem(_ path: String) -> String {
        let name = name(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The entries of a folder, without `.` and `..`, unordered; nil with `errno` set if it
    /// cannot be read.
    package static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// A shorter path of the same file. After a link, `..` may lead elsewhere; such a path is
    /// returned unchanged.
    ///
    /// - Parameter path: absolute.
    package static func tidy(_ path: String) -> String {
        var parts: [Substring] = []
        var goesUp = false
        for part in path.split(separator: "/") where part != "." {
            if part == ".." {
                goesUp = true
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        let tidy = "/" + parts.joined(separator: "/")
        return !goesUp || isSame(tidy, path) || isSame(folder(of: tidy), folder(of: path))
            ? tidy : path
    }

    /// Whether both lead to the same file.
    package static func isSame(_ left: String, _ right: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(left, &one) == 0 && stat(right, &other) == 0
            && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
