import Base
import Glibc

/// Converts a book in another format to EPUB, with `ebook-convert` of calibre.
struct EbookConversion: Sendable {
    private static let program = "ebook-convert"
    private static let patience = Duration.seconds(300)

    let variables: [String: String]

    /// The format by the first bytes, "mobi" or "fb2"; nil for any other file.
    static func ending(of bytes: [UInt8]) -> String? {
        if bytes.count > 68, bytes[60..<68].elementsEqual("BOOKMOBI".utf8) { return "mobi" }
        let start = String(decoding: bytes.prefix(1_024), as: UTF8.self)
        return start.contains("<FictionBook") ? "fb2" : nil
    }

    /// - Parameter shown: the file as the user wrote it, for errors.
    /// - Throws: `DocumentError`, `CancellationError`.
    func epub(_ bytes: [UInt8], ending: String, shown: String) async throws -> [UInt8] {
        let path: String
        do { path = try Subprocess.find(Self.program, in: variables) } catch {
            throw DocumentError(.needsProgram(Self.program), shown)
        }
        guard let folder = PrivateFolder.makeTemporary("chat-book", variables) else {
            throw DocumentError(.file(.system(errno)), shown)
        }
        defer { PrivateFolder.remove(folder) }
        let (book, epub) = ("\(folder)/book.\(ending)", "\(folder)/book.epub")
        let code = WholeFile.replace(bytes, at: book, temporary: epub)
        guard code == 0 else { throw DocumentError(.file(.system(code)), shown) }
        let result: Subprocess.Result
        do {
            result = try await Subprocess(
                program: path, arguments: [book, epub],
                environment: Subprocess.baseEnvironment(from: variables),
                limits: .init(time: Self.patience, outputBytes: 1 << 20, errorBytes: 4 << 10)
            ).run()
        } catch is SubprocessError {
            throw DocumentError(.damaged("\(Self.program) could not convert it"), shown)
        }
        guard result.isSuccess,
            // A book with DRM fails here, too.
            let made = try? WholeFile.read(epub, limit: DocumentReader.fileLimit)
        else { throw DocumentError(.damaged("\(Self.program) could not convert it"), shown) }
        return made
    }
}
