import AgentCore

/// A key that is kept, with the only origin it may be sent to.
struct StoredKey: Sendable, Equatable {
    var name: ProviderName
    var origin: KeyOrigin
    var secret: Secret
}

/// Text that must never be shown: a key. Printing, interpolating, dumping or
/// reflecting it gives dots; only `text` gives the words.
///
/// It does not wipe memory: Swift strings may be copied by the runtime.
struct Secret: Sendable, Equatable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The last four characters, to tell keys apart; nothing of a key so short
    /// that four characters would give much of it away.
    var tail: String { text.count >= 16 ? "…" + text.suffix(4) : "…" }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "•••" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension ProviderName {
    /// Where the vendor's own API is; nil for a server of the user's.
    var vendorOrigin: KeyOrigin? { facts.vendorURL.flatMap(KeyOrigin.init) }
}
