import AgentCore

/// The rules of a fetch, as values: its limits, the redirects it follows, and the cases in
/// which it does not begin. Pure.
package enum FetchRules {
    package struct Limits: Sendable {
        /// Total time for lookup, redirects and the page.
        package var total: Duration = .seconds(20)
        /// Maximum bytes of a page after decompression.
        package var bytes = 5 << 20
        package var redirects = 5
    }

    enum Redirect: Equatable {
        case follow(WebURL)
        /// Another host: the user has approved only this one.
        case ask(WebURL)
        case refuse(String)
    }

    /// - Parameter count: number of redirects followed before.
    static func redirect(
        from page: WebURL, to reference: String?, count: Int, limits: Limits
    ) -> Redirect {
        guard let reference, !reference.isEmpty else { return .refuse("leads nowhere") }
        let target: WebURL
        do throws(TransportError) {
            target = try page.resolving(reference)
        } catch {
            return .refuse("redirects to something that is not a web address")
        }
        if page.isSecure, !target.isSecure { return .refuse("redirects from https to http") }
        guard target.isSamePlace(as: page) else { return .ask(target) }
        if count >= limits.redirects {
            return .refuse("redirects more than \(limits.redirects) times")
        }
        return .follow(target)
    }

    /// The variable that would send this request through a proxy, by libcurl's rules.
    static func proxy(for page: WebURL, in variables: [String: String]) -> String? {
        if variables["no_proxy"] == "*" || variables["NO_PROXY"] == "*" { return nil }
        // HTTP_PROXY in capitals can be set by a client of a CGI program.
        let names = page.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).first { variables[$0]?.isEmpty == false }
    }
}
