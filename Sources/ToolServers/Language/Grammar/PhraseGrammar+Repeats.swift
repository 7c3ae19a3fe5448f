import AgentCore

/// Repetitions: "every other tuesday", "monthly", "on mondays and thursdays",
/// "the first monday of each month", "twice a day".
extension PhraseGrammar {
    func recurrencePiece(_ index: Int) -> Piece? {
        // "rent due on the 1st of every month" is called "rent due".
        if has(index, .due), afterDue(index) > index, let after = ofEveryMonth(index + 1) {
            return Piece(
                value: .recurrence(after.value), tokens: (index + 1)..<after.end,
                relation: .deadline, strength: 4)
        }
        let match =
            everyPhrase(index) ?? adverb(index) ?? pluralDays(index) ?? ofEveryMonth(index)
            ?? frequency(index) ?? monthDayList(index)
        guard var match else { return nil }
        if isWord(match.end, "after", "nach"),
            isWord(match.end + 1, "completion", "completing", "erledigung")
        {
            match.value.isFromCompletion = true
            match.end += 2
        }
        return Piece(
            value: .recurrence(match.value), tokens: index..<match.end, strength: 4)
    }

    // MARK: every …

    func everyPhrase(_ index: Int) -> Match<RepeatSpec>? {
        var start = index
        if has(start, .on) || has(start, .at) || has(start, .into) || has(start, .span),
            has(start + 1, .every)
        {
            start += 1
        }
        if isWord(start, "once"), has(start + 1, .every) || isWord(start + 1, "per") { start += 1 }
        if isWord(start, "an", "am", "um"), has(start + 1, .every) { start += 1 }
        guard has(start, .every) || isWord(start, "per"), !isOwned(index) else { return nil }
        // "each of us", "all"
        if isWord(start, "all") { return nil }
        var next = start + 1
        var spec = RepeatSpec()
        if isSign(next, "!"), isGlued(next) {
            spec.isFromCompletion = true
            next += 1
        }
        if has(next, .the) { next += 1 }
        if isWord(next, "single") { next += 1 }
        let base = next
        // every other / second / 2nd / third …
        var ordinalValue: Int?
        if has(next, .other), !isDigits(next) {
            spec.interval = 2
            spec.isEveryOther = true
            next += 1
        } else if has(next, .last) {
            ordinalValue = -1
            next += 1
        } else if let ordinal = ordinal(next), !has(ordinal.end, .last) || true {
            ordinalValue = ordinal.value
            next = ordinal.end
            if has(next, .last) { (ordinalValue, next) = (-ordinal.value, next + 1) }
        }
        if let ordinalValue { return everyOrdinal(ordinalValue, next, spec, start: base) }
        if let units = everyUnits(next, spec) { return units }
        if let days = weekdayList(next) {
            spec.unit = .week
            spec.weekdays = days.value.map { RecurrenceRule.Day($0) }
            spec.parts = partAfterDays(days)
            var end = days.end
            // "every monday of the month" is every monday.
            if isWord(end, "of", "im"), has(skip(.the, from: end + 1), .this) == false,
                let month = monthReference(end), month.isAny
            {
                end = month.end
            }
            // "every monday in march" is not handled by the month.
            return (spec, end)
        }
        if let months = monthList(next) {
            spec.unit = .year
            spec.months = months.value
            if months.value.count == 1 {
                spec.anchor = .month(months.value[0], year: nil, .none)
            }
            return (spec, months.end)
        }
        // every june 12, every 12 june, every christmas
        if let date = date(next, hasArticle: true) {
            spec.unit = .year
            switch date.day {
            case .date(nil, let month, let day, _):
                guard CivilDate(year: 2024, month: month, day: day) != nil else { return nil }
                spec.months = [month]
                spec.monthDays = [day]

            default: return nil
            }
            return (spec, date.end)
        }
        if let holiday = Holiday.named(texts(from: next), isAmerican: locale.isMonthFirst) {
            spec.unit = .year
            spec.anchor = .holiday(holiday.0, year: nil)
            switch holiday.0 {
            case .fixed(let month, let day):
                spec.months = [month]
                spec.monthDays = [day]
            case .nth(let ordinal, let weekday, let month, 0):
                spec.months = [month]
                spec.weekdays = [.init(weekday: weekday, ordinal: ordinal)]
            default: break
            }
            return (spec, next + holiday.count)
        }
        return nil
    }

