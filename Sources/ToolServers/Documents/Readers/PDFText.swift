import Base

/// Extracts the text of a PDF with poppler's `pdftotext`: each page in reading order and as
/// laid out; the result with more whole words is used. `PageText` removes page numbers,
/// running heads and the like.
///
/// The file is passed by standard input, so that no name is taken for an option.
package struct PDFText: Sendable {
    private let variables: [String: String]

    /// - Parameter variables: environment variables, for `PATH`.
    package init(variables: [String: String]) { self.variables = variables }

    /// Whether the bytes are a PDF; a few bytes may precede the mark.
    package static func isPDF(_ bytes: [UInt8]) -> Bool {
        bytes.prefix(1_024).firstRange(of: Array("%PDF-".utf8)) != nil
    }

    /// - Parameters:
    ///   - bytes: contents of the file.
    ///   - name: its name in messages.
    ///   - asProse: whether lines are joined into paragraphs, as in a book.
    ///   - points: score of a result, to decide if two have as many words.
    /// - Throws: `PDFTextError`; `CancellationError`, once the program has ended.
    package func read(
        _ bytes: [UInt8], name: String, asProse: Bool = false,
        points: (String) -> Int = { _ in 0 }
    ) async throws -> String {
        let program: String
        do throws(SubprocessError) {
            program = try Subprocess.find("pdftotext", in: variables)
        } catch {
            throw PDFTextError(.missing, name)
        }
        let flowing = try await run(program, options: [], on: bytes, name: name)
        let laidOut = try await run(program, options: ["-layout"], on: bytes, name: name)
        // For prose, the layout shows where paragraphs are indented.
        let pages =
            asProse
            ? PageText.hasColumns(laidOut) ? flowing : laidOut
            : Self.better(flowing, laidOut, points: points)
        guard pages.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw PDFTextError(.scanned, name)
        }
        return asProse ? PageText.prose(pages) : PageText.plain(pages)
    }

    /// The file's metadata, from poppler's `pdfinfo`; nil if missing. A title that is a
    /// file name is ignored.
    func titleAndAuthor(_ bytes: [UInt8]) async -> (title: String?, author: String?) {
        // A text can do without them, whatever the error.
        guard let program = try? Subprocess.find("pdfinfo", in: variables) else {
            return (nil, nil)
        }
        let process = Subprocess(
            program: program, arguments: ["-enc", "UTF-8", "-"],
            environment: Subprocess.baseEnvironment(from: variables), input: .bytes(bytes),
            limits: Subprocess.Limits(
                time: .seconds(Self.patience), outputBytes: 64 << 10, errorBytes: 4 << 10))
        // Whatever the error, as above.
        guard let result = try? await process.run(), result.isSuccess else { return (nil, nil) }
        func field(_ name: String) -> String? {
            let line = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
                .first { $0.hasPrefix(name + ":") }
            let value = PageProse.oneLine(String(line?.dropFirst(name.count + 1) ?? ""))
            let isFile = [".pdf", ".doc", ".docx", ".tex", ".dvi", ".odt", ".indd"].contains {
                value.lowercased().hasSuffix($0)
            }
            return value.isEmpty || isFile || value.lowercased() == "untitled" ? nil : value
        }
        return (field("Title"), field("Author"))
    }

    /// The result with clearly more words; with about as many, the one with more points, and then
    /// reading order.
    static func better(
        _ flowing: String, _ laidOut: String, points: (String) -> Int = { _ in 0 }
    ) -> String {
        let (one, other) = (wholeWords(flowing), wholeWords(laidOut))
        if other * 50 > one * 51 { return laidOut }
        if one * 50 > other * 51 { return flowing }
        return points(laidOut) > points(flowing) ? laidOut : flowing
    }

    /// Number of words of three letters and more. A word cut at a line's end counts once.
    static func wholeWords(_ text: String) -> Int {
        text.split(whereSeparator: \.isWhitespace).count { word in
            word.last != "-" && word.count(where: \.isLetter) >= 3
        }
    }

    // MARK: - Running

    /// Limit in seconds; a book of a thousand pages takes about five.
    private static let patience = 60
    /// Maximum bytes of text, twice what a document may have: of a page chat keeps only the lines.
    fileprivate static let textLimit = 32 << 20

    private func run(
        _ program: String, options: [String], on bytes: [UInt8], name: String
    ) async throws -> String {
        let process = Subprocess(
            program: program, arguments: ["-enc", "UTF-8"] + options + ["-", "-"],
            environment: Subprocess.baseEnvironment(from: variables), input: .bytes(bytes),
            limits: Subprocess.Limits(
                time: .seconds(Self.patience), outputBytes: Self.textLimit, errorBytes: 4 << 10))
        do {
            let result = try await process.run()
            guard result.isSuccess else {
                let said = String(decoding: result.errorOutput, as: UTF8.self)
                throw PDFTextError(
                    said.contains("Incorrect password") ? .encrypted : .damaged, name)
            }
            if result.outputWasCut { throw PDFTextError(.tooLong, name) }
            return String(decoding: result.output, as: UTF8.self)
        } catch let error as SubprocessError {
            throw PDFTextError(error.reason == .timedOut ? .tookTooLong : .missing, name)
        }
    }

}

/// The reason why no text could be extracted from a PDF.
package struct PDFTextError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// `pdftotext` is not installed.
        case missing
        case encrypted
        case damaged
        /// The PDF contains only pictures of pages.
        case scanned
        case tooLong
        case tookTooLong
    }

    package var reason: Reason
    /// The file's name as typed by the user.
    package var name: String

    package init(_ reason: Reason, _ name: String) {
        self.reason = reason
        self.name = name
    }
}

extension PDFTextError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .missing:
            Diagnostic(
                "Reading \(name) needs the program pdftotext, which is not installed.",
                exit: .missingProgram, programs: ["pdftotext"])
        case .encrypted:
            Diagnostic(
                "\(name) is encrypted.", todo: "Save it without a password and try again.",
                exit: .usage)
        case .damaged:
            Diagnostic(
                "\(name) is damaged: pdftotext cannot read it.",
                todo: "Export it again, or give the text.", exit: .usage)
        case .scanned:
            Diagnostic(
                "\(name) has no text: it is scanned, needs OCR.",
                todo: "Export it from the program it was written in, or run ocrmypdf on it.",
                exit: .refused)
        case .tooLong:
            Diagnostic(
                "\(name) has more than \(Quantities.bytes(PDFText.textLimit)) of text.",
                exit: .usage)
        case .tookTooLong:
            Diagnostic("\(name) took pdftotext too long; it was stopped.")
        }
    }
}
