import AgentCore
import Base

/// A small picture in the terminal, from the bytes of the user's own file, if the terminal
/// can show one. Pure: it makes the bytes to write.
///
/// | protocol | terminals | formats |
/// |---|---|---|
/// | kitty graphics | kitty, Ghostty, Konsole | PNG |
/// | iTerm2 inline images | iTerm2, WezTerm, mintty | any |
package enum ImagePreview {
    package enum Way: Sendable, Equatable { case kitty, iterm }

    /// Maximum number of bytes sent; a larger file is scaled down first.
    package static let limitInBytes = 1 << 20
    /// Maximum number of pixels a terminal has to decode.
    static let pixelLimit = 20_000_000
    /// Edge to which a larger file is scaled down, in pixels.
    package static let edge = 400
    private static let (rows, columns) = (8, 40)

    /// The protocol, chosen by the terminal's variables. Inside tmux and screen the outer
    /// terminal is unknown, and a picture would stay behind when the text moves.
    package static func way(_ setting: Settings.Images, variables: [String: String]) -> Way? {
        switch setting {
        case .off: return nil
        case .kitty: return .kitty
        case .iterm: return .iterm
        case .auto: break
        }
        func value(_ name: String) -> String { variables[name] ?? "" }
        let term = value("TERM")
        guard value("TMUX").isEmpty, value("STY").isEmpty, !term.isEmpty, term != "dumb",
            !term.hasPrefix("tmux"), !term.hasPrefix("screen")
        else { return nil }
        if term == "xterm-kitty" || term == "xterm-ghostty" || !value("KITTY_WINDOW_ID").isEmpty {
            return .kitty
        }
        switch value("TERM_PROGRAM") {
        case "ghostty": return .kitty
        case "iTerm.app", "WezTerm", "mintty": return .iterm
        default: break
        }
        // The kitty protocol is supported since 22.04.
        if let version = Int(value("KONSOLE_VERSION")), version >= 220_400 { return .kitty }
        return value("LC_TERMINAL") == "iTerm2" ? .iterm : nil
    }

    /// Whether the bytes can be sent as they are.
    package static func fits(_ bytes: [UInt8], _ header: ImageHeader, _ way: Way) -> Bool {
        guard let size = header.size, bytes.count <= limitInBytes,
            size.width <= pixelLimit / max(1, size.height)
        else { return false }
        return way == .iterm || header.format == .png
    }

    /// - Parameter width: columns of the window.
    package static func bytes(
        _ image: [UInt8], _ size: ImageHeader.Size, _ way: Way, width: Int
    ) -> [UInt8] {
        let cells = cells(size, width: width)
        let text = Array(Base64.text(image).utf8)
        switch way {
        case .kitty: return kitty(text, cells)
        case .iterm:
            let head =
                "\u{1B}]1337;File=inline=1;size=\(image.count);width=\(cells.columns);"
                + "height=\(cells.rows);preserveAspectRatio=1:"
            return indent + Array(head.utf8) + text + [0x07, 0x0A]
        }
    }

    private static let indent = Array("    ".utf8)

    /// The picture's size in cells. A cell is about twice as high as it is wide.
    static func cells(_ size: ImageHeader.Size, width: Int) -> (columns: Int, rows: Int) {
        let most = max(2, min(columns, width - 6))
        // Not above its own size: an icon would be blown up.
        let wide = Double(max(1, size.width)) / 8
        let high = Double(max(1, size.height)) / 16
        let scale = min(1, Double(most) / wide, Double(rows) / high)
        return (max(1, Int((wide * scale).rounded())), max(1, Int((high * scale).rounded())))
    }

    /// In pieces of 4,096 bytes (graphics protocol, "remote client"); `q=2` suppresses the
    /// terminal's answer, which would arrive as input.
    private static func kitty(_ text: [UInt8], _ cells: (columns: Int, rows: Int)) -> [UInt8] {
        var out = indent
        var rest = text[...]
        var isFirst = true
        repeat {
            let piece = rest.prefix(4_096)
            rest = rest.dropFirst(piece.count)
            let more = rest.isEmpty ? 0 : 1
            let keys =
                isFirst
                ? "a=T,f=100,q=2,c=\(cells.columns),r=\(cells.rows),m=\(more)" : "q=2,m=\(more)"
            out += Array("\u{1B}_G\(keys);".utf8) + piece + [0x1B, 0x5C]
            isFirst = false
        } while !rest.isEmpty
        return out + [0x0A]
    }
}
