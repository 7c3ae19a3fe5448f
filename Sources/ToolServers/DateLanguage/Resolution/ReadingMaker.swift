import Base
import ICalendar

/// Assembles a parsed phrase: the resolved dates, the title, the kind, the confidence and
/// the alternatives.
struct ReadingMaker {
    let phrase: String
    let bytes: [UInt8]
    let tokens: [Token]
    let context: DateContext
    let selection: Selection

    func reading() -> ParsedPhrase {
        let outcome = Resolver(
            context: context, selection: selection, hint: hint
        ).outcome()
        let returned = Set(outcome.returned.map(\.tokens))
        let used = selection.used.filter { !returned.contains($0.tokens) }
        var isUsed = [Bool](repeating: false, count: tokens.count)
        for index in used.flatMap(\.tokens) { isUsed[index] = true }
        // "at 8 both today and tomorrow", "jeweils um 9"
        if outcome.recurrence != nil || !outcome.further.isEmpty {
            for index in tokens.indices where Lexicon.has(.timeFillers, tokens[index].text) {
                isUsed[index] =
                    isUsed[index] || index > 0 && isUsed[index - 1]
                    || index + 1 < tokens.count && isUsed[index + 1]
            }
        }
        let event = takeEvent(used, &isUsed)
        let leads = used.compactMap(\.lead)
        let lead = Self.ranking.first(where: leads.contains)
        let titles = TitleMaker(bytes: bytes, tokens: tokens, isUsed: isUsed, hasLead: lead != nil)
        let (title, titleRange) = titles.title()
        var reading = outcome.reading
        reading.title = title.isEmpty ? fallbackTitle(lead) : title
        reading.lead = lead
        reading.anchor = event.flatMap { anchor($0, words: titles.name($0)) }
        for piece in used { add(piece, to: &reading) }
        if let titleRange { reading.spans.append(.init(.title, titleRange)) }
        reading.spans.sort { $0.range.lowerBound < $1.range.lowerBound }
        reading.kind = kind(reading, outcome, isUsed)
        judge(&reading, outcome, isUsed)
        if let event, lead == .alarm || followsEvent(titleRange) && titles.name(event) != title {
            shift(&reading)
        }
        return reading
    }

    private func followsEvent(_ title: Range<Int>?) -> Bool {
        guard let title, let beside = selection.beside else { return false }
        return title.lowerBound > tokens[beside.tokens.lowerBound].range.lowerBound
    }

    /// "2 hours before my 19:20 flight to leave": the task is due at that time; "2 hours
    /// before my 19:20 flight" is the flight with an alarm.
    private func shift(_ reading: inout ParsedPhrase) {
        guard reading.anchor == nil, let alarm = reading.alarm, reading.recurrence == nil,
            reading.further.isEmpty, case .time(let clock)? = reading.start
        else { return }
        let time = alarm.added(
            to: .time(clock, zone: context.local.rules), in: context.local)
        reading.start = .time(context.local.civil(at: time.instant(in: context.local)))
        (reading.alarm, reading.end) = (nil, nil)
        reading.alternatives = []
    }

    /// The tokens that name the event of "an hour before my meeting with Bo". They are the
    /// title only if there is no other.
    private func takeEvent(_ used: [Piece], _ isUsed: inout [Bool]) -> [Int]? {
        guard let beside = selection.beside else { return nil }
        var event: [Int] = []
        for index in beside.tokens.upperBound..<tokens.count {
            if isUsed[index] {
                let next = tokens.indices.first { $0 > index && !isUsed[$0] }
                let goesOn = next.map { ["with", "mit"].contains(tokens[$0].text) } == true
                if event.isEmpty || goesOn { continue }
                break
            }
            let token = tokens[index]
            guard token.kind != .sign || token.isGlued && token.text == "-",
                !["to", "and", "und", "zu"].contains(token.text)
            else { break }
            event.append(index)
        }
        let hasOther = tokens.indices.contains { index in
            !isUsed[index] && !event.contains(index) && tokens[index].kind != .sign
                && !["to", "about", "an"].contains(tokens[index].text)
        }
        if hasOther { for index in event { isUsed[index] = true } }
        return event
    }

    private func anchor(_ event: [Int], words: String) -> ParsedPhrase.Anchor? {
        guard let beside = selection.beside, case .beside(let amount) = beside.value,
            let first = event.first, let last = event.last,
            amount.isExact || selection.day == nil || !selection.repeats.isEmpty
        else { return nil }
        return ParsedPhrase.Anchor(
            offset: amount.trigger, words: words,
            range: tokens[first].range.lowerBound..<tokens[last].range.upperBound)
    }

    /// Most specific first, for a phrase with several lead-ins.
    private static let ranking: [Lexicon.Lead] = [
        .alarm, .timer, .reminder, .task, .event, .weakEvent, .weakTask, .filler,
    ]

    private func fallbackTitle(_ lead: Lexicon.Lead?) -> String {
        let trimmed = phrase.drop { $0.isWhitespace }
        if let lead, lead.isTask {
            let words = Set(tokens.map(\.text))
            if words.contains("wake") { return "wake up" }
            if !words.isDisjoint(with: ["weck", "wecke", "wecken", "aufwecken"]) {
                return "aufwachen"
            }
            if lead == .alarm { return words.contains("wecker") ? "Wecker" : "alarm" }
            if lead == .timer { return "timer" }
            return context.locale.language == .german ? "Erinnerung" : "reminder"
        }
        return trimmed.isEmpty ? phrase : String(trimmed)
    }