    /// "april", "may and november", without a day.
    private func monthList(_ index: Int) -> Match<[Int]>? {
        guard let first = token(index)?.lexeme.month, tokens[index].kind == .word,
            !isDigits(index + 1), ordinal(skip(.the, from: index + 1)) == nil
        else { return nil }
        var (months, end) = ([first], index + 1)
        while let more = nextInList(end), let name = token(more)?.lexeme.month {
            months.append(name)
            end = more + 1
        }
        return (months, end)
    }

    /// "every third …": of the month when that is said or meant, else every
    /// third one.
    func everyOrdinal(_ value: Int, _ index: Int, _ spec: RepeatSpec, start: Int) -> Match<
        RepeatSpec
    >? {
        var spec = spec
        if let weekday = token(index)?.lexeme.weekday, token(index)?.lexeme.part == nil {
            if let month = monthReference(index + 1) {
                return nthOfMonth(value, [weekday], month, spec)
            }
            if value == -1 || value == 1 || value >= 4 {
                spec.unit = .month
                spec.weekdays = [.init(weekday: weekday, ordinal: value)]
                return abs(value) <= 5 ? (spec, index + 1) : nil
            }
            spec.unit = .week
            spec.interval = value
            spec.isEveryOther = true
            spec.weekdays = [.init(weekday: weekday, ordinal: nil)]
            return (spec, index + 1)
        }
        if has(index, .workdays)
            || (isWord(index, "working", "business") && token(index + 1)?.lexeme.unit == .day)
        {
            let end = has(index, .workdays) ? index + 1 : index + 2
            guard value == -1 || value == 1 else { return nil }
            spec.unit = .month
            spec.setPosition = value
            spec.weekdays = Self.workdays
            return (spec, monthReference(end).map(\.end) ?? end)
        }
        if let unit = unit(index), value > 0 {
            if unit.unit == .day, let month = monthReference(index + 1) {
                return monthDays([value], month, spec)
            }
            spec.unit = unit.unit
            spec.interval = value * max(1, Int(unit.scale))
            spec.isEveryOther = true
            return (spec, index + 1)
        }
        if token(index)?.lexeme.unit == .day, value == -1 {
            let month = monthReference(index + 1)
            return monthDays([-1], month ?? (.period(.month, 0, .none), index + 1, true), spec)
        }
        if let part = token(index)?.lexeme.part, value > 0 {
            spec.unit = .day
            spec.interval = value
            spec.parts = [part]
            return (spec, index + 1)
        }
        if has(index, .weekend), value > 0 {
            spec.unit = .week
            spec.interval = value
            spec.weekdays = Self.weekend
            return (spec, index + 1)
        }
        // every 15th, every 1st and 15th, every 5th of the month
        guard (1...31).contains(value) else { return nil }
        var days = [value]
        var end = index
        while let more = nextInList(end), let number = ordinal(skip(.the, from: more)),
            token(number.end)?.lexeme.weekday == nil
        {
            days.append(number.value)
            end = number.end
        }
        if let month = monthReference(end) { return monthDays(days, month, spec) }
        guard isEdge(end) || startsTask(end), isDigits(start) || days.count > 1 || value > 4
        else { return nil }
        return monthDays(days, (.period(.month, 0, .none), end, true), spec)
    }

    func monthDays(
        _ days: [Int], _ month: (day: DaySpec, end: Int, isAny: Bool), _ spec: RepeatSpec
    ) -> Match<RepeatSpec>? {
        var spec = spec
        spec.monthDays = days
        spec.unit = .month
        switch month.day {
        case .month(let name, _, _):
            spec.unit = .year
            spec.months = [name]
        case .period(.year, _, _):
            guard days == [-1] else { return nil }
            (spec.unit, spec.months, spec.monthDays) = (.year, [12], [31])
        case .period(.quarter, _, _): return nil
        default: break
        }
        return (spec, month.end)
    }

    func nthOfMonth(
        _ value: Int, _ weekdays: [Int], _ month: (day: DaySpec, end: Int, isAny: Bool),
        _ spec: RepeatSpec
    ) -> Match<RepeatSpec>? {
        guard abs(value) <= 5 else { return nil }
        var spec = spec
        spec.unit = .month
        spec.weekdays = weekdays.map { .init(weekday: $0, ordinal: value) }
        switch month.day {
        case .month(let name, _, _):
            spec.unit = .year
            spec.months = [name]
        case .period(.year, _, _): spec.unit = .year
        case .period(.quarter, _, _): return nil
        default: break
        }
        return (spec, month.end)
    }

