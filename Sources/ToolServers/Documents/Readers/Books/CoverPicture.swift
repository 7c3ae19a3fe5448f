import AgentCore
import Base

/// The picture of a book's cover: a JPEG or PNG, recognised by its first bytes. Pure.
package struct CoverPicture: Sendable, Equatable {
    /// Maximum size in bytes. Bookshops' covers have at most 5 MB.
    package static let limit = 8 << 20

    package let bytes: [UInt8]
    package let format: ImageHeader.Format

    /// Nil for another format, for a picture that is too large, and for one without a size in its
    /// header.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit, let header = ImageHeader(bytes), header.size != nil,
            Self.formats.contains(header.format)
        else { return nil }
        self.bytes = bytes
        format = header.format
    }

    /// The formats that EPUB readers and audio players show.
    private static let formats: Set<ImageHeader.Format> = [.jpeg, .png]

    /// The extension for its file name.
    package var ending: String { format == .png ? "png" : "jpg" }
    package static let endings = ["jpg", "png"]

    package var mediaType: String { format.mediaType }

    /// The size in pixels.
    var size: ImageHeader.Size? { ImageHeader(bytes)?.size }
}
