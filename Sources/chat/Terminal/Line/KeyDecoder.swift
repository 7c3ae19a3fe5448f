/// One thing the user did at the keyboard.
enum Key: Equatable, Sendable {
    /// A character or a control character, ESC included.
    case character(Unicode.Scalar)
    case left, right, up, down, home, end, delete, wordLeft, wordRight
    /// Ctrl-J, Alt-Enter, Shift-Enter: a line break inside the message.
    case lineBreak
    /// A bracketed paste, whole, with line feeds only.
    case paste(String)
}

/// Turns the bytes of a terminal into keys. Pure; knows nothing of editing.
///
/// ```
/// ESC [ params final   cursor keys; unknown ones are swallowed whole
/// ESC O final          the same keys in application mode
/// ESC [ 200 ~ … ESC [ 201 ~   one paste
/// CR, LF               Enter, Ctrl-J
/// ESC CR               Alt-Enter
/// ESC x                ESC, then x: libedit's Meta keys and vi's command mode
/// UTF-8                one scalar; what is invalid becomes U+FFFD
/// ```
///
/// The editor gets whole keys instead of bytes because vi's key map would take
/// the ESC of an arrow key or of a paste for "leave insert mode".
struct KeyDecoder {
    private var bytes: [UInt8] = []
    private var head = 0
    private var isInPaste = false
    /// Where the search for the end of the paste goes on.
    private var pasteScan = 0

    /// A started sequence waits for its rest. A paste does not count: it has an
    /// end mark, however slow the line is.
    var isMidSequence: Bool { head < bytes.count && !isInPaste }
    /// A paste has begun and its end mark has not come.
    var isMidPaste: Bool { isInPaste }
    var isEmpty: Bool { head == bytes.count && !isInPaste }