    private func add(_ piece: Piece, to reading: inout ParsedPhrase) {
        let (first, last) = (tokens[piece.tokens.lowerBound], tokens[piece.tokens.upperBound - 1])
        let range = first.range.lowerBound..<last.range.upperBound
        func span(_ part: ParsedPhrase.Span.Part) { reading.spans.append(.init(part, range)) }
        switch piece.value {
        case .beside: span(.alarm)
        case .day, .days, .stretch, .allDay: span(piece.relation == .until ? .end : .date)
        case .clock: span(piece.relation == .until ? .end : .time)
        case .hours, .part, .elapsed, .vague: span(.time)
        case .duration: span(.duration)
        case .recurrence, .count, .except: span(.recurrence)
        case .zone: span(.zone)
        case .alarm(let trigger):
            (reading.alarm, reading.hasNoAlarm) = (trigger, trigger == nil)
            span(.alarm)
        case .priority(let priority):
            reading.priority = min(reading.priority ?? 9, priority)
            span(.priority)
        case .category(let name):
            if !reading.categories.contains(name) { reading.categories.append(name) }
            span(.category)
        case .list(let name):
            reading.list = name
            span(.list)
        case .lead, .noise: span(.lead)
        }
    }

    // MARK: Kind

    private func kind(_ reading: ParsedPhrase, _ outcome: Resolver.Outcome, _ isUsed: [Bool])
        -> ParsedPhrase.Kind
    {
        guard reading.start != nil, !reading.hasLead else { return .todo }
        let isDeadline = [selection.day, selection.clock, selection.part].contains {
            $0?.relation == .deadline
        }
        if isDeadline { return .todo }
        let isAllDay = selection.extras.contains {
            if case .allDay = $0.value { true } else { false }
        }
        if outcome.isSpan || reading.end != nil || isAllDay { return .event }
        guard case .time? = reading.start, selection.elapsed == nil else { return .todo }
        return isMeeting(isUsed) ? .event : .todo
    }

    /// Whether a noun says that people meet.
    private func isMeeting(_ isUsed: [Bool]) -> Bool {
        tokens.indices.contains { index in
            let (token, next) = (tokens[index], tokens[(index + 1)...].prefix(2).map(\.text))
            guard !isUsed[index] else { return false }
            return token.kind == .word && Lexicon.isAppointment(token.text)
                || ["call", "coffee", "drinks", "catch"].contains(token.text)
                    && ["with", "mit"].contains(next.first)
                || token.text == "sync" && !next.isEmpty || token.text == "1" && next == [":", "1"]
        }
    }

    /// Dinner is in the evening and waking up is not; an alarm rings in the morning unless
    /// the phrase says otherwise.
    private var hint: ClockResolver.Hint {
        func has(_ kind: Lexicon.Words) -> Bool {
            tokens.contains { $0.kind == .word && Lexicon.has(kind, $0.text) }
        }
        let isAlarm =
            selection.extras.contains { $0.lead == .alarm }
            || tokens.prefix(6).contains { ["alarm", "wecker"].contains($0.text) }
        return isAlarm || has(.earlyThings)
            ? .early
            : has(.lateThings)
                ? .late
                : has(.timetabled) ? .timetable : .none
    }

    // MARK: Confidence

    private func judge(
        _ reading: inout ParsedPhrase, _ outcome: Resolver.Outcome, _ isUsed: [Bool]
    ) {
        var confidence = 0.95
        if outcome.isPast {
            reading.doubts.append(.past)
            confidence = 0.4
        }
        if outcome.isAmbiguous || outcome.isUnsure {
            reading.doubts.append(.ambiguous)
            confidence = min(confidence, outcome.isUnsure ? 0.6 : DateParser.certain)
        }
        if !outcome.contradictory.isEmpty { reading.doubts.append(.contradictory) }
        let unused = UnusedWords(
            tokens: tokens, bytes: bytes, selection: selection, outcome: outcome,
            reading: reading, isUsed: isUsed)
        let doubted = unused.doubted
        reading.unused = unused.texts(with: doubted)
        let isWeak = selection.unused.contains { $0.strength == 0 }
        if !doubted.isEmpty || (isWeak && reading.start == nil) {
            reading.doubts.append(.leftover)
            confidence = min(confidence, 0.7)
        }
        if !outcome.others.isEmpty { confidence = min(confidence, 0.85) }
        reading.confidence = confidence
        var seen: Set<ParsedPhrase.Moment> = []
        if let start = reading.start { seen.insert(start) }
        for (index, other) in outcome.others.prefix(3).enumerated()
        where seen.insert(other).inserted {
            var alternative = reading
            alternative.start = other
            alternative.end = nil
            if case .time(let end)? = reading.end, case .time = other, let start = reading.start {
                alternative.end = .time(
                    CivilDateTime(secondsAsUTC: other.order + end.secondsAsUTC - start.order))
            }
            alternative.alternatives = []
            alternative.doubts = []
            alternative.confidence = (1 - confidence) * (index == 0 ? 0.8 : 0.4)
            reading.alternatives.append(alternative)
        }
    }
}
