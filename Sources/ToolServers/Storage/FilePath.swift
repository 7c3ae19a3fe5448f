import Glibc

/// A path as a person would write it: without `.`, `..` and doubled slashes.
package enum FilePath {
    /// Without the folders before it.
    package static func name(_ path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// `talk` for `~/in/talk.m4a`; `.m4a` is a whole name.
    package static func stem(_ path: String) -> String {
        let name = name(path)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The same file by a shorter path. `..` behind a link leads elsewhere than
    /// the letters say; such a path stays as it is.
    ///
    /// - Parameter path: absolute.
    static func tidy(_ path: String) -> String {
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
        return !goesUp || isSame(tidy, path) || isSame(folder(tidy), folder(path)) ? tidy : path
    }

    /// The folder of a file that may not be there yet.
    private static func folder(_ path: String) -> String {
        var path = path[...]
        while let last = path.last, last != "/" { path.removeLast() }
        return String(path)
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        var (one, other) = (stat(), stat())
        return stat(left, &one) == 0 && stat(right, &other) == 0
            && one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
