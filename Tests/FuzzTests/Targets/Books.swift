import Base

@testable import Documents

extension FuzzTarget {
    /// An EPUB of these files: what makes a book (its parts are parted by zero bytes) is
    /// damaged, and the archive around it is not.
    static let books = FuzzTarget("books") { bytes in
        let names = ["META-INF/container.xml", "book.opf", "toc.ncx", "a.xhtml", "nav.xhtml"]
        let parts = bytes.split(separator: 0, maxSplits: names.count - 1)
        let archive = ZipWriter.bytes { writer in
            try? writer.add("mimetype", Array("application/epub+zip".utf8), method: .stored)
            for (name, part) in zip(names, parts) {
                try? writer.add(name, Array(part), method: .stored)
            }
        }
        do {
            let book = try EPUBBook(ArchiveSource(archive), name: "book").read()
            let length = book.text.utf8.count
            try demand(length <= DocumentReader.textLimit, "a text above the limit")
        } catch is DocumentError {}
    }
}
