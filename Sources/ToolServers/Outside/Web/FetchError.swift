import AgentCore
import Base

/// The reason why a page was not fetched, or is not read.
package struct FetchError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// An unusable address, with the reason.
        case address(String)
        /// The kind of the host's address: "loopback".
        case forbidden(String)
        case notResolved
        /// The variable that names the proxy.
        case proxy(String)
        case status(Int)
        /// The server redirects to plain HTTP, in circles, or nowhere.
        case redirect(String)
        /// The type of the content.
        case type(String)
        /// The page is declared as text but is not.
        case binary
        case tooLarge(limit: Int)
        case tooSlow(seconds: Int)
        case transport(TransportError)
    }

    package var reason: Reason
    /// The requested address.
    package var address: String

    package init(_ reason: Reason, _ address: String) {
        self.reason = reason
        self.address = address
    }

    /// Converts a transport error to the reasons of a fetch.
    init(_ error: TransportError, _ address: String, _ limits: FetchRules.Limits) {
        switch error.reason {
        case .forbiddenAddress: self.init(.forbidden(error.detail.text), address)
        case .badURL: self.init(.address(error.detail.text), address)
        case .nameNotResolved: self.init(.notResolved, address)
        case .tooLarge: self.init(.tooLarge(limit: limits.bytes), address)
        case .totalTimeout, .idleTimeout, .connectTimeout:
            self.init(.tooSlow(seconds: Int(limits.total.components.seconds)), address)
        default: self.init(.transport(error), address)
        }
    }
}

extension FetchError: DescribedError {
    package var diagnostic: Diagnostic {
        let page = UntrustedText.line(address, limit: 100)
        return switch reason {
        case .address(let why):
            Diagnostic("\(page) is not a web address that can be fetched: \(why).", exit: .usage)
        case .forbidden(let kind):
            Diagnostic(
                "\(page) was not fetched: its host is not on the public internet (\(kind)).",
                exit: .refused)
        case .notResolved:
            Diagnostic("\(page): the host name could not be resolved.")
        case .proxy(let variable):
            Diagnostic(
                "\(page) was not fetched: behind a proxy (\(variable)) chat cannot check which "
                    + "address it would reach.", exit: .refused)
        case .status(let status): Diagnostic("\(page): the server answered with \(status).")
        case .redirect(let why): Diagnostic("\(page) was not fetched: it \(why).")
        case .type(let type):
            Diagnostic("\(page) is \(type); only text, HTML, JSON, XML and PDF are read.")
        case .binary: Diagnostic("\(page) is not text.")
        case .tooLarge(let limit):
            Diagnostic("\(page) is larger than \(Quantities.bytes(limit)).")
        case .tooSlow(let seconds):
            Diagnostic("\(page) did not arrive within \(Quantities.count(seconds, "second")).")
        case .transport(let error): Diagnostic(error, network: "Check the network.")
        }
    }
}
