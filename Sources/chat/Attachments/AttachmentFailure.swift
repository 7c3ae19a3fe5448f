/// Why a file does not go with a message: facts, without sentences.
struct AttachmentFailure: Error, Sendable, Equatable {
    enum Reason: Sendable, Equatable {
        case system(Int32)
        case folder
        /// A pipe, a socket, a device.
        case notAFile
        case empty
        /// In bytes: above what one file may have.
        case tooLarge(limit: Int)
        case textTooLarge(limit: Int)
        /// A kind that has a name, such as "a Word document".
        case unsupported(FileKind.Unsupported)
        /// Neither text nor a kind we know.
        case unknownType
        /// The signature of an image and a header that makes no sense.
        case brokenImage
        /// Above what the provider takes, and nothing here sizes it down.
        case imageTooLarge(size: String, limit: String)
        /// A program was there and failed.
        case notSizedDown
        case tooManyImages(limit: Int)
        /// The model is known to read text only.
        case noImages(model: String)
        /// The provider takes no PDF and `pdftotext` is not there.
        case noPDF
        case encryptedPDF
        case noTextInPDF
        case tooManyPages(count: Int, limit: Int)
        /// All files of one message together.
        case requestTooLarge(limit: Int)
    }

    /// As the user wrote it.
    var path: String
    var reason: Reason
}
