import Base
import ICalendar

/// Finds the words of a phrase that its reading ignores: a second time, a number, a
/// negation, a condition. Pure.
///
/// This is the only check before anything is stored or changed: whatever was not parsed as
/// a time must be a title and nothing else. If there is more, the user is asked.
struct UnusedWords {
    let tokens: [Token]
    let bytes: [UInt8]
    let selection: Selection
    let outcome: Resolver.Outcome
    /// The reading with its title, spans and alarm already set.
    let reading: ParsedPhrase
    let isUsed: [Bool]

    /// The words as written, in order: `doubted`, and lengths that no time uses.
    func texts(with doubted: [Range<Int>]) -> [String] {
        // A duration may be part of the task.
        let lengths = outcome.returned.filter { $0.duration != nil }.filter {
            outcome.start == nil || $0.isOfDays
        }
        let ranges = (doubted + lengths.map(\.tokens)).sorted { $0.lowerBound < $1.lowerBound }
        var apart: [Range<Int>] = []
        for range in ranges {
            if let last = apart.last, range.lowerBound < last.upperBound {
                let end = max(last.upperBound, range.upperBound)
                apart[apart.count - 1] = last.lowerBound..<end
            } else {
                apart.append(range)
            }
        }
        return apart.map { TitleMaker.text(Array($0), of: tokens, in: bytes) }
    }

    /// The words that make the reading uncertain, as token ranges.
    var doubted: [Range<Int>] {
        let pieces = pieces
        let taken = Set((pieces + selection.used.map(\.tokens)).joined())
        let lone = tokens.indices.filter { !taken.contains($0) && isLoneTime($0) }.map {
            max(0, $0 - 1)..<$0 + 1
        }
        return pieces + lone + beside + unsure + afterwards + inTitle + days
    }

    // MARK: - Pieces

    /// Pieces that looked like a time but are not part of this one.
    private var pieces: [Range<Int>] {
        var pieces = selection.unused.filter { $0.strength >= 1 } + outcome.returned
        pieces += selection.extras.filter(\.isVague)
        if outcome.isInexpressible { pieces += selection.repeats }
        // "Weekly on monday and wednesday" has both in its rule.
        if let day = selection.day, !day.more.isEmpty, !selection.makesItemOfEachDay,
            let rule = reading.recurrence,
            rule.byDay.count + rule.byMonthDay.count < day.days.count
        {
            pieces.append(day)
        }
        pieces += outcome.contradictory
        // Before which event? "An hour before" is an alarm if there is a time.
        let hasClock = if case .time? = reading.start { true } else { false }
        if let beside = selection.beside, !selection.isShifted,
            beside.isAlarm ? !hasClock : reading.anchor == nil
        {
            pieces.append(beside)
        }
        if !hasClock, reading.start == nil || reading.alarm?.days == 0 {
            pieces += selection.extras.filter(\.isAlarm)
        }
        return pieces.filter { $0.duration == nil }.map(\.tokens)
    }

    /// "eye drops tomorrow 8am for 7 days": only an event lasts for days.
    private var days: [Range<Int>] {
        guard let length = selection.duration, length.isOfDays, reading.recurrence == nil,
            let start = reading.start
        else { return [] }
        if [.reminder, .task].contains(reading.lead) { return [length.tokens] }
        if case .date = start { return [] }
        return tokens.contains { Lexicon.namesAppointment($0.text) } ? [] : [length.tokens]
    }

    /// "pm" without an hour, or a number after "at" that is not a time.
    private func isLoneTime(_ index: Int) -> Bool {
        let before = index > 0 ? tokens[index - 1] : nil
        if tokens[index].has(.pm) { return true }
        if tokens[index].has(.am) { return before?.kind == .digits || before?.lexeme.number != nil }
        guard tokens[index].kind == .digits, before?.has(.at) == true || before?.has(.by) == true
        else { return false }
        return isClosed(index + 1)
    }

    /// Whether the clause ends here.
    private func isClosed(_ index: Int) -> Bool {
        guard tokens.indices.contains(index) else { return true }
        return isUsed[index] || tokens[index].kind == .sign && !tokens[index].isGlued
            || tokens[index].has(.function)
    }

    // MARK: - Beside a time

    /// "not at 7", "the previous friday", "haircut to tomorrow", "tomorrow 9 4": words next
    /// to a time that were not parsed with it.
    private var beside: [Range<Int>] {
        var found: [Range<Int>] = []
        for piece in selection.times.map(\.tokens) {
            let before = piece.lowerBound - 1
            if before >= 0, !isUsed[before], Lexicon.has(.timeChangers, tokens[before].text),
                tokens[before].text != "to" || before > 0 && !isUsed[before - 1],
                // "stell den Wecker am Sonntag auf 8"
                tokens[before].text != "auf" || reading.lead == nil
            {
                found.append(before..<piece.upperBound)
            }
            // "two hours before 6pm …"
            if before >= 0, !isUsed[before], tokens[before].lexeme.unit != nil,
                tokens[before + 1].has(.before) || tokens[before + 1].has(.after)
            {
                found.append(before..<piece.upperBound)
            }
            var end = piece.upperBound
            // "mornings only"
            while end < tokens.count, !isUsed[end], tokens[end].isSign(",") { end += 1 }
            if end < tokens.count, !isUsed[end],
                ["only", "nur", "except", "außer"].contains(tokens[end].text)
            {
                found.append(piece.lowerBound..<end + 1)
            }
            end = piece.upperBound
            while end < tokens.count, !isUsed[end], tokens[end].kind == .digits { end += 1 }
            if end > piece.upperBound, isClosed(end) { found.append(piece.upperBound..<end) }
        }
        return found
    }

