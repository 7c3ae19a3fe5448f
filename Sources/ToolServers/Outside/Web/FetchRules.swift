import AgentCore

/// What a fetch may do, as values: its limits, which redirects it follows, and when it does
/// not begin. Pure.
package enum FetchRules {
    package struct Limits: Sendable {
        /// For everything: lookup, redirects and the page.
        package var total: Duration = .seconds(20)
        /// Of a page, after it was decompressed.
        package var bytes = 5 << 20
        package var redirects = 5
    }

    enum Redirect: Equatable {
        case follow(WebURL)
        /// Another host: the user has seen only this one.
        case ask(WebURL)
        case refuse(String)
    }

    /// - Parameter count: redirects that were followed before.
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

    /// The variable that would send this request through a proxy, as libcurl reads them.
    static func proxy(for page: WebURL, in variables: [String: String]) -> String? {
        if variables["no_proxy"] == "*" || variables["NO_PROXY"] == "*" { return nil }
        // HTTP_PROXY in capitals is what a client of a CGI program can set.
        let names = page.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).first { variables[$0]?.isEmpty == false }
    }
}