    func everyUnits(_ index: Int, _ spec: RepeatSpec) -> Match<RepeatSpec>? {
        var spec = spec
        var next = index
        // "every half hour", "every quarter of an hour", "every hour and a half"
        if let amount = amount(next), amount.value.isExact, amount.end > next,
            has(next, .half) || has(next, .article) || has(next, .quarter)
                || amount.value.seconds % 3600 != 0 || amount.value.days != 0
        {
            if amount.value.days == 0, amount.value.months == 0, amount.value.seconds >= 60,
                !(unit(next)?.unit == .quarter)
            {
                spec.unit = .minute
                spec.interval = amount.value.seconds / 60
                if spec.interval % 60 == 0 {
                    (spec.unit, spec.interval) = (.hour, spec.interval / 60)
                }
                return (spec, amount.end)
            }
        }
        var count = 1.0
        if let number = number(next),
            has(next, .article) == false || token(next)?.lexeme.number != nil,
            token(number.end)?.lexeme.month == nil
        {
            guard number.value >= 1, number.value <= 1000 else { return nil }
            count = number.value
            next = number.end
            if has(next, .and), let half = Optional(skip(.article, from: next + 1)),
                has(half, .half)
            {
                (count, next) = (count + 0.5, half + 1)
            }
        }
        if isSign(next, "-"), isGlued(next) { next += 1 }
        if isWord(next, "working", "business", "work", "school"),
            token(next + 1)?.lexeme.unit == .day, count == 1
        {
            spec.unit = .week
            spec.weekdays = Self.workdays
            return (spec, next + 2)
        }
        if has(next, .workdays) {
            spec.unit = .week
            spec.weekdays = Self.workdays
            var end = next + 1
            if let part = partName(end) { (spec.parts, end) = ([part], end + 1) }
            return (spec, end)
        }
        if has(next, .weekend) {
            spec.unit = .week
            spec.interval *= Int(count)
            spec.weekdays = Self.weekend
            return (spec, next + 1)
        }
        if let part = partName(next), !(token(next)?.has(.habitual) ?? false),
            count == 1 || next > index
        {
            spec.unit = .day
            spec.interval *= Int(count)
            spec.parts = [part]
            var end = next + 1
            while let joint = joint(end), joint.kind != .or, let part = partName(joint.end) {
                spec.parts.append(part)
                end = joint.end + 1
            }
            return (spec, end)
        }
        if count == 1, let weekday = token(next)?.lexeme.weekday, next > index,
            token(next)?.lexeme.part == nil
        {
            _ = weekday
            return nil
        }
        guard let token = token(next),
            let unit = unit(next)
                ?? (token.text.utf8.count == 1
                    ? nil : token.lexeme.unit.map { ($0, token.lexeme.scale) }),
            token.kind == .word, !token.isPossessive
        else {
            // "every 2 mondays", "alle 2 wochen"
            if count > 1, count == count.rounded(), let weekday = self.token(next)?.lexeme.weekday {
                spec.unit = .week
                spec.interval = Int(count)
                spec.weekdays = [.init(weekday: weekday)]
                return (spec, next + 1)
            }
            return nil
        }
        if token.text == "second", count == 1 { return nil }
        let value = count * unit.scale
        switch unit.unit {
        case .day where value != value.rounded():
            spec.unit = .hour
            spec.interval = Int(value * 24)
        case .quarter:
            spec.unit = .month
            spec.interval *= Int(value * 3)
        case .year where value != value.rounded():
            spec.unit = .month
            spec.interval = Int(value * 12)
        default:
            spec.unit = unit.unit
            spec.interval *= max(1, Int(value))
        }
        var end = next + 1
        // "every hour on the half hour"
        if spec.unit == .hour, has(end, .on) {
            let half = skip(.the, from: end + 1)
            if has(half, .half), self.unit(half + 1)?.unit == .hour {
                (spec.minutes, end) = ([30], half + 2)
            } else if self.unit(half)?.unit == .hour {
                (spec.minutes, end) = ([0], half + 1)
            }
        }
        // "every hour and a half"
        if spec.unit == .hour, spec.interval == 1, has(end, .and),
            has(skip(.article, from: end + 1), .half)
        {
            return (RepeatSpec(unit: .minute, interval: 90), skip(.article, from: end + 1) + 1)
        }
        // "every week monday", "every week on mon, wed": the list belongs to it
        if spec.unit == .week {
            var list = has(end, .on) ? end + 1 : end
            if isSign(list, ",") { list += 1 }
            if let days = weekdayList(list) {
                spec.weekdays = days.value.map { RecurrenceRule.Day($0) }
                spec.parts = partAfterDays(days)
                end = days.end
            }
        }
        if spec.unit == .day, isWord(end, "of"), has(skip(.the, from: end + 1), .this) == false,
            token.text == "day"
        {
            let week = skip(.the, from: end + 1)
            if self.unit(week)?.unit == .week { end = week + 1 }
        }
        return (spec, end)
    }

