/// From the bytes that are typed while a panel is open to its keys. Pure.
///
/// What had begun before it opened, a paste over a slow line say, is no typing
/// for it and goes where it went. ESC with something right behind it is a key
/// with Alt, which no panel has: it must not count as Esc.
struct PanelKeys {
    private var decoder = KeyDecoder()
    private var isAfterEscape = false

    /// Some of a key is there, and its rest comes at once or not at all.
    var isMidSequence: Bool { decoder.isMidSequence || isAfterEscape }

    mutating func feed(_ bytes: some Sequence<UInt8>) { decoder.feed(bytes) }

    /// - Parameter isFinal: nothing more comes soon.
    mutating func next(isFinal: Bool = false) -> PanelKey? {
        while let key = decoder.next(isFinal: isFinal) {
            if key == .character("\u{1B}"), !decoder.isEmpty, !isAfterEscape {
                isAfterEscape = true
                continue
            }
            if isAfterEscape {
                isAfterEscape = false
                // Esc, pressed twice.
                if key == .character("\u{1B}") { return .escape }
                continue
            }
            if let key = PanelKey(key) { return key }
        }
        // What was behind the ESC is nothing we know.
        if isFinal { isAfterEscape = false }
        return nil
    }

    /// A paste that goes on when the panel closes; it stays one paste.
    mutating func takePaste() -> [UInt8] { decoder.isMidPaste ? decoder.takeRest() : [] }
}
