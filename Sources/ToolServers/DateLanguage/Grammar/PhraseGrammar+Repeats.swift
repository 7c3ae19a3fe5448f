import ICalendar

/// Parses repetitions: "every other tuesday", "monthly", "on mondays and thursdays", "the
/// first monday of each month", "twice a day".
extension PhraseGrammar {
    func recurrencePiece(_ index: Int) -> Piece? {
        let match =
            shiftedRule(index) ?? everyPhrase(index) ?? always(index) ?? adverb(index)
            ?? pluralDays(index) ?? ofEveryMonth(index) ?? frequency(index) ?? monthDayList(index)
        return match.map { Piece(.recurrence($0.value), index..<$0.end, strength: 4) }
    }

    /// "immer am 15.", "always on monday": the day that follows gives the frequency.
    private func always(_ index: Int) -> Match<RepeatSpec>? {
        guard isWord(index, "immer", "always", "jeweils") else { return nil }
        if let days = pluralDays(index + 1) { return days }
        guard dayPiece(index + 1) != nil else { return nil }
        return (RepeatSpec(), index + 1)
    }

    // MARK: Lists of days

    /// The index after ",", "and", "/", "&" or both of them.
    func nextInList(_ index: Int) -> Int? {
        var next = index
        if isSign(next, ",") || isSign(next, "/") { next += 1 }
        next = skip(.and, from: next)
        if isWord(next, "sowie") { next += 1 }
        return next > index ? skip(.on, from: next) : nil
    }

    /// An item and those that follow in a list.
    func list<Value>(_ index: Int, _ item: (Int) -> Match<Value>?) -> Match<[Value]>? {
        guard let first = item(index) else { return nil }
        var (values, end) = ([first.value], first.end)
        while let more = nextInList(end).flatMap(item) {
            values.append(more.value)
            end = more.end
        }
        return (values, end)
    }

    private func weekdayName(_ index: Int) -> Int? {
        guard let token = token(index), token.kind == .word, !token.isPossessive else { return nil }
        // "Samstag so um elf"
        let isAbout = token.text == "so" && !token.isCapitalised && has(index + 1, .at, .about)
        return isAbout ? nil : token.lexeme.weekday
    }

    /// "mon, wed and fri", "tuesday/thursday", "monday to friday", "mo-fr".
    func weekdayList(_ index: Int) -> Match<[RecurrenceRule.Day]>? {
        guard let first = weekdayName(index) else { return nil }
        var (days, end) = ([first], dotted(index + 1, after: index))
        if let separator = separator(end), let last = weekdayName(separator) {
            while days.last != last { days.append((days[days.count - 1] + 1) % 7) }
            return (days.map { .init(weekday: $0) }, separator + 1)
        }
        while true {
            let next = nextInList(end) ?? end
            guard let weekday = weekdayName(next) else { break }
            if !days.contains(weekday) { days.append(weekday) }
            end = dotted(next + 1, after: next)
        }
        return (days.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 }.map { .init(weekday: $0) }, end)
    }

    private func dotted(_ index: Int, after word: Int) -> Int {
        isSign(index, ".") && isGlued(index) && tokens[word].text.utf8.count <= 3
            && token(index + 1) != nil ? index + 1 : index
    }

    /// "on mondays", "mondays and thursdays", "weekdays", "weekends",
    /// "weekday mornings", "mon wed fri".
    private func pluralDays(_ index: Int) -> Match<RepeatSpec>? {
        // "two weekends from now" does not repeat.
        if !endsPiece(index), number(index - 1) != nil { return nil }
        let isMarked = has(index, .on, .at)
        var start = index
        if isMarked || has(start, .span, .from) { start += 1 }
        if isMarked { start = skip(.the, from: start) }
        return namedWeekParts(start, from: index, isMarked: isMarked)
            ?? listedDays(start, from: index, isMarked: isMarked)
    }

    /// "weekdays", "weekday mornings", "weekends"
    private func namedWeekParts(
        _ start: Int, from index: Int, isMarked: Bool
    ) -> Match<RepeatSpec>? {
        let isPlural = has(start, .plural)
        var end = start + 1
        var spec = RepeatSpec(unit: .week)
        if has(start, .workdays) {
            spec.weekdays = Self.workdays
            if let part = partName(end), has(end, .plural) || isPlural || isMarked {
                (spec.parts, end) = ([part], end + 1)
            }
        } else if has(start, .weekend) {
            spec.weekdays = Self.weekend
        }
        guard !spec.weekdays.isEmpty, isPlural || !spec.parts.isEmpty, !isOwned(index),
            isMarked || isEdge(end) || isFirst(index) || isPieceNext(end)
        else { return nil }
        return (spec, end)
    }

    /// "mondays", "mon wed fri", "tue/thu", "friday mornings"
    private func listedDays(_ start: Int, from index: Int, isMarked: Bool) -> Match<RepeatSpec>? {
        guard let days = weekdayList(start) else { return nil }
        let words = start..<days.end
        let isPlural = words.contains { has($0, .plural) }
        guard isPlural || !has(index, .from), isMarked || !isOwned(index) else { return nil }
        var spec = RepeatSpec(unit: .week, weekdays: days.value)
        // "mon wed fri" repeats; "mon to wed" is a range, and "monday and friday" are just
        // these two days.
        let isStretch = words.contains {
            isSign($0, "-") || has($0, .to) || has($0, .until) || isWord($0, "and", "und")
                || isWord($0, "or", "oder")
        }
        guard isPlural || (days.value.count > 1 && !isStretch) else { return nil }
        spec.parts = partAfterDays(days.end)
        return (spec, days.end)
    }

    // MARK: Adverbs

    /// "daily", "bi-weekly", "14-tägig", "half-yearly"
    private func adverb(_ start: Int) -> Match<RepeatSpec>? {
        guard var match = adverbName(start), token(start)?.isPossessive == false, !isOwned(start)
        else { return nil }
        match.value.parts = partAfterDays(start + 1)
        // A German adjective has an ending: "täglich" alone is an adverb, wherever it stands.
        let isAdverb = ["lich", "weise", "tägig"].contains { tokens[start].text.hasSuffix($0) }
        if isPlainEdge(match.end) || isPieceNext(match.end) || isAdverb && !isFirst(start) {
            return match
        }
        // "monthly report": an adjective, unless the phrase opens with it and
        // says a time ("daily standup at 9").
        guard isFirst(start), !isWord(start, "everyday") else { return nil }
        match.value.isAdjective = !isAdverb
        match.value.isBeforeTask = startsTask(match.end)
        return match
    }

    private func adverbName(_ start: Int) -> Match<RepeatSpec>? {
        if let adverb = token(start)?.lexeme.adverb {
            return (RepeatSpec(unit: adverb.unit, interval: adverb.interval), start + 1)
        }
        return match(Self.adverbs, start)
    }

    private static let adverbs = PatternTable("date adverbs") { row -> RepeatSpec? in
        let words = row.split(separator: " ").map(String.init)
        guard let unit = TimeUnit(rawValue: words[0]), let interval = Int(words[1]) else {
            return nil
        }
        return RepeatSpec(unit: unit, interval: interval)
    }
}
