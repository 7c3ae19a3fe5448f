/// Input typed while a question may not be answered yet. Pure.
///
/// It ends after a pause in typing, so that a user who was typing a message when the question
/// appeared does not answer it with the rest of that message, as "may" and Enter would. It also
/// ends only at the end of a key: the rest of a paste that began too early belongs to that paste,
/// however slow the line is, and is never the answer.
struct EarlyTyping {
    private(set) var bytes: [UInt8] = []
    private var decoder: KeyDecoder
    /// Whether it continues a paste that began before the question.
    private let continuesPaste: Bool

    /// Seconds without typing, enough to read a question.
    private static let quietTime = 0.3
    private var quietEnd: Double

    /// - Parameters:
    ///   - earlier: the decoder from before the question; it keeps its keys.
    ///   - now: the uptime at which the question is on the screen.
    init(after earlier: KeyDecoder, at now: Double) {
        decoder = earlier
        quietEnd = now + Self.quietTime
        while decoder.next() != nil {}
        continuesPaste = decoder.isMidPaste
    }

    mutating func feed(_ more: [UInt8], at now: Double) {
        if !more.isEmpty { quietEnd = now + Self.quietTime }
        bytes += more
        decoder.feed(more)
        while decoder.next() != nil {}
    }

    /// Remaining seconds without typing.
    func rest(at now: Double) -> Double { max(0, quietEnd - now) }

    /// Whether a paste has begun and not ended.
    var isMidPaste: Bool { decoder.isMidPaste }
    /// Whether an escape sequence has begun; its rest arrives at once or not at all.
    var isMidSequence: Bool { decoder.isMidSequence }

    /// Whether it was meant for the question, which then drops it; otherwise it goes to the next
    /// prompt.
    func isFor(_ question: Question) -> Bool {
        if continuesPaste { return false }
        let lines = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        return lines.allSatisfy { question.looksLikeAnswer(String(decoding: $0, as: UTF8.self)) }
    }
}