    func partName(_ index: Int) -> DayPart? {
        guard let token = token(index), token.kind == .word,
            let part = token.lexeme.part ?? (token.text == "morgen" ? .morning : nil),
            token.lexeme.weekday == nil
        else { return nil }
        return part
    }

    func partAfterDays(_ days: (value: [RecurrenceRule.Weekday], end: Int)) -> [DayPart] {
        [token(days.end - 1)?.lexeme.part].compactMap { $0 }
    }

    static let workdays = [RecurrenceRule.Weekday.monday, .tuesday, .wednesday, .thursday, .friday]
        .map { RecurrenceRule.Day($0) }
    static let weekend = [RecurrenceRule.Weekday.saturday, .sunday].map { RecurrenceRule.Day($0) }

    // MARK: Lists of days

    /// The index after ",", "and", "/", "&" or both of them.
    func nextInList(_ index: Int) -> Int? {
        var next = index
        if isSign(next, ",") || isSign(next, "/") { next += 1 }
        if has(next, .and) { next += 1 }
        if isWord(next, "or", "oder", "sowie") { next += 1 }
        if next > index, has(next, .on) { next += 1 }
        return next > index ? next : nil
    }

    func weekdayName(_ index: Int) -> Int? {
        guard let token = token(index), token.kind == .word, let weekday = token.lexeme.weekday,
            !token.isPossessive
        else { return nil }
        return weekday
    }

    /// "mon, wed and fri", "tuesday/thursday", "monday to friday", "mo-fr".
    func weekdayList(_ index: Int) -> (value: [RecurrenceRule.Weekday], end: Int)? {
        guard let first = weekdayName(index) else { return nil }
        var end = dotted(index + 1, after: index)
        if let separator = separator(end), !isWord(end, "and"), let last = weekdayName(separator) {
            var days: [RecurrenceRule.Weekday] = []
            var day = first
            while days.count < 7 {
                days.append(.allCases[day % 7])
                if day % 7 == last { break }
                day += 1
            }
            return (days, separator + 1)
        }
        var days = [first]
        while true {
            var next = nextInList(end)
            if next == nil, weekdayName(end) != nil { next = end }
            guard let next, let weekday = weekdayName(next) else { break }
            // "every monday, friday at 5 …": a list all the same.
            if !days.contains(weekday) { days.append(weekday) }
            end = dotted(next + 1, after: next)
        }
        return (
            days.compactMap { RecurrenceRule.Weekday(rawValue: $0) }.sorted {
                ($0.rawValue + 6) % 7 < ($1.rawValue + 6) % 7
            }, end
        )
    }

    func dotted(_ index: Int, after word: Int) -> Int {
        isSign(index, ".") && isGlued(index) && tokens[word].text.utf8.count <= 3
            && token(index + 1) != nil ? index + 1 : index
    }

