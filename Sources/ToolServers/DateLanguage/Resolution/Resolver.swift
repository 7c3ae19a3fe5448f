import Base
import FoundationEssentials
import ICalendar

/// Resolves the chosen pieces against the time and place of the context: start, end, rule,
/// doubts, alternatives.
///
/// Titles are made by `TitleMaker`. Above 400 lines because each step changes the one outcome.
struct Resolver {
    let context: DateContext
    let selection: Selection
    let hint: ClockResolver.Hint
    let now: CivilDateTime
    let clocks: ClockResolver

    @dynamicMemberLookup
    struct Outcome {
        /// The parsed times, without a title.
        var reading = ParsedPhrase(title: "")
        var isPast = false
        var isAmbiguous = false
        var isUnsure = false
        /// Whether it repeats in a way that no rule can express.
        var isInexpressible = false
        /// A weekday that does not match the date, or an end before its start.
        var contradictory: [Piece] = []
        var others: [ParsedPhrase.Moment] = []
        /// Durations that say nothing about when; they stay in the title.
        var returned: [Piece] = []
        var isSpan = false

        /// Returns pieces to the title that turned out to say nothing about when.
        mutating func giveBack(_ pieces: Piece?...) { returned += pieces.compactMap(\.self) }

        subscript<Value>(dynamicMember path: WritableKeyPath<ParsedPhrase, Value>) -> Value {
            get { reading[keyPath: path] }
            set { reading[keyPath: path] = newValue }
        }
    }

    init(context: DateContext, selection: Selection, hint: ClockResolver.Hint) {
        (self.context, self.selection, self.hint) = (context, selection, hint)
        now = context.local.civil(at: context.now)
        clocks = ClockResolver(hours: context.hours, hint: hint)
    }

    func outcome() -> Outcome {
        let all = selection.variants.map {
            Resolver(context: context, selection: $0, hint: hint).single()
        }
        guard all.count > 1 else { return all[0] }
        if selection.isChoice {
            var outcome = all[0]
            let others = all.compactMap(\.start).filter { $0 != outcome.start && !isOver($0) }
            // "tomorrow or thursday", said on a Wednesday, is just one day.
            outcome.isUnsure = outcome.isUnsure || !others.isEmpty
            if !others.isEmpty { outcome.others = others }
            return outcome
        }
        let ordered = all.sorted { ($0.start?.order ?? 0) < ($1.start?.order ?? 0) }
        var outcome = ordered[0]
        outcome.others = []
        var occasions: [ParsedPhrase.Occasion] = []
        for single in ordered {
            outcome.isUnsure = outcome.isUnsure || single.isUnsure
            outcome.isInexpressible = outcome.isInexpressible || single.isInexpressible
            outcome.contradictory += single.contradictory
            guard let start = single.start else { continue }
            let occasion = ParsedPhrase.Occasion(start: start, recurrence: single.recurrence)
            if !occasions.contains(occasion) { occasions.append(occasion) }
        }
        outcome.further = Array(occasions.dropFirst())
        outcome.returned = ordered.flatMap(\.returned)
        return outcome
    }

    /// The outcome for one of the selections.
    private func single() -> Outcome {
        var outcome = Outcome()
        if !selection.repeats.isEmpty || selection.partIsEveryDay {
            var repeats = RepeatResolver(self)
            outcome = repeats.resolve()
        } else if let days = selection.days {
            resolveDays(days, &outcome)
        } else if let elapsed = selection.elapsed, case .elapsed(let amount) = elapsed.value {
            resolveElapsed(amount, &outcome)
        } else {
            resolveOnce(&outcome)
        }
        // An alternative is never in the past.
        outcome.others.removeAll(where: isOver)
        if outcome.start == nil {
            outcome.giveBack(selection.duration, selection.zone)
        } else if selection.zone != nil, selection.clock == nil, selection.hours == nil {
            outcome.giveBack(selection.zone)
        }
        return outcome
    }

    // MARK: The slots

    var dayPart: DayPart? { selection.part?.part?.value }

    var clockSpecs: [ClockSpec] {
        (selection.clock?.clocks ?? []).map {
            $0.isNow ? ClockSpec(hour: now.hour, minute: now.minute, form: .full, isNow: true) : $0
        }
    }

    /// The time zone that the phrase names, if any.
    var zone: (name: String, rules: TimeZoneRules)? {
        guard let piece = selection.zone, case .zone(let name) = piece.value else { return nil }
        return context.zones.rules(named: name).map { (name, $0) }
    }