    mutating func feed(_ more: some Sequence<UInt8>) {
        if head > 4096, head * 2 > bytes.count {
            bytes.removeFirst(head)
            pasteScan -= head
            head = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Takes all bytes that are not keys yet.
    mutating func takeRest() -> [UInt8] {
        let rest = (isInPaste ? Array("\u{1B}[200~".utf8) : []) + bytes[head...]
        self = KeyDecoder()
        return rest
    }

    /// Takes the Ctrl-C out of what waits; whether there was one. Behind an
    /// escape sequence it may be part of a paste, and stays.
    mutating func takeInterrupts() -> Bool {
        guard !isInPaste else { return false }
        let end = bytes[head...].firstIndex(of: 0x1B) ?? bytes.endIndex
        let kept = bytes[head..<end].filter { $0 != 0x03 }
        guard kept.count < end - head else { return false }
        bytes.replaceSubrange(head..<end, with: kept)
        return true
    }

    /// Takes bytes that were typed while the terminal still made a line feed of
    /// Enter: outside of a paste that is what it was.
    mutating func feedCooked(_ bytes: [UInt8]) {
        // A paste was not bracketed then: nobody had asked for it.
        feed(bytes.map { $0 == 0x0A ? 0x0D : $0 })
    }

    /// Ends a paste whose end mark did not come and forgets it.
    mutating func abandonPaste() {
        guard isInPaste else { return }
        self = KeyDecoder()
    }

    /// The next key, or nil when more bytes are needed. `isFinal` says that no
    /// more will come soon: a lone ESC is then the ESC key.
    mutating func next(isFinal: Bool = false) -> Key? {
        while head < bytes.count {
            if isInPaste { return takePaste() }
            switch bytes[head] {
            case 0x1B:
                switch escape(isFinal: isFinal) {
                case .key(let key): return key
                case .ignored: continue
                case .incomplete: return nil
                }
            case 0x00:
                head += 1
            case 0x0D:
                head += 1
                return .character("\n")
            case 0x0A:
                head += 1
                return .lineBreak
            case 0x01..<0x80:
                let scalar = Unicode.Scalar(bytes[head])
                head += 1
                return .character(scalar)
            default:
                guard let scalar = multibyte(isFinal: isFinal) else { return nil }
                // C1 controls are commands to some terminals, never typed.
                if (0x80...0x9F).contains(scalar.value) { continue }
                return .character(scalar)
            }
        }
        return nil
    }

    private enum Escape { case key(Key), ignored, incomplete }

    private mutating func escape(isFinal: Bool) -> Escape {
        guard head + 1 < bytes.count else {
            guard isFinal else { return .incomplete }
            head += 1
            return .key(.character("\u{1B}"))
        }
        switch bytes[head + 1] {
        case UInt8(ascii: "["), UInt8(ascii: "O"): return sequence(isFinal: isFinal)
        case 0x0D, 0x0A:
            head += 2
            return .key(.lineBreak)
        default:
            head += 1
            return .key(.character("\u{1B}"))
        }
    }

    /// ECMA-48 5.4: parameters 30–3F, intermediates 20–2F, final 40–7E.
    private mutating func sequence(isFinal: Bool) -> Escape {
        let start = head + 2
        var end = start
        while end < bytes.count, end - start < 64, (0x20...0x3F).contains(bytes[end]) { end += 1 }
        guard end < bytes.count else {
            guard isFinal else { return .incomplete }
            head = end
            return .ignored
        }
        guard (0x40...0x7E).contains(bytes[end]) else {
            head = end
            return .ignored
        }
        let parameters = String(decoding: bytes[start..<end], as: UTF8.self)
        let final = bytes[end]
        head = end + 1
        if final == UInt8(ascii: "~"), parameters == "200" {
            isInPaste = true
            pasteScan = head
            return takePaste().map(Escape.key) ?? .incomplete
        }
        return Self.key(final: final, parameters: parameters).map(Escape.key) ?? .ignored
    }

    private static func key(final: UInt8, parameters: String) -> Key? {
        // ";5" is Control and ";3" is Alt: both move by word, as in shells.
        let byWord = parameters.hasSuffix(";5") || parameters.hasSuffix(";3")
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return byWord ? .wordRight : .right
        case UInt8(ascii: "D"): return byWord ? .wordLeft : .left
        case UInt8(ascii: "H"): return .home
        case UInt8(ascii: "F"): return .end
        case UInt8(ascii: "~"):
            switch parameters {
            case "1", "7": return .home
            case "4", "8": return .end
            case "3": return .delete
            // Shift-Enter and Alt-Enter of xterm's modifyOtherKeys.
            case "27;2;13", "27;3;13": return .lineBreak
            default: return nil
            }
        // The same as `CSI u`.
        case UInt8(ascii: "u") where ["13;2", "13;3"].contains(parameters): return .lineBreak
        default: return nil
        }
    }

    private mutating func takePaste() -> Key? {
        let mark = Array("\u{1B}[201~".utf8)
        var at = max(pasteScan, head)
        while at + mark.count <= bytes.count {
            if bytes[at] == 0x1B, bytes[at..<(at + mark.count)].elementsEqual(mark) {
                let text = Self.cleanPaste(bytes[head..<at])
                head = at + mark.count
                isInPaste = false
                return .paste(text)
            }
            at += 1
        }
        pasteScan = at
        return nil
    }

    /// Line ends become line feeds; tabs stay; other controls are written out
    /// (`\x1b`), so that nothing is lost and nothing acts.
    static func cleanPaste(_ raw: ArraySlice<UInt8>) -> String {
        var clean = ""
        var afterReturn = false
        for scalar in String(decoding: raw, as: UTF8.self).unicodeScalars {
            defer { afterReturn = scalar == "\r" }
            switch scalar.value {
            case 0x0A where afterReturn: continue
            case 0x0A, 0x0D: clean.unicodeScalars.append("\n")
            case 0x09: clean.unicodeScalars.append("\t")
            case 0..<0x20, 0x7F...0x9F: clean += HostileText.visible(scalar)
            default: clean.unicodeScalars.append(scalar)
            }
        }
        return clean
    }

    private mutating func multibyte(isFinal: Bool) -> Unicode.Scalar? {
        let length =
            switch bytes[head] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let available = bytes[head..<min(head + length, bytes.count)]
        let hasOnlyTrail = available.dropFirst().allSatisfy { (0x80...0xBF).contains($0) }
        if length > 1, available.count < length, hasOnlyTrail, !isFinal { return nil }
        var iterator = available.makeIterator()
        var decoder = UTF8()
        if length > 1, case .scalarValue(let scalar) = decoder.decode(&iterator) {
            head += length
            return scalar
        }
        head += 1
        while head < bytes.count, (0x80...0xBF).contains(bytes[head]) { head += 1 }
        return "\u{FFFD}"
    }
}
