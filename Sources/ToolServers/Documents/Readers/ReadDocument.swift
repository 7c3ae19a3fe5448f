/// The result of reading a document: its text, and what the file says about it.
package struct ReadDocument: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        case text = "txt"
        case markdown = "md"
        case html, epub, pdf, rtf
    }

    /// Where a chapter begins.
    package struct Chapter: Sendable, Equatable {
        /// On one line.
        package var title: String
        /// Bytes of UTF-8 in front of it in the text. It goes to the next one.
        package var start: Int
    }

    package var format: Format
    /// Text, Markdown: as it stands in the file, decoded. Of the others what a reader
    /// sees, a blank line between two paragraphs.
    package var text: String
    /// As the file names itself; nil where it does not.
    package var title: String?
    package var author: String?
    /// "en", "pt-BR".
    package var language: String?
    /// In the order of the text; none where no headings were found. What is in front
    /// of the first belongs to none.
    package var chapters: [Chapter] = []
    /// Of an EPUB that has one.
    package var cover: CoverPicture?
}
