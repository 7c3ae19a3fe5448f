import Base

/// The links of a page as absolute addresses. Pure, and only for display: an address to
/// fetch is parsed again by libcurl (`WebURL`).
struct PageLinks {
    /// "https:"
    private let scheme: String
    /// "https://example.org"
    private let origin: String
    /// The address up to the last slash of the path.
    private let folder: String
    private let whole: String

    /// - Parameter page: an absolute address.
    init(page: String) {
        whole = String(page.prefix { $0 != "#" })
        guard let mark = whole.firstRange(of: "://") else {
            (scheme, origin, folder) = ("https:", "", "")
            return
        }
        scheme = String(whole[..<mark.lowerBound]) + ":"
        let rest = whole[mark.upperBound...]
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        origin = "\(scheme)//\(host)"
        let path = rest.dropFirst(host.count).prefix { $0 != "?" }
        folder = origin + (path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/")
    }

    /// The whole address of a link; nil for a place on the same page, and for anything but a
    /// page: scripts, data, mail.
    func link(_ reference: String) -> String? {
        let reference = reference.trimmingSpace()
        if reference.isEmpty || reference.hasPrefix("#") || reference.utf8.count > 2_048 {
            return nil
        }
        if let colon = reference.firstIndex(where: { ":/?#".contains($0) }), reference[colon] == ":"
        {
            let scheme = reference[..<colon].lowercased()
            guard scheme == "https" || scheme == "http" else { return nil }
        }
        let target = absolute(reference)
        // A bracket would end the link.
        if target.contains(where: { $0.isWhitespace || $0 == ")" || $0 == "(" }) {
            return target.map { Self.escapes[$0] ?? String($0) }.joined()
        }
        return target
    }

    private static let escapes: [Character: String] = [
        " ": "%20", "(": "%28", ")": "%29", "\n": "", "\t": "", "\r\n": "", "\r": "",
    ]

    /// The address a browser would open.
    func absolute(_ reference: String) -> String {
        let lowered = reference.lowercased()
        if lowered.hasPrefix("https:") || lowered.hasPrefix("http:") { return reference }
        if reference.hasPrefix("//") { return scheme + reference }
        if reference.hasPrefix("/") { return origin + reference }
        if reference.hasPrefix("?") { return whole.prefix { $0 != "?" } + reference }
        var rest = reference[...]
        var folder = folder
        while true {
            if rest.hasPrefix("./") {
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("../") {
                rest = rest.dropFirst(3)
                if folder.utf8.count > origin.utf8.count + 1 {
                    folder.removeLast()
                    while folder.last != "/", !folder.isEmpty { folder.removeLast() }
                }
            } else {
                return folder + rest
            }
        }
    }
}