    /// "on mondays", "mondays and thursdays", "weekdays", "weekends",
    /// "weekday mornings", "mon wed and fri", "mornings".
    func pluralDays(_ index: Int) -> Match<RepeatSpec>? {
        var start = index
        let isMarked = has(start, .on) || has(start, .at)
        if isMarked || has(start, .span) || has(start, .from) { start += 1 }
        if isMarked { start = skip(.the, from: start) }
        // "two weekends from now" are no repetition.
        if index == start, number(start - 1) != nil || token(start - 1)?.kind == .digits {
            return nil
        }
        var spec = RepeatSpec(unit: .week)
        if isWord(start, "alternate", "alternating") {
            guard let days = weekdayList(start + 1) else {
                if let unit = unit(start + 1), unit.unit != .second {
                    spec.unit = unit.unit
                    spec.interval = 2
                    return (spec, start + 2)
                }
                return nil
            }
            spec.interval = 2
            spec.weekdays = days.value.map { RecurrenceRule.Day($0) }
            return (spec, days.end)
        }
        if has(start, .workdays) {
            let isPlural = has(start, .plural)
            var end = start + 1
            if let part = partName(end), has(end, .plural) || isPlural || isMarked {
                (spec.parts, end) = ([part], end + 1)
            }
            guard isPlural || !spec.parts.isEmpty else { return nil }
            if !isMarked, !isEdge(end), !isFirst(index) { return nil }
            if isOwned(index) { return nil }
            spec.weekdays = Self.workdays
            return (spec, end)
        }
        if has(start, .weekend), has(start, .plural) {
            if isOwned(index) || (!isMarked && !isEdge(start + 1) && !isFirst(index)) { return nil }
            spec.weekdays = Self.weekend
            return (spec, start + 1)
        }
        guard let days = weekdayList(start) else { return nil }
        let isPlural = (start..<days.end).contains { has($0, .plural) }
        let isList = days.value.count >= 2
        if has(index, .from), !isPlural { return nil }
        let part = partAfterDays(days)
        if let later = partName(days.end), has(days.end, .plural), !isPlural {
            spec.parts = [later]
            spec.weekdays = days.value.map { RecurrenceRule.Day($0) }
            return (spec, days.end + 1)
        }
        // Two days of one week in a list repeat; "mon to wed" is a stretch.
        let isRange = isList && separatorInside(start, days.end)
        guard isPlural || (isList && !isRange && !isSpelledList(start, days.end)) else {
            return nil
        }
        if isOwned(index), !isMarked { return nil }
        spec.weekdays = days.value.map { RecurrenceRule.Day($0) }
        spec.parts = part
        return (spec, days.end)
    }

    func separatorInside(_ start: Int, _ end: Int) -> Bool {
        (start..<end).contains { isSign($0, "-") || has($0, .to) || has($0, .until) }
    }

    /// "monday and friday", "monday or friday": these days, not every week's.
    private func isSpelledList(_ start: Int, _ end: Int) -> Bool {
        (start..<end).contains { isWord($0, "and", "und", "or", "oder") }
    }

    // MARK: Adverbs

    func adverb(_ index: Int) -> Match<RepeatSpec>? {
        var start = index
        let isMarked = has(start, .on) && has(start + 1, .article)
        if isMarked { start += 2 }
        var interval = 1
        var match: (unit: TimeUnit, interval: Int, end: Int)?
        if isWord(start, "bi", "semi"), isSign(start + 1, "-"),
            let adverb = token(start + 2)?.lexeme.adverb
        {
            match =
                adverb.unit == .year
                ? (.month, 6, start + 3)
                : (adverb.unit, adverb.interval * (isWord(start, "bi") ? 2 : 1), start + 3)
        } else if isDigits(start), isSign(start + 1, "-"), isWord(start + 2, "tägig"),
            let days = token(start)?.value
        {
            match = (.day, days, start + 3)
        } else if isWord(start, "half", "twice"),
            let skipDash = Optional(skipSign("-", from: start + 1)),
            token(skipDash)?.lexeme.adverb?.unit == .year
        {
            match = (.month, 6, skipDash + 1)
        } else if let adverb = token(start)?.lexeme.adverb, token(start)?.kind == .word {
            match = (adverb.unit, adverb.interval, start + 1)
        } else if isWord(start, "every"), isWord(start + 1, "day") {
            match = (.day, 1, start + 2)
        }
        guard var match else { return nil }
        interval = match.interval
        if isMarked, isWord(match.end, "basis") { match.end += 1 } else if isMarked { return nil }
        if token(start)?.isPossessive == true { return nil }
        if isOwned(index), !isMarked { return nil }
        let isAtEdge = isPlainEdge(match.end) || isPieceNext(match.end)
        // "monthly report": an adjective, unless the phrase opens with it and
        // says a time ("daily standup at 9").
        var isWeak = false
        var spec = RepeatSpec()
        if !isAtEdge {
            guard isFirst(index) else { return nil }
            // German adjectives have an ending; "täglich" is none.
            let isAdverb = ["lich", "weise", "tägig"].contains { tokens[start].text.hasSuffix($0) }
            isWeak = !isAdverb
            spec.isBeforeTask = startsTask(match.end)
        }
        spec.unit = match.unit
        spec.interval = interval
        spec.parts = [token(start)?.lexeme.part].compactMap { $0 }
        if isWord(start, "everyday"), !isAtEdge { return nil }
        spec.isAdjective = isWeak
        return (spec, match.end)
    }
}

extension RecurrenceRule.Day {
    init(weekday: Int, ordinal: Int? = nil) {
        self.init(RecurrenceRule.Weekday(rawValue: weekday) ?? .monday, ordinal: ordinal)
    }
}
