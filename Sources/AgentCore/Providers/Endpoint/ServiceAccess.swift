import Base

/// Access to a server that a capability uses in addition to the model's: its address and its key.
/// Nothing is looked up before it is needed.
package struct ServiceAccess: Sendable {
    /// The address from the settings, or the vendor's.
    package var text: String
    package var address: @Sendable () throws(BaseURL.Problem) -> BaseURL
    /// Nil without a key: the user's own server may need none.
    ///
    /// - Throws: errors of the user's key command; `CancellationError`.
    package var key: @Sendable (BaseURL) async throws -> String?
    /// A description of the key's source, or nil. Runs no command.
    package var keySource: @Sendable (BaseURL) async -> String?
    /// Whether the address is the vendor's, which needs a key and has known prices.
    package var isVendor: @Sendable (BaseURL) -> Bool

    package init(
        text: String, address: @escaping @Sendable () throws(BaseURL.Problem) -> BaseURL,
        key: @escaping @Sendable (BaseURL) async throws -> String?,
        keySource: @escaping @Sendable (BaseURL) async -> String?,
        isVendor: @escaping @Sendable (BaseURL) -> Bool
    ) {
        self.text = text
        self.address = address
        self.key = key
        self.keySource = keySource
        self.isVendor = isVendor
    }
}
