import AgentCore
import Base
import Glibc

/// Converts a page to PDF with an installed program: the first found of weasyprint,
/// wkhtmltopdf and headless Chromium.
///
/// The page contains a name and an address, so it is written to a private folder (0700)
/// that is always removed. The page loads nothing and forbids loading; in addition, each
/// program is given a proxy that does not exist.
struct LetterPDF: Sendable {
    private struct Program {
        var name: String
        /// Arguments for the page, the PDF, and a folder that the program may write to.
        var arguments: (_ page: String, _ pdf: String, _ folder: String) -> [String]
    }

    let variables: [String: String]

    private static let time = Duration.seconds(60)
    private static let limitInBytes = 32 << 20
    /// The discard port, where nothing listens.
    private static let nowhere = "http://127.0.0.1:9"

    private static var programs: [Program] {
        let chromium: (String, String, String) -> [String] = { page, pdf, folder in
            // Chromium's sandbox does not start for root.
            (geteuid() == 0 ? ["--no-sandbox"] : [])
                + [
                    "--headless", "--disable-gpu", "--disable-extensions", "--no-first-run",
                    "--disable-background-networking", "--disable-sync",
                    "--proxy-server=\(nowhere)", "--user-data-dir=\(folder)/profile",
                    "--no-pdf-header-footer", "--print-to-pdf-no-header",
                    "--print-to-pdf=\(pdf)", "file://\(page)",
                ]
        }
        return [
            Program(name: "weasyprint") { page, pdf, _ in ["--quiet", page, pdf] },
            Program(name: "wkhtmltopdf") { page, pdf, _ in
                [
                    "--quiet", "--disable-javascript", "--disable-plugins", "--proxy", nowhere,
                    "--print-media-type", page, pdf,
                ]
            },
            Program(name: "chromium", arguments: chromium),
            Program(name: "chromium-browser", arguments: chromium),
            Program(name: "google-chrome", arguments: chromium),
            Program(name: "google-chrome-stable", arguments: chromium),
        ]
    }

    /// - Throws: `LetterError` if no program is installed, or it failed;
    ///   `CancellationError`.
    func bytes(of page: [UInt8]) async throws -> [UInt8] {
        let found = Self.programs.lazy.compactMap { program -> (Program, String)? in
            // Skip programs that cannot be run.
            (try? Subprocess.find(program.name, in: variables)).map { (program, $0) }
        }.first
        guard let (program, path) = found else {
            let names = ["weasyprint", "wkhtmltopdf", "chromium"]
            throw LetterError(
                .noPDFProgram(install: PackageManager.here.line(forOneOf: names)))
        }
        let folder = try await QueueExecutor.run("chat.letters.pdf") { () throws(ToolError) in
            guard let folder = PrivateFolder.makeTemporary("chat-letter", variables) else {
                let reason = String(cString: strerror(errno))
                throw .failed("No private folder can be made for the PDF: \(reason)")
            }
            return folder
        }
        do {
            let bytes = try await made(page, by: program, at: path, in: folder)
            await remove(folder)
            return bytes
        } catch {
            await remove(folder)
            throw error
        }
    }

    private func made(
        _ page: [UInt8], by program: Program, at path: String, in folder: String
    ) async throws -> [UInt8] {
        let (source, target) = ("\(folder)/letter.html", "\(folder)/letter.pdf")
        func failed(_ words: String) -> LetterError {
            LetterError(.pdfFailed(program.name, words))
        }
        let code = await QueueExecutor.run("chat.letters.pdf") {
            WholeFile.create(page, at: source, syncs: false)
        }
        guard code == 0 else { throw failed(String(cString: strerror(code))) }
        var environment = Subprocess.baseEnvironment(from: variables)
        for name in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            environment[name] = Self.nowhere
        }
        // Its caches are removed with the folder.
        environment["XDG_CACHE_HOME"] = folder
        environment["TMPDIR"] = folder
        let result: Subprocess.Result
        do {
            result = try await Subprocess(
                program: path, arguments: program.arguments(source, target, folder),
                environment: environment,
                limits: Subprocess.Limits(time: Self.time, outputBytes: 64 << 10)
            ).run()
        } catch let error as SubprocessError {
            throw failed(error.reason == .timedOut ? "it took more than a minute" : "")
        }
        // A program may report failure after a warning and still write the PDF: the file
        // decides.
        let bytes = await QueueExecutor.run("chat.letters.pdf") {
            // Unreadable means that no PDF was made; the reason does not matter.
            (try? WholeFile.read(target, limit: Self.limitInBytes)) ?? []
        }
        guard bytes.starts(with: Array("%PDF-".utf8)) else {
            let words =
                String(decoding: result.errorOutput, as: UTF8.self)
                .split(whereSeparator: \.isNewline).last.map { String($0.prefix(120)) } ?? ""
            throw failed(words.oneLine)
        }
        return bytes
    }

    private func remove(_ folder: String) async {
        await QueueExecutor.run("chat.letters.pdf") { PrivateFolder.remove(folder) }
    }
}
