/// Where the list of voices is kept between launches: a door to a small file.
package struct EspeakVoiceCache: Sendable {
    package var read: @Sendable () -> [UInt8]?
    /// What goes wrong is of no interest: the list is made anew then.
    package var write: @Sendable ([UInt8]) -> Void

    package init(
        read: @escaping @Sendable () -> [UInt8]?, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.read = read
        self.write = write
    }

    package static let none = EspeakVoiceCache(read: { nil }, write: { _ in })
}