    /// The moment as local clock time. A time skipped by a clock change becomes the one
    /// after the change.
    func moment(_ date: CivilDate, _ time: ClockResolver.Settled) -> CivilDateTime {
        let clock = CivilDateTime(
            secondsAsUTC: date.dayNumber * 86_400 + time.seconds)
        if let zone {
            let seconds = zone.rules.second(of: clock)
            return context.local.civil(at: Date(timeIntervalSince1970: Double(seconds)))
        }
        return context.local.civil(at: context.local.instant(of: clock))
    }

    func isAhead(_ clock: CivilDateTime) -> Bool { clock > now }

    func isOver(_ moment: ParsedPhrase.Moment) -> Bool {
        switch moment {
        case .date(let date): date < now.date
        case .time(let clock): !isAhead(clock)
        }
    }

    /// The given time of day, from a clock time or a part of the day.
    func time() -> ClockResolver.Settled? {
        if let hours = selection.hours?.hours {
            return clocks.settle(from: hours.first, to: hours.last, part: dayPart).start
        }
        if let clock = clockSpecs.first { return clocks.settle(clock, part: dayPart) }
        return dayPart.map(clocks.usual)
    }

    /// A resolver for days from `today` on, by default the context's date.
    func days(
        from today: CivilDate? = nil, hasTime: Bool = false, isTimeAhead: Bool = false
    ) -> DayResolver {
        DayResolver(
            today: today ?? now.date, firstWeekday: context.locale.firstWeekday.rawValue,
            hasTime: hasTime, isTimeAhead: isTimeAhead)
    }

    // MARK: Once

    private func resolveOnce(_ outcome: inout Outcome) {
        var daySpec = selection.day?.day ?? selection.part?.part?.day ?? selection.from?.day
        var untilUsed = false
        if daySpec == nil, let until = selection.until?.day {
            (daySpec, untilUsed) = (until, true)
        }
        if selection.day != nil { outcome.giveBack(selection.from) }
        // "match 2/3 tonight"
        if let day = selection.day, let first = day.day, let part = selection.part?.part?.day,
            let tonight = days().resolve(part)?.date, days().resolve(first)?.date != tonight
        {
            outcome.contradictory.append(day)
        }
        guard var time = time() else {
            guard let daySpec, let answer = days().resolve(daySpec) else {
                return outcome.giveBack(
                    selection.day, selection.from, selection.until, selection.untilClock)
            }
            outcome.start = .date(answer.date)
            note(answer, &outcome) { .date($0) }
            if !untilUsed { endDays(answer.date, &outcome) }
            return outcome.giveBack(selection.untilClock)
        }
        let isTimeAhead = isAhead(moment(now.date, time))
        guard var daySpec else {
            withoutDay(&time, &outcome)
            finish(&outcome)
            return
        }
        // "same time next week" is seven days later, not next Monday.
        if clockSpecs.first?.isNow == true, case .period(let unit, let count, .none) = daySpec {
            daySpec = .shift(Amount(Double(count), unit), .offset(0))
        }
        let isToday = daySpec == .offset(0)
        // "tomorrow at 9" keeps the morning; "today at 9" after nine is tonight.
        if isToday, !isTimeAhead, let later = time.otherHalf, selection.part == nil,
            isAhead(moment(now.date, later))
        {
            time = later
        }
        if isToday, clockSpecs.isEmpty, selection.hours == nil, let part = dayPart {
            time = partToday(part)
        }
        guard let answer = days(hasTime: true, isTimeAhead: isTimeAhead).resolve(daySpec) else {
            return outcome.giveBack(selection.day, selection.from)
        }
        let chosen = moment(answer.date, time)
        outcome.start = .time(chosen)
        let settled = time
        note(answer, &outcome) { .time(moment($0, settled)) }
        if time.isAmbiguous { outcome.isUnsure = true }
        if clockSpecs.first?.isMidnight == true, !isToday {
            outcome.others.insert(
                .time(CivilDateTime(secondsAsUTC: answer.date.dayNumber * 86_400)), at: 0)
            outcome.isAmbiguous = true
        } else if let second = time.otherHalf {
            outcome.others.append(.time(moment(answer.date, second)))
        }
        if !isAhead(chosen) { outcome.isPast = true }
        finish(&outcome)
    }

