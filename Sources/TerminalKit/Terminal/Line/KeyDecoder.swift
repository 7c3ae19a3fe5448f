import Base

/// One action at the keyboard.
enum Key: Equatable, Sendable {
    /// A character or a control character, never ESC. NUL is Ctrl-Space.
    case character(Unicode.Scalar)
    /// Esc by itself.
    case escape
    /// A key with Alt, or one right after Esc: terminals send the same bytes.
    indirect case alt(Key)
    case left, right, up, down, home, end, pageUp, pageDown, delete, wordLeft, wordRight
    /// Ctrl-J, Alt-Enter, Shift-Enter: a line break inside the message.
    case lineBreak
    /// A complete bracketed paste, with line feeds only.
    case paste(String)
}

/// Decodes the bytes of a terminal, and the silence between them, into keys. Pure; without
/// a clock or editing.
///
/// ```
/// ESC [ params final   cursor keys; unknown ones are swallowed whole
/// ESC O final          the same keys in application mode
/// ESC [ 200 ~ … ESC [ 201 ~   one paste
/// CR, LF               Enter, Ctrl-J
/// ESC CR               Alt-Enter
/// ESC, silence         the Esc key
/// ESC x                x with Alt, or Esc and x to vi
/// ESC ESC [ params final      a cursor key with Alt
/// UTF-8                one scalar; invalid bytes become U+FFFD
/// ```
///
/// The rest of a key is waited for until `patience` has passed without a byte. Later bytes
/// are typing, except the rest of a key that was cut (`ESC`, silence, `[A` at once): then
/// the key is lost, and its rest is swallowed instead of typed. A late start of a paste
/// still starts one, since its line ends must not send anything.
///
/// The editor gets whole keys instead of bytes because vi's key map would take the ESC of
/// an arrow key or of a paste for "leave insert mode".
package struct KeyDecoder {
    /// Seconds to wait for the rest of a key, enough for a slow line.
    package static let usualPatience = 0.05

    /// Maximum bytes of one paste. A longer one is a file, for `--attach` or a pipe; here it would
    /// take several times its size. The rest is dropped, and the paste says so.
    package static let pasteLimit = 16 << 20

    let patience: Double
    private let mostOfPaste: Int
    private var bytes: [UInt8] = []
    private var head = 0
    /// Seconds without a byte since the last one.
    private var waited = 0.0
    /// The beginning of a key whose rest did not come in time.
    private var late: [UInt8] = []
    private var isInPaste = false
    private var isPasteCut = false
    /// Index at which the search for the end of the paste continues.
    private var pasteScan = 0

    init(patience: Double = usualPatience, pasteLimit: Int = KeyDecoder.pasteLimit) {
        self.patience = patience
        mostOfPaste = pasteLimit
    }

    /// Whether a sequence is incomplete. A paste does not count: it has an end mark, however slow
    /// the line is.
    var isMidSequence: Bool { head < bytes.count && !isInPaste }
    /// Seconds after which an incomplete key is complete as it is; nil without one.
    var rest: Double? { isMidSequence ? max(0, patience - waited) : nil }
    /// Whether a paste has begun and its end mark has not arrived.
    var isMidPaste: Bool { isInPaste }
    var isEmpty: Bool { head == bytes.count && !isInPaste }

    mutating func feed(_ more: some Sequence<UInt8>) {
        if head > 4096, head * 2 > bytes.count {
            bytes.removeFirst(head)
            pasteScan -= head
            head = 0
        }
        let before = bytes.count
        bytes.append(contentsOf: more)
        if bytes.count > before { waited = 0 }
    }

    /// Records seconds without a byte. They count for an incomplete key, so all whole keys must
    /// have been taken first.
    mutating func elapse(_ seconds: Double) {
        if isMidSequence { waited += seconds }
    }

    /// Takes over the state of another decoder.
    mutating func resume(_ other: KeyDecoder) {
        var other = other
        if isEmpty { self = other } else { feed(other.takeRest()) }
    }

    /// Takes all bytes that are not keys yet.
    mutating func takeRest() -> [UInt8] {
        let rest = (isInPaste ? Array("\u{1B}[200~".utf8) : []) + bytes[head...]
        self = KeyDecoder(patience: patience, pasteLimit: mostOfPaste)
        return rest
    }

    /// Removes Ctrl-C from the waiting bytes and returns whether there was one. After an
    /// escape sequence it may be part of a paste, and stays.
    mutating func takeInterrupts() -> Bool {
        guard !isInPaste else { return false }
        let end = bytes[head...].firstIndex(of: 0x1B) ?? bytes.endIndex
        let kept = bytes[head..<end].filter { $0 != 0x03 }
        guard kept.count < end - head else { return false }
        bytes.replaceSubrange(head..<end, with: kept)
        return true
    }

    /// Feeds bytes typed while the terminal still converted Enter to a line feed, which is
    /// undone outside of a paste.
    mutating func feedCooked(_ bytes: [UInt8]) {
        // Then a paste was not bracketed: the mode was not set yet.
        feed(bytes.map { $0 == 0x0A ? 0x0D : $0 })
    }

    /// Discards a paste whose end mark did not arrive.
    mutating func abandonPaste() {
        guard isInPaste else { return }
        self = KeyDecoder(patience: patience, pasteLimit: mostOfPaste)
    }

    /// The next key, or nil when more bytes or more silence are needed.
    mutating func next() -> Key? {
        while head < bytes.count {
            if isInPaste { return takePaste() }
            if !late.isEmpty, let step = lateRest() {
                switch step {
                case .key(let key): return key
                case .ignored: continue
                case .incomplete: return nil
                }
            }
            switch bytes[head] {
            case 0x1B:
                switch escape() {
                case .key(let key): return key
                case .ignored: continue
                case .incomplete: return nil
                }
            default:
                guard let key = plainKey(at: head) else { return nil }
                head += key.length
                if Self.isTyped(key.key) { return key.key }
            }
        }
        return nil
    }

    /// Whether no more bytes are expected for an incomplete key.
    private var isFinal: Bool { waited >= patience }

    /// A key that is not a sequence; nil if bytes are missing.
    private func plainKey(at start: Int) -> (key: Key, length: Int)? {
        switch bytes[start] {
        case 0x0D: (.character("\n"), 1)
        case 0x0A: (.lineBreak, 1)
        case 0x00..<0x80: (.character(Unicode.Scalar(bytes[start])), 1)
        default: multibyte(at: start).map { (.character($0.scalar), $0.length) }
        }
    }

    /// Whether a key was typed: C1 controls are commands to some terminals, never typed.
    private static func isTyped(_ key: Key) -> Bool {
        if case .character(let scalar) = key { !(0x80...0x9F).contains(scalar.value) } else { true }
    }

    // MARK: Escape sequences

    private enum Step {
        case key(Key)
        case ignored, incomplete
    }

    private mutating func escape() -> Step {
        guard head + 1 < bytes.count else { return isFinal ? pressEscape() : .incomplete }
        switch bytes[head + 1] {
        case UInt8(ascii: "["), UInt8(ascii: "O"): return sequence()
        case 0x0D, 0x0A:
            head += 2
            return .key(.lineBreak)
        case 0x1B: return secondEscape()
        // Ctrl-C, Ctrl-D, Ctrl-Z, Ctrl-\: an Alt must not delay their effect.
        case 0x00, 0x03, 0x04, 0x1A, 0x1C: return pressEscape()
        default:
            guard let key = plainKey(at: head + 1) else { return .incomplete }
            head += 1 + key.length
            return Self.isTyped(key.key) ? .key(.alt(key.key)) : .ignored
        }
    }

    /// Esc by itself: the next bytes may still be the rest of a key.
    private mutating func pressEscape() -> Step {
        late = [0x1B]
        head += 1
        return .key(.escape)
    }

    /// Esc held down, or a cursor key with Alt as sent by PuTTY and rxvt.
    private mutating func secondEscape() -> Step {
        switch Self.scan(bytes[(head + 1)...]) {
        case .incomplete where !isFinal: return .incomplete
        case .whole(let length, let final, let parameters):
            guard let key = Self.key(final: final, parameters: parameters) else { break }
            head += 1 + length
            return .key(.alt(key))
        case .none, .incomplete: break
        }
        head += 1
        return .key(.escape)
    }

    private mutating func sequence() -> Step {
        switch Self.scan(bytes[head...]) {
        case .incomplete:
            guard isFinal else { return .incomplete }
            late = Array(bytes[head...])
            head = bytes.count
            return .ignored
        case .none(let length):
            head += length
            return .ignored
        case .whole(let length, let final, let parameters):
            head += length
            if let step = beginPaste(final, parameters) { return step }
            return Self.key(final: final, parameters: parameters).map(Step.key) ?? .ignored
        }
    }

    /// The rest of a key that was cut; nil if the bytes are typing.
    private mutating func lateRest() -> Step? {
        switch Self.scan(late + bytes[head...].prefix(68)) {
        case .incomplete where !isFinal: return .incomplete
        case .whole(let length, let final, let parameters)
        where Self.isCut(final: final, parameters: parameters):
            head += length - late.count
            late = []
            return beginPaste(final, parameters) ?? .ignored
        case .none, .incomplete, .whole:
            late = []
            return nil
        }
    }

    private mutating func beginPaste(_ final: UInt8, _ parameters: String) -> Step? {
        guard final == UInt8(ascii: "~"), parameters == "200" else { return nil }
        isInPaste = true
        pasteScan = head
        return takePaste().map(Step.key) ?? .incomplete
    }

    private enum Scan {
        /// More bytes may follow.
        case incomplete
        /// The first `length` bytes are not a sequence.
        case none(length: Int)
        case whole(length: Int, final: UInt8, parameters: String)
    }

    /// Scans the sequence at the start, which is an ESC. ECMA-48 5.4: parameters 30–3F,
    /// intermediates 20–2F, final 40–7E.
    private static func scan(_ bytes: some RandomAccessCollection<UInt8>) -> Scan {
        let bytes = Array(bytes.prefix(68))
        guard bytes.count > 1 else { return .incomplete }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            return .none(length: 1)
        }
        var start = 2
        // F1 to F5 on the console of Linux: ESC [ [ A.
        if bytes[1] == UInt8(ascii: "["), bytes.count > 2, bytes[2] == UInt8(ascii: "[") {
            start = 3
        }
        var end = start
        while end < bytes.count, end - start < 64, (0x20...0x3F).contains(bytes[end]) { end += 1 }
        guard end < bytes.count else { return .incomplete }
        guard (0x40...0x7E).contains(bytes[end]) else { return .none(length: end) }
        return .whole(
            length: end + 1, final: start == 3 ? 0 : bytes[end],
            parameters: String(decoding: bytes[start..<end], as: UTF8.self))
    }

    /// Whether a late rest belongs to a key or a report rather than typing.
    private static func isCut(final: UInt8, parameters: String) -> Bool {
        "ABCDEFHIOPQRSZ~u".utf8.contains(final)
            && parameters.allSatisfy { $0.isNumber || $0 == ";" }
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
            case "5": return .pageUp
            case "6": return .pageDown
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
                let text = Self.cleanPaste(bytes[head..<min(at, head + mostOfPaste)])
                isPasteCut = isPasteCut || at > head + mostOfPaste
                head = at + mark.count
                defer { (isInPaste, isPasteCut) = (false, false) }
                return .paste(isPasteCut ? text + cutMark : text)
            }
            at += 1
        }
        // Bytes beyond the limit are dropped as they arrive.
        let end = head + mostOfPaste
        if at > end {
            bytes.removeSubrange(end..<at)
            (isPasteCut, at) = (true, end)
        }
        pasteScan = at
        return nil
    }

    private var cutMark: String {
        "\n[The paste ends here: it had more than \(Quantities.bytes(mostOfPaste)).]\n"
    }

    /// Line ends become line feeds; tabs stay; other controls are escaped (`\x1b`), so that they
    /// are visible and have no effect.
    package static func cleanPaste(_ raw: ArraySlice<UInt8>) -> String {
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

    /// Nil if bytes are missing.
    private func multibyte(at start: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        let length =
            switch bytes[start] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        let available = bytes[start..<min(start + length, bytes.count)]
        let hasOnlyTrail = available.dropFirst().allSatisfy { (0x80...0xBF).contains($0) }
        if length > 1, available.count < length, hasOnlyTrail, !isFinal { return nil }
        var iterator = available.makeIterator()
        var decoder = UTF8()
        if length > 1, case .scalarValue(let scalar) = decoder.decode(&iterator) {
            return (scalar, length)
        }
        // At most the expected bytes; otherwise keys would depend on where a read ended.
        var end = start + 1
        while end < start + available.count, (0x80...0xBF).contains(bytes[end]) { end += 1 }
        return ("\u{FFFD}", end - start)
    }
}
