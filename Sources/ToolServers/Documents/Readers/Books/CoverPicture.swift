import AgentCore

/// The picture on a book's cover: a JPEG or PNG, by its first bytes. Pure.
package struct CoverPicture: Sendable, Equatable {
    /// Bytes. Covers of bookshops have at most 5 MB.
    package static let limit = 8 << 20

    package let bytes: [UInt8]
    package let format: ImageHeader.Format

    /// Nil for another format, one that is too large, and one whose header has no size.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit, let header = ImageHeader(bytes), header.size != nil,
            Self.formats.contains(header.format)
        else { return nil }
        self.bytes = bytes
        format = header.format
    }

    /// What EPUB readers and players of sound files show.
    private static let formats: Set<ImageHeader.Format> = [.jpeg, .png]

    /// Of its file's name.
    package var ending: String { format == .png ? "png" : "jpg" }
    package static let endings = ["jpg", "png"]

    package var mediaType: String { format.mediaType }

    /// Pixels.
    var size: ImageHeader.Size? { ImageHeader(bytes)?.size }
}
