import Base

/// Extracts the text of a LaTeX résumé: sections as headings, commands as the content of
/// their braces. Pure; other texts are returned unchanged.
enum LaTeXText {
    static func plain(_ text: String) -> String {
        guard text.contains("\\begin{document}") || text.contains("\\documentclass") else {
            return text
        }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { line(String($0)) }.joined(separator: "\n")
    }

    private static func line(_ line: String) -> String {
        let start = line.drop(while: \.isWhitespace)
        if start.first == "%" { return "" }
        guard start.first == "\\" else { return unbraced(line) }
        let name = start.dropFirst().prefix { $0.isLetter }
        switch name {
        case "documentclass", "usepackage", "begin", "end", "newcommand", "renewcommand",
            "setlength", "pagestyle", "moderncvstyle", "moderncvcolor", "geometry", "maketitle",
            "makecvtitle", "vspace", "hspace", "definecolor":
            return ""
        case "section", "cvsection", "subsection", "cvsubsection":
            return "# " + unbraced(String(start.drop { $0 != "{" }))
        case "name": return unbraced(line.replacing("}{", with: " "))
        case "item": return "- " + unbraced(String(start.dropFirst(name.count + 1)))
        default: return unbraced(line)
        }
    }

    /// The text without commands and braces; adjacent braces are separated.
    private static func unbraced(_ text: String) -> String {
        var output = ""
        var rest = text[...]
        while let character = rest.first {
            rest = rest.dropFirst()
            switch character {
            case "\\":
                guard let next = rest.first else { break }
                if next.isLetter {
                    rest = rest.drop(while: \.isLetter)
                    if rest.first == "*" { rest = rest.dropFirst() }
                } else {
                    if next == "\\" { output += " | " } else { output.append(next) }
                    rest = rest.dropFirst()
                }
            case "{", "$": break
            case "}": if rest.first == "{" { output += "  " }
            case "~": output.append(" ")
            case "%": return output
            default: output.append(character)
            }
        }
        return output
    }
}
