/// What is typed while a question may not be answered yet. Pure.
///
/// It ends only where a key ends: the rest of a paste that began too early is
/// part of that paste, however long a slow line takes to bring it, and never
/// the answer.
struct EarlyTyping {
    private(set) var bytes: [UInt8] = []
    private var decoder: KeyDecoder
    /// The paste it goes on with began before the question.
    private let continuesPaste: Bool

    /// - Parameter earlier: the typing before the question; it keeps its keys.
    init(after earlier: KeyDecoder) {
        decoder = earlier
        while decoder.next() != nil {}
        continuesPaste = decoder.isMidPaste
    }

    mutating func feed(_ more: [UInt8]) {
        bytes += more
        decoder.feed(more)
        while decoder.next() != nil {}
    }

    /// A paste has begun and not ended.
    var isMidPaste: Bool { decoder.isMidPaste }
    /// An escape sequence has begun; its rest comes at once or not at all.
    var isMidSequence: Bool { decoder.isMidSequence }

    /// Whether it was meant for the question, which then drops it; else it
    /// belongs to the next prompt.
    func isFor(_ question: Question) -> Bool {
        if continuesPaste { return false }
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        return lines.allSatisfy { question.looksLikeAnswer(String(decoding: $0, as: UTF8.self)) }
    }
}