    /// A part of the day today: its usual hour, or soon if that hour is past but the part
    /// is not.
    private func partToday(_ part: DayPart) -> ClockResolver.Settled {
        var time = clocks.usual(part)
        guard !isAhead(moment(now.date, time)) else { return time }
        if part == .endOfDay { return .init(hour: 23, minute: 59) }
        guard now.hour < clocks.window(part).end else { return time }
        time.hour = now.hour + 1
        if time.hour >= 24 { (time.hour, time.dayShift) = (0, 1) }
        return time
    }

    private func withoutDay(_ time: inout ClockResolver.Settled, _ outcome: inout Outcome) {
        if clockSpecs.isEmpty, selection.hours == nil, let part = dayPart {
            // "in the morning", said in the morning, means the next one.
            let clock = moment(now.date, part.isLate ? partToday(part) : time)
            outcome.start = .time(
                isAhead(clock) ? clock : moment(now.date.adding(days: 1), time))
            return
        }
        // A time zone may shift the time to the day before or after.
        let settled = time
        let clocks = (zone == nil ? 0...3 : -1...2).map {
            moment(now.date.adding(days: $0), settled)
        }
        outcome.start = clocks.first(where: isAhead).map { .time($0) }
        if let second = time.otherHalf {
            var alternative = moment(now.date, second)
            if !isAhead(alternative) { alternative = moment(now.date.adding(days: 1), second) }
            outcome.others.append(.time(alternative))
        }
    }

    func note(
        _ answer: DayResolver.Answer, _ outcome: inout Outcome,
        _ moment: (CivilDate) -> ParsedPhrase.Moment
    ) {
        outcome.isPast = outcome.isPast || answer.isPast
        outcome.isAmbiguous = outcome.isAmbiguous || answer.isAmbiguous
        if answer.isContradictory { outcome.contradictory += [selection.day].compactMap { $0 } }
        outcome.others += answer.others.filter { $0 >= now.date }.map(moment)
    }

    // MARK: Ends

    /// "until 6pm", for an item with a start.
    func untilClock(after start: CivilDateTime) -> CivilDateTime? {
        selection.untilClock?.clocks.first.map { last in
            let first = ClockSpec(hour: start.hour, minute: start.minute, form: .full)
            return after(start, from: first, to: last, nil)
        }
    }

    static func wholeMinute(_ clock: CivilDateTime) -> CivilDateTime {
        CivilDateTime(secondsAsUTC: clock.secondsAsUTC - clock.second)
    }

    /// `amount` later than a clock time that is shown at `instant`.
    private func adding(
        _ amount: Amount, to clock: CivilDateTime, at instant: Date
    ) -> CivilDateTime {
        let (date, local) = (DateArithmetic.adding(amount, to: clock.date), context.local)
        let moved = CivilDateTime(
            date, hour: clock.hour, minute: clock.minute, second: clock.second)
        let start = date == clock.date ? instant : moved.map(local.instant) ?? instant
        return local.civil(at: start.addingTimeInterval(Double(amount.seconds)))
    }

    /// Adds the end to an outcome with a start time.
    func finish(_ outcome: inout Outcome) {
        outcome.zone = zone?.name
        guard case .time(let start)? = outcome.start else { return }
        if let hours = selection.hours?.hours {
            let end = after(start, from: hours.first, to: hours.last, dayPart)
            outcome.end = .time(end)
            if isBackwards(start, end) {
                outcome.contradictory += [selection.hours].compactMap { $0 }
            }
        } else if let amount = selection.duration?.duration {
            let instant = context.local.instant(of: start)
            outcome.end = .time(adding(amount, to: start, at: instant))
        } else if let end = untilClock(after: start) {
            outcome.end = .time(end)
            if isBackwards(start, end) {
                outcome.contradictory += [selection.untilClock].compactMap { $0 }
            }
        } else if let until = selection.until?.day,
            selection.day != nil || selection.from != nil || selection.clock != nil,
            selection.repeats.isEmpty,
            let answer = days().resolve(until),
            answer.date >= start.date
        {
            outcome.end = .time(
                CivilDateTime(answer.date, hour: start.hour, minute: start.minute) ?? start)
            if outcome.end == outcome.start { outcome.end = nil }
        } else {
            return selection.repeats.isEmpty ? outcome.giveBack(selection.until) : ()
        }
        outcome.isSpan = true
    }

    /// "2pm to 1pm", "11:30-11:00", "3pm to 11am"; but "10pm to 6am" is a night, and "9 to 5"
    /// a day.
    private func isBackwards(_ start: CivilDateTime, _ end: CivilDateTime) -> Bool {
        let length = end.secondsAsUTC - start.secondsAsUTC
        return length > 16 * 3600
            || length > (end.date > start.date ? 12 : 11) * 3600
                && (end.hour % 12, end.minute) <= (start.hour % 12, start.minute)
    }