    // MARK: - Times that are not sure

    /// Inexact times: "after 5", "at sunset", "every few days".
    private var unsure: [Range<Int>] {
        // "after lunch at 1:45" is exact.
        selection.times.filter {
            !$0.isChoice && ($0.part == nil || selection.clock == nil)
        }.map(\.tokens).filter { range in
            let stretch = Array(tokens[range])
            // "3 days later" is exact.
            let isLater = stretch.last?.has(.later) == true
            if isLater, stretch.contains(where: { $0.lexeme.unit != nil }) { return false }
            return Lexicon.isUnsureTime(stretch.filter { $0.kind != .sign }.map(\.text))
                || isBound(stretch)
        } + later + openEnd
    }

    /// "daily in the next ten days": a bound that was parsed as a start.
    private func isBound(_ stretch: [Token]) -> Bool {
        reading.recurrence?.bound == RecurrenceRule.Bound.none
            && stretch.contains { $0.lexeme.unit != nil }
            && (stretch.contains { $0.has(.next) }
                && stretch.contains { $0.lexeme.number != nil || $0.kind == .digits }
                || stretch.first.map { $0.text == "this" || $0.text.hasPrefix("diese") } == true)
    }

    /// "later today"; "3 hours later" is exact.
    private var later: [Range<Int>] {
        tokens.indices.filter { index in
            ["later", "soon", "sometime", "später", "irgendwann"].contains(tokens[index].text)
                && !isInTitle(index) && (index == 0 || tokens[index - 1].lexeme.unit == nil)
        }.map { $0..<$0 + 1 }
    }

    /// "every day until last tuesday"
    private var openEnd: [Range<Int>] {
        guard let rule = reading.recurrence, rule.bound == .none, reading.end == nil,
            selection.hours == nil
        else { return [] }
        return tokens.indices.filter { index in
            ["until", "till", "til", "bis"].contains(tokens[index].text) && !isInTitle(index)
                // "Montag bis Freitag"
                && !selection.repeats.contains { $0.tokens.contains(index) }
        }.map { $0..<$0 + 1 }
    }

    // MARK: - The title

    private var titleSpan: Range<Int>? { reading.spans.first { $0.part == .title }?.range }

    private func isInTitle(_ index: Int) -> Bool {
        !isUsed[index] && titleSpan.map { $0.contains(tokens[index].range.lowerBound) } == true
    }

    /// Words that a title does not contain; a quoted title may contain anything.
    private var inTitle: [Range<Int>] {
        var title = tokens.indices.filter { isInTitle($0) }
        guard let first = title.first else { return [] }
        if tokens[first].kind == .quoted || ["“", "„"].contains(tokens[first].text) { return [] }
        let isNot = title.count > 1 && tokens[first].text == "not" && tokens[title[1]].text == "to"
        if isNot, case .time? = reading.start { return [] }
        // "… and on friday to chase the invoice"
        if reading.lead == nil, tokens[first].text == "to", title.count > 1 { title.removeFirst() }
        let isWindowed = [.hourly, .minutely].contains(reading.recurrence?.frequency)
        // A day before "alarm" gives its time: "weekday alarm 6:50".
        let isAlarm =
            title.last.map { ["alarm", "timer", "wecker"].contains(tokens[$0].text) } == true
        let hasTime = reading.start != nil || reading.recurrence != nil
        let found = Leftovers.ranges(
            in: title.map { tokens[$0] }, hasTime: hasTime && !isAlarm,
            isWindowed: isWindowed)
        return found.map { title[$0.lowerBound]..<title[$0.upperBound - 1] + 1 }
    }

    /// "… at 10 and prepare five questions": the words joined to a time are another
    /// request, not the title.
    private var afterwards: [Range<Int>] {
        // Not "shopping list: milk".
        let list = selection.extras.last { $0.isList && $0.tokens.lowerBound > 0 }?.tokens
            .upperBound
        let ends =
            selection.times.filter { !$0.isAlarm }.map(\.tokens.upperBound)
            + [list].compactMap { $0 }
        guard let end = ends.max(), end < tokens.count else { return [] }
        let rest = (end..<tokens.count).filter { tokens[$0].kind != .sign }
        guard let first = rest.first, !isUsed[first] else { return [] }
        // "… to my living room list in Hue"
        let opensTitle = ["to", "an", "ans", "zu", "daran"].contains(tokens[first].text)
        let isOther = ["and", "und", "then", "also"].contains(tokens[first].text)
        guard isOther || list != nil && !opensTitle else { return [] }
        return [first..<tokens.count]
    }
}
