import AgentCore
import Base
import ChatKit
import FoundationEssentials

/// Copies text to the clipboard, through a desktop program or the terminal itself (OSC 52). Only
/// when the user asks for it.
struct Clipboard: Sendable {
    enum Way: Sendable, Equatable {
        case program(name: String, path: String, arguments: [String])
        /// `asks`: only after the user has agreed.
        case terminal(asks: Bool)
    }

    let choice: Settings.Clipboard
    let variables: [String: String]
    /// File that stores the user's answer; nil asks each time.
    var answerPath: String?

    /// Number of bytes that terminals are known to accept: 100,000 as base64.
    static let terminalLimit = 74_994

    /// - Throws: `UsageError` without a clipboard, or when the text is too long for it.
    func way(for count: Int) throws -> Way {
        switch choice {
        case .off:
            throw UsageError(
                "The clipboard is switched off (\"clipboard\" in config.json).",
                hint: "/raw shows the answer as Markdown.")
        case .auto:
            if let program = program() { return program }
        case .osc52: break
        }
        guard count <= Self.terminalLimit else {
            throw UsageError(
                "That is \(Quantities.grouped(count)) bytes; a terminal's clipboard takes about "
                    + "\(Quantities.grouped(Self.terminalLimit)).",
                hint: "wl-copy or xclip take any size.")
        }
        return .terminal(asks: choice == .auto && !isAllowed)
    }

    private static let yes = Array("yes\n".utf8)

    /// Whether the user has allowed copying through the terminal. A refusal is not remembered.
    private var isAllowed: Bool {
        guard let path = answerPath else { return false }
        return (try? WholeFile.read(path, limit: 16)) == Self.yes  // No file: not asked yet.
    }

    /// Stores the answer yes. If that fails, the user is asked again.
    func rememberYes() {
        guard let path = answerPath else { return }
        PrivateFile.replace(Self.yes, at: path, uuid: UUID().uuidString)
    }

    private func program() -> Way? {
        func isSet(_ name: String) -> Bool { !(variables[name] ?? "").isEmpty }
        var known: [(name: String, arguments: [String])] = []
        if isSet("WAYLAND_DISPLAY") { known.append(("wl-copy", [])) }
        if isSet("DISPLAY") {
            known.append(("xclip", ["-selection", "clipboard"]))
            known.append(("xsel", ["--input", "--clipboard"]))
        }
        for (name, arguments) in known {
            // Missing or not usable: try the next one.
            if let path = try? Subprocess.find(name, in: variables) {
                return .program(name: name, path: path, arguments: arguments)
            }
        }
        return nil
    }

    /// Runs a clipboard program. It keeps running to serve the clipboard and would hold our pipes
    /// open, so the shell gives it none.
    func run(_ path: String, _ arguments: [String], _ bytes: [UInt8]) async throws {
        let extra: Set<String> = ["XAUTHORITY"]
        let process = Subprocess(
            program: "/bin/sh",
            arguments: ["-c", "exec \"$0\" \"$@\" >/dev/null 2>&1", path] + arguments,
            environment: Subprocess.baseEnvironment(from: variables, adding: extra),
            input: .bytes(bytes), limits: Subprocess.Limits(time: .seconds(5)))
        let result = try await process.run()
        guard result.isSuccess else {
            throw UsageError(
                "\(path) could not copy.",
                hint: "\"clipboard\": \"osc52\" uses the terminal's own.")
        }
    }

    /// The OSC 52 sequence. The text is base64, so it cannot control the terminal.
    static func sequence(_ bytes: [UInt8]) -> [UInt8] {
        Array("\u{1B}]52;c;\(Base64.text(bytes))\u{1B}\\".utf8)
    }
}