    /// The end after `start`, with the distance from one time of day to the other.
    private func after(
        _ start: CivilDateTime, from first: ClockSpec, to last: ClockSpec, _ part: DayPart?
    ) -> CivilDateTime {
        let both = clocks.settle(from: first, to: last, part: part)
        let length = both.end.seconds - both.start.seconds
        let end = CivilDateTime(
            secondsAsUTC: start.secondsAsUTC + length + (length > 0 ? 0 : 86_400))
        return context.local.civil(at: context.local.instant(of: end))
    }

    private func endDays(_ start: CivilDate, _ outcome: inout Outcome) {
        if let until = selection.until?.day,
            let answer = days().resolve(until),
            answer.date > start
        {
            outcome.end = .date(answer.date)
            outcome.isSpan = true
        } else if let duration = selection.duration, let amount = duration.duration {
            if amount.isExact {
                outcome.returned.append(duration)
            } else {
                let last = DateArithmetic.adding(amount, to: start).adding(days: -1)
                if last > start { outcome.end = .date(last) }
                outcome.isSpan = true
            }
        }
    }

    // MARK: Stretches of days

    private func resolveStretch(_ piece: Piece, _ outcome: inout Outcome) {
        guard case .stretch(let first, let opening, let last, let closing) = piece.value else {
            return
        }
        let start = clocks.settle(opening, part: nil)
        let isAhead = isAhead(moment(now.date, start))
        guard let day = days(hasTime: true, isTimeAhead: isAhead).resolve(first) else {
            return outcome.giveBack(piece)
        }
        let from = moment(day.date, start)
        let end = clocks.settle(closing, part: nil)
        let fromStart = days(
            from: day.date, hasTime: true, isTimeAhead: end.secondOfDay > start.secondOfDay)
        note(day, &outcome) { .time(moment($0, start)) }
        outcome.start = .time(from)
        outcome.zone = zone?.name
        outcome.isPast = outcome.isPast || !self.isAhead(from)
        guard let until = fromStart.resolve(last).map({ moment($0.date, end) }), until > from else {
            return outcome.giveBack(piece)
        }
        outcome.end = .time(until)
        outcome.isSpan = true
    }

    private func resolveDays(_ piece: Piece, _ outcome: inout Outcome) {
        if case .stretch = piece.value { return resolveStretch(piece, &outcome) }
        guard case .days(let first, let second) = piece.value,
            let start = days().resolve(first)
        else { return outcome.giveBack(piece) }
        // The end is the first such day on or after the start.
        var end = days().resolve(second)?.date
        if end.map({ $0 < start.date }) ?? true {
            end = days(from: start.date).resolve(second)?.date
            // "from 20 april to 12 april" is an error; "from 20 december to 5 january"
            // crosses the year.
            if let end, end.dayNumber - start.date.dayNumber > 180 {
                outcome.contradictory.append(piece)
            }
        }
        if case .weekday = second {
            end = DateArithmetic.next(end?.weekday ?? 0, from: start.date, orSame: false)
        }
        note(start, &outcome) { .date($0) }
        outcome.others = []
        outcome.isSpan = true
        if let time = time() {
            let chosen = moment(start.date, time)
            outcome.start = .time(chosen)
            // Unclear whether it lasts for days, or happens at that time on each or one of
            // them.
            if selection.hours == nil { outcome.contradictory.append(piece) }
            finish(&outcome)
            if let end, selection.hours == nil { outcome.end = .time(moment(end, time)) }
            if !isAhead(chosen) { outcome.isPast = true }
            return
        }
        outcome.start = .date(start.date)
        if let end, end > start.date { outcome.end = .date(end) }
    }

    // MARK: From now

    private func resolveElapsed(_ amount: Amount, _ outcome: inout Outcome) {
        var clock = adding(amount, to: now, at: context.now)
        // Long amounts lead to a whole minute, as people expect; timers and short amounts
        // keep their seconds, where a minute less would matter.
        let isTimer = selection.extras.contains { $0.lead == .timer }
        let whole = Self.wholeMinute(clock)
        if abs(amount.seconds) >= 600, amount.seconds % 60 == 0, !isTimer, isAhead(whole) {
            clock = whole
        }
        outcome.start = .time(clock)
        if !isAhead(clock) { outcome.isPast = true }
        finish(&outcome)
    }
}
