import AgentCore
import Base
import Glibc

/// Reads the clipboard through a desktop program: an image, copied files, or text. Runs only on the
/// user's own key or command; shows nothing.
///
/// The terminal's own OSC 52 is not used: like its paste, it gives only text.
package struct ClipboardReader: Sendable {
    package enum Content: Sendable, Equatable {
        case image([UInt8])
        /// Absolute paths.
        case files([String])
        case text(String)
        case empty
    }

    package let variables: [String: String]

    package init(variables: [String: String]) {
        self.variables = variables
    }

    /// Formats that models accept, the best first.
    private static let imageTypes = ["image/png", "image/jpeg", "image/webp", "image/gif"]
    private static let textTypes = [
        "text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT", "STRING",
    ]

    private struct Program: Sendable {
        var path: String
        var list: [String]
        var read: @Sendable (String) -> [String]
    }

    /// - Throws: `UsageError` without a program to read it, `AttachmentFailure` above the
    ///   limit for a file, `CancellationError`.
    package func read() async throws -> Content {
        let program = try program()
        let list = try await run(program.path, program.list, limit: 64 << 10)
        let types = String(decoding: list ?? [], as: UTF8.self)
            .split(whereSeparator: \.isNewline).map(String.init)
        func has(_ name: String) -> String? {
            types.first { $0.lowercased() == name.lowercased() }
        }
        // Copied files also offer their names as text, and some a picture.
        if let type = has("text/uri-list"),
            let bytes = try await run(program.path, program.read(type), limit: 64 << 10)
        {
            let paths = Self.paths(String(decoding: bytes, as: UTF8.self))
            if !paths.isEmpty { return .files(paths) }
        }
        if let type = Self.imageTypes.lazy.compactMap(has).first {
            let limit = InputFiles.limitInBytes
            guard let bytes = try await run(program.path, program.read(type), limit: limit) else {
                throw AttachmentFailure(
                    path: "The image on the clipboard", reason: .tooLarge(limit: limit))
            }
            if !bytes.isEmpty { return .image(bytes) }
        }
        if let type = Self.textTypes.lazy.compactMap(has).first {
            let limit = InputFiles.textLimitInBytes
            guard let bytes = try await run(program.path, program.read(type), limit: limit) else {
                throw AttachmentFailure(
                    path: "The clipboard", reason: .textTooLarge(limit: limit))
            }
            if !bytes.isEmpty { return .text(String(decoding: bytes, as: UTF8.self)) }
        }
        return .empty
    }

    private func program() throws -> Program {
        func isSet(_ name: String) -> Bool { !(variables[name] ?? "").isEmpty }
        var missing: String?
        if isSet("WAYLAND_DISPLAY") {
            // Missing or not executable: try the other.
            if let path = try? Subprocess.find("wl-paste", in: variables) {
                return Program(path: path, list: ["--list-types"]) {
                    ["--no-newline", "--type", $0]
                }
            }
            missing = "wl-paste"
        }
        if isSet("DISPLAY") {
            // Missing or not executable: the error names it.
            if let path = try? Subprocess.find("xclip", in: variables) {
                let clipboard = ["-selection", "clipboard"]
                return Program(path: path, list: clipboard + ["-t", "TARGETS", "-o"]) {
                    clipboard + ["-t", $0, "-o"]
                }
            }
            missing = missing ?? "xclip"
        }
        if let missing {
            throw UsageError(
                "Reading the clipboard needs \(missing), which is not installed.",
                hint: PackageManager.here.line(forOneOf: [missing]))
        }
        throw UsageError(
            "There is no desktop clipboard to read here (neither WAYLAND_DISPLAY "
                + "nor DISPLAY is set).",
            hint: "Text comes with the terminal's own paste; an image with /attach FILE.")
    }

    /// Nil above the limit; empty if the program has no output.
    private func run(
        _ path: String, _ arguments: [String], limit: Int
    ) async throws -> [UInt8]? {
        let process = Subprocess(
            program: path, arguments: arguments,
            environment: Subprocess.baseEnvironment(from: variables, adding: ["XAUTHORITY"]),
            limits: Subprocess.Limits(time: .seconds(5), outputBytes: limit))
        do {
            let result = try await process.run()
            return result.outputWasCut ? nil : result.isSuccess ? result.output : []
        } catch let error as SubprocessError where error.reason == .timedOut {
            throw UsageError(
                "The clipboard did not answer.",
                hint: "The program that owns it may be busy; try again.")
        }
    }

    /// RFC 2483: one path per line, comments after `#`.
    static func paths(_ list: String) -> [String] {
        list.split(whereSeparator: \.isNewline).compactMap { line in
            FileMentions(home: nil, isFile: { _ in true }).onlyPath(
                ShellTokenizer.escaped(String(line)))?.path
        }
    }
}
