/// The address of an API: scheme, host, port and path, checked once.
///
/// An address of this type may be used: `https`, or plain `http` if the host is this machine or the
/// caller has allowed it. It has no user name, query or fragment, so it can be shown.
package struct BaseURL: Sendable, Hashable {
    package enum Problem: Error, Sendable, Equatable {
        case empty
        /// No `https://` or `http://` at its beginning.
        case unknownScheme
        case badHost
        case badPort
        /// Credentials, a query or a fragment in an address.
        case unexpectedPart
        case forbiddenCharacter
        /// `http` to another machine: keys and messages would be readable.
        case plainHTTP
    }

    package let isPlain: Bool
    /// Lower case; IPv6 in brackets.
    package let host: String
    package let port: Int
    /// Empty, or begins with a slash and ends without.
    package let path: String

    package init(_ text: String, allowsPlainHTTP: Bool = false) throws(Problem) {
        let text = text.trimmingSpace()
        if text.isEmpty { throw .empty }
        if text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == UInt8(ascii: "\\") }) {
            throw .forbiddenCharacter
        }
        let lowered = text.lowercased()
        var rest: Substring
        if lowered.hasPrefix("https://") {
            isPlain = false
            rest = text.dropFirst(8)
        } else if lowered.hasPrefix("http://") {
            isPlain = true
            rest = text.dropFirst(7)
        } else {
            throw .unknownScheme
        }
        if rest.contains(where: { $0 == "?" || $0 == "#" || $0 == "@" }) { throw .unexpectedPart }
        let authority = rest.prefix { $0 != "/" }
        rest = rest.dropFirst(authority.count)
        (host, port) = try Self.hostAndPort(authority, defaultPort: isPlain ? 80 : 443)
        while rest.last == "/" { rest.removeLast() }
        path = String(rest)
        if isPlain, !isLoopback, !allowsPlainHTTP { throw .plainHTTP }
    }

    /// Scheme, host and port, to which a stored key is bound.
    package var origin: String { "\(isPlain ? "http" : "https")://\(host):\(port)" }

    /// Host, and port if it is not the scheme's default; for messages.
    package var authority: String {
        port == (isPlain ? 80 : 443) ? host : "\(host):\(port)"
    }

    package func appending(_ suffix: String) -> String {
        "\(isPlain ? "http" : "https")://\(authority)\(path)\(suffix)"
    }

    package var text: String { appending("") }

    /// Whether the host certainly refers to this machine.
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127"
            && numbers.allSatisfy { UInt8($0) != nil && ($0.count == 1 || $0.first != "0") }
    }

    /// The address where Ollama listens, by its own rules for `OLLAMA_HOST`: the scheme and port
    /// may be missing, and the address for listening on all interfaces is replaced by one to
    /// connect to.
    package static func ollama(
        host variable: String?, allowsPlainHTTP: Bool = false
    ) throws(Problem) -> BaseURL {
        let value = (variable ?? "").trimmingSpace().filter { $0 != "\"" && $0 != "'" }
        let hasScheme = value.contains("://")
        let url = try BaseURL(
            hasScheme ? value : "http://" + completed(value), allowsPlainHTTP: true)
        let isEverywhere = url.host == "0.0.0.0" || url.host == "[::]"
        let host = isEverywhere ? "127.0.0.1" : url.host
        let path = url.path.hasSuffix("/v1") ? url.path : url.path + "/v1"
        return try BaseURL(
            "\(url.isPlain ? "http" : "https")://\(host):\(url.port)\(path)",
            allowsPlainHTTP: allowsPlainHTTP)
    }

    /// `host[:port][/path]`, completed with Ollama's default host and port.
    private static func completed(_ value: String) -> String {
        let authority = value.prefix { $0 != "/" }
        let path = value.dropFirst(authority.count)
        if authority.isEmpty { return "127.0.0.1:11434" + path }
        // Several colons without brackets: an IPv6 address without a port.
        if authority.first != "[", authority.count(where: { $0 == ":" }) > 1 {
            return "[\(authority)]:11434\(path)"
        }
        if authority.first == ":" { return "127.0.0.1" + value }
        let hasPort =
            authority.first == "[" ? authority.contains("]:") : authority.contains(":")
        return hasPort ? value : "\(authority):11434\(path)"
    }

    private static func hostAndPort(
        _ authority: Substring, defaultPort: Int
    ) throws(Problem) -> (String, Int) {
        var host = authority
        var port = defaultPort
        let colon = authority.lastIndex(of: ":")
        let bracket = authority.lastIndex(of: "]")
        if let colon, bracket.map({ $0 < colon }) ?? true {
            host = authority[..<colon]
            let digits = authority[authority.index(after: colon)...]
            guard digits.allSatisfy(\.isNumber), let number = Int(digits), 1...65535 ~= number
            else { throw .badPort }
            port = number
        }
        let name = host.lowercased()
        guard !name.isEmpty, name.count <= 253 else { throw .badHost }
        let isFine: Bool
        if name.hasPrefix("[") {
            isFine =
                name.hasSuffix("]") && name.count > 3
                && name.dropFirst().dropLast().allSatisfy {
                    $0.isHexDigit || $0 == ":" || $0 == "."
                }
        } else {
            isFine =
                name.utf8.allSatisfy {
                    $0 &- UInt8(ascii: "0") < 10 || $0 &- UInt8(ascii: "a") < 26
                        || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
                        || $0 == UInt8(ascii: "_")
                } && name.first != "." && name.first != "-"
        }
        if !isFine { throw .badHost }
        return (name, port)
    }
}

extension BaseURL.Problem: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            "The base URL cannot be used (\(Diagnostic.words("\(self)"))).",
            todo: "chat config shows it and where it comes from.", exit: .needsKeyOrNetwork)
    }
}
