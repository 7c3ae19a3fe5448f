/// The result of reading a document: its text, and the metadata in the file.
package struct ReadDocument: Sendable, Equatable {
    package enum Format: String, Sendable, CaseIterable {
        case text = "txt"
        case markdown = "md"
        case html, epub, pdf, rtf
    }

    /// The beginning of a chapter.
    package struct Chapter: Sendable, Equatable {
        /// The title on one line.
        package var title: String
        /// Number of UTF-8 bytes before the chapter in the text. It extends to the next chapter.
        package var start: Int
    }

    package var format: Format
    /// The decoded file, for text and Markdown; for other formats the text a reader sees, with
    /// blank lines between paragraphs.
    package var text: String
    /// The title in the file's metadata; nil without one.
    package var title: String?
    package var author: String?
    /// The language: "en", "pt-BR".
    package var language: String?
    /// The chapters in the order of the text; empty if no headings were found. Text before the
    /// first chapter belongs to none.
    package var chapters: [Chapter] = []
    /// The cover of an EPUB, if there is one.
    package var cover: CoverPicture?
}
