import AgentCore
import Base

/// Fetches one page: checks its host, follows redirects on the same host, reads it. No user
/// data is sent: no cookies, no keys, no referring page.
///
/// The host is resolved once, all its addresses are checked, and the request is bound to
/// them; the transport checks the address it connects to once more. The caller decides what
/// is done with the page.
package struct PageFetcher: Sendable {
    enum Outcome: Sendable, Equatable {
        case page(WebPage)
        /// The page has moved to a host that the user has not approved.
        case moved(to: String)
    }

    let dependencies: WebServer.Dependencies
    private let reader: PageReader

    package init(_ dependencies: WebServer.Dependencies) {
        self.dependencies = dependencies
        reader = PageReader(variables: dependencies.environment.variables)
    }

    /// Checks everything known before the user is asked.
    /// - Throws: `FetchError`.
    func check(_ address: String) throws(FetchError) -> WebURL {
        let page: WebURL
        do throws(TransportError) {
            page = try WebURL(address)
        } catch {
            throw FetchError(error, address, dependencies.limits)
        }
        try admit(page)
        // A literal address can be checked without a lookup.
        if let literal = IPAddress(page.host),
            let kind = dependencies.policy.refusal(of: literal)
        {
            throw FetchError(.forbidden(kind), page.text)
        }
        return page
    }

    /// Fetches a page again if it has changed.
    ///
    /// - Parameter validators: those of the last time, by the name of the response header.
    /// - Returns: nil for its text if it has not changed.
    package func look(
        at address: String, _ validators: [String: String]
    ) async throws -> (text: String?, validators: [String: String]) {
        let conditions = [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")]
            .compactMap { name, header in validators[name].map { HTTPHeader(header, $0) } }
        do {
            switch try await fetch(address, conditions: conditions) {
            case .page(let page): return (page.text, page.validators)
            case .moved: throw FetchError(.status(302), address)
            }
        } catch let error as FetchError where error.reason == .status(304) {
            return (nil, validators)
        }
    }

    /// - Throws: `FetchError`, `PDFTextError`, `CancellationError`.
    func fetch(_ address: String, conditions: [HTTPHeader] = []) async throws -> Outcome {
        let environment = dependencies.environment
        let end = environment.uptime() + dependencies.limits.total.inSeconds
        var page = try check(address)
        var redirects = 0
        while true {
            let addresses = try await resolve(page, until: end)
            let response = try await send(page, addresses, conditions, until: end)
            switch response.head.status {
            case 200..<300:
                let type = response.head["content-type"]
                // Do not download a type that cannot be read.
                if let type, PageReader.kind(ofType: type) == nil {
                    throw FetchError(.type(UntrustedText.line(type, limit: 60)), page.text)
                }
                let bytes = try await transported(page) { try await response.body.all() }
                var read = try await reader.read(bytes, type: type, address: page.text)
                for name in ["etag", "last-modified"] {
                    read.validators[name] = response.head[name]
                }
                return .page(read)
            case 301, 302, 303, 307, 308:
                switch FetchRules.redirect(
                    from: page, to: response.head["location"], count: redirects,
                    limits: dependencies.limits)
                {
                case .follow(let target):
                    (page, redirects) = (target, redirects + 1)
                    try admit(page)
                case .ask(let target): return .moved(to: target.text)
                case .refuse(let why): throw FetchError(.redirect(why), page.text)
                }
            case let status: throw FetchError(.status(status), page.text)
            }
        }
    }

    private func admit(_ page: WebURL) throws(FetchError) {
        let variables = dependencies.environment.variables
        if let variable = FetchRules.proxy(for: page, in: variables) {
            throw FetchError(.proxy(variable), page.text)
        }
        if let kind = dependencies.policy.refusal(ofName: page.host) {
            throw FetchError(.forbidden(kind), page.text)
        }
    }

    /// All addresses must be allowed: a name with a public and a private address is
    /// ambiguous.
    private func resolve(_ page: WebURL, until end: Double) async throws -> [IPAddress] {
        let limits = dependencies.limits
        let left = try left(until: end, page)
        let addresses = try await withThrowingTaskGroup(of: [IPAddress]?.self) { group in
            group.addTask { [dependencies] in
                try await dependencies.resolver.addresses(page.host)
            }
            group.addTask { [dependencies] in
                try await dependencies.environment.sleep(left)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let addresses else {
            throw FetchError(.tooSlow(seconds: Int(limits.total.components.seconds)), page.text)
        }
        if addresses.isEmpty { throw FetchError(.notResolved, page.text) }
        for address in addresses {
            if let kind = dependencies.policy.refusal(of: address) {
                throw FetchError(.forbidden(kind), page.text)
            }
        }
        return addresses
    }

    private func send(
        _ page: WebURL, _ addresses: [IPAddress], _ conditions: [HTTPHeader], until end: Double
    ) async throws -> HTTPResponse {
        let left = try left(until: end, page)
        var request = HTTPRequest(
            Outgoing(.webPage, [SentContent.address]), method: "GET", url: page.text,
            headers: [
                HTTPHeader("User-Agent", dependencies.userAgent),
                HTTPHeader(
                    "Accept",
                    "text/html, text/markdown, text/plain, application/json, application/xml, "
                        + "application/pdf, */*;q=0.1"),
            ] + conditions,
            limits: TransferLimits(
                connect: min(.seconds(10), left), idle: left, total: left,
                bodyBytes: dependencies.limits.bytes, headBytes: 64 << 10))
        request.route = DirectRoute(policy: dependencies.policy, addresses: addresses)
        return try await transported(page) { [request] in
            try await dependencies.transport.send(request)
        }
    }

    private func transported<Value: Sendable>(
        _ page: WebURL, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error as TransportError {
            throw FetchError(error, page.text, dependencies.limits)
        }
    }

    private func left(until end: Double, _ page: WebURL) throws(FetchError) -> Duration {
        let left = end - dependencies.environment.uptime()
        if left > 0 { return .seconds(left) }
        throw FetchError(
            .tooSlow(seconds: Int(dependencies.limits.total.components.seconds)), page.text)
    }
}
