import AgentCore
import Base

/// A stored key, with the only origin it may be sent to.
package struct StoredKey: Sendable, Equatable {
    var name: KeyName
    var origin: KeyOrigin
    var secret: Secret

    package init(name: KeyName, origin: KeyOrigin, secret: Secret) {
        self.name = name
        self.origin = origin
        self.secret = secret
    }

    init(name: ProviderName, origin: KeyOrigin, secret: Secret) {
        self.init(name: .provider(name), origin: origin, secret: secret)
    }
}

/// The owner of a key.
package enum KeyName: Sendable, Hashable {
    case provider(ProviderName)
    /// A tool server, by the user's name for it.
    case server(String)

    private static let server = "mcp:"

    init?(rawValue: String) {
        if rawValue.hasPrefix(Self.server) {
            self = .server(String(rawValue.dropFirst(Self.server.count)))
        } else if let name = ProviderName(rawValue: rawValue) {
            self = .provider(name)
        } else {
            return nil
        }
    }

    /// The name in the stores.
    var rawValue: String {
        switch self {
        case .provider(let name): name.rawValue
        case .server(let name): Self.server + name
        }
    }
}

/// Text that must never be shown: a key. Printing, interpolating, dumping or reflecting it
/// gives dots; only `text` gives the value.
///
/// It does not wipe memory: Swift strings may be copied by the runtime.
package struct Secret: Sendable, Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The last four characters, to tell keys apart; none if the key is so short that they
    /// would reveal much of it.
    var tail: String { text.count >= 16 ? "…" + text.suffix(4) : "…" }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "•••" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension ProviderName {
    /// The vendor's own API; nil for a user's server.
    var vendorOrigin: KeyOrigin? { facts.vendorURL.flatMap(KeyOrigin.init) }
}
