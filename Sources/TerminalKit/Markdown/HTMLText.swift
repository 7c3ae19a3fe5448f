/// Escapes text for HTML, so that it cannot contain markup. Attributes always use double
/// quotes, so single quotes need no escaping.
package enum HTMLText {
    package static func escaped(_ text: String) -> String {
        var out = ""
        out.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\n", "\t": out.unicodeScalars.append(scalar)
            // HTML does not allow them (Living Standard §13.1.2.1).
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                out += HostileText.visible(scalar)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
