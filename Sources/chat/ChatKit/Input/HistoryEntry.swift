import Base

/// One line of the input history: the text, its time, and its conversation. Also its format
/// in the file; pure.
///
/// ```
/// \:1767225600<TAB>conversation's id<TAB>its title<TAB>the text
/// the text                               as older versions wrote it
/// ```
///
/// A line break in the text is written `\n`, a backslash `\\`; so no line of an older
/// version begins with `\:`.
package struct HistoryEntry: Sendable, Equatable {
    /// Time and conversation of an entry.
    package struct Origin: Sendable, Equatable {
        /// Seconds since 1970.
        var time: Int
        /// Empty before the conversation's first message.
        var conversation = ""
        var title = ""
    }

    var text: String
    /// Nil in lines of older versions.
    var place: Origin?

    private static let mark: [UInt8] = [0x5C, 0x3A]
    private static let tab: UInt8 = 0x09

    /// The line in the file, with its line end.
    var line: [UInt8] {
        var bytes: [UInt8] = []
        if let place {
            let title = place.title.map { $0.isWhitespace ? " " : $0 }
            bytes += Self.mark + Array("\(place.time)".utf8) + [Self.tab]
            bytes += Array(place.conversation.utf8) + [Self.tab]
            bytes += Self.escaped(String(title)) + [Self.tab]
        }
        return bytes + Self.escaped(text) + [0x0A]
    }

    init(_ text: String, _ place: Origin? = nil) {
        self.text = text
        self.place = place
    }

    /// - Parameter line: the line without its line end.
    init(line: ArraySlice<UInt8>) {
        let fields = line.dropFirst(2).split(
            separator: Self.tab, maxSplits: 3, omittingEmptySubsequences: false)
        guard line.starts(with: Self.mark), fields.count == 4,
            let time = Int(String(decoding: fields[0], as: UTF8.self))
        else {
            text = Self.plain(line)
            return
        }
        text = Self.plain(fields[3])
        place = Origin(
            time: time, conversation: String(decoding: fields[1], as: UTF8.self),
            title: Self.plain(fields[2]))
    }

    private static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x0A: bytes += [0x5C, 0x6E]
            case 0x5C: bytes += [0x5C, 0x5C]
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func plain(_ line: ArraySlice<UInt8>) -> String {
        guard line.contains(0x5C) else { return String(decoding: line, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(line.count)
        var isEscaped = false
        for byte in line {
            if isEscaped {
                bytes.append(byte == 0x6E ? 0x0A : byte)
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a key was pasted by mistake; it is not kept on disk.
    static func holdsSecret(_ text: String) -> Bool {
        if KeyShape.isFound(in: text) { return true }
        let words = text.split { $0.isWhitespace || "\"'=".contains($0) }
        // One long word of letters and digits, and nothing else.
        guard words.count == 1, let word = words.first, word.utf8.count >= 24,
            KeyShape.isLikely(String(word))
        else { return false }
        let isToken = word.utf8.allSatisfy {
            $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
        return isToken && word.contains(where: \.isNumber) && word.contains(where: \.isLetter)
    }
}
