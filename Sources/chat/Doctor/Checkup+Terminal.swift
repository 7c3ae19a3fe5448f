import AgentCore
import Base
import ChatKit
import Glibc
import Planner
import TerminalKit

/// Checks the terminal's abilities and the helper programs.
extension Checkup {
    func terminal() -> [Finding] {
        guard isatty(0) == 1, isatty(1) == 1 else {
            return [Finding(.terminal, .absent, "none: input or output is a pipe or a file")]
        }
        let term = variables["TERM"] ?? ""
        var findings: [Finding] = []
        if !variables.hasCursor {
            findings.append(
                Finding(
                    .terminal, .warning, "TERM is \(term.isEmpty ? "not set" : term): plain lines",
                    remedy: "export TERM=xterm-256color, if your terminal is one"))
        } else {
            var size = winsize()
            let isKnown = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            let window = isKnown ? ", \(size.ws_col) × \(size.ws_row)" : ""
            findings.append(Finding(.terminal, .good, "\(term)\(window)"))
            if size.ws_col > 0, size.ws_col < 40 {
                findings.append(Finding(.terminal, .warning, "narrower than 40 columns"))
            }
        }
        let style = Style(isTerminal: true, variables: variables)
        if !style.usesUnicode {
            findings.append(
                Finding(
                    .terminal, .warning, "the locale is not UTF-8: glyphs are written in ASCII",
                    remedy: "export LC_CTYPE=C.UTF-8"))
        }
        if !style.usesColor, variables.hasCursor {
            findings.append(Finding(.terminal, .absent, "NO_COLOR is set: no colours"))
        }
        if TerminalNotification(variables: variables).kind == nil {
            findings.append(
                Finding(
                    .terminal, .absent, "no notifications that chat knows: alerts ring the bell"))
        }
        return findings
    }

    /// A purpose served by any of several programs.
    struct Helper {
        var programs: [String]
        var use: String
    }

    func helpers() -> [Finding] {
        var helpers = [
            Helper(programs: ["notify-send"], use: "alerts on the desktop"),
            Helper(programs: ["secret-tool"], use: "keys in the desktop's key store"),
            Helper(
                programs: ["magick", "convert", "vips", "ffmpeg"], use: "large images scaled down"),
            Helper(
                programs: ["pdftotext"], use: "résumés in PDF, and PDFs for models that accept none"
            ),
            Helper(programs: ["vdirsyncer"], use: "calendars on your phone"),
        ]
        let isWayland = !(variables["WAYLAND_DISPLAY"] ?? "").isEmpty
        if isWayland || !(variables["DISPLAY"] ?? "").isEmpty {
            helpers.append(
                Helper(programs: isWayland ? ["wl-copy"] : ["xclip", "xsel"], use: "/copy"))
        }
        return helpers.map { helper in
            let finding = found(helper, .helpers)
            guard helper.programs == ["notify-send"], finding.level == .good,
                let obstacle = DesktopChannel.obstacle(variables)
            else { return finding }
            return Finding(.helpers, .absent, "\(finding.text), but \(obstacle)")
        }
    }

    /// The first of the helper's programs that exists, or how to install one.
    func found(_ helper: Helper, _ area: Finding.Area) -> Finding {
        for program in helper.programs {
            // Only whether it exists matters.
            if (try? Subprocess.find(program, in: variables)) != nil {
                return Finding(area, .good, "\(program): \(helper.use)")
            }
        }
        let names = helper.programs.joined(separator: " or ")
        return Finding(
            area, .absent, "no \(names): \(helper.use)",
            remedy: PackageManager.here.line(forOneOf: helper.programs))
    }
}
