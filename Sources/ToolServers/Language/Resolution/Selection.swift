import AgentCore

/// Which of the pieces found in a phrase say when, and which are part of its
/// title after all.
struct Selection {
    var day: Piece?
    var days: Piece?
    var from: Piece?
    var until: Piece?
    var clock: Piece?
    var untilClock: Piece?
    var hours: Piece?
    var part: Piece?
    var elapsed: Piece?
    var duration: Piece?
    var repeats: [Piece] = []
    var count: Piece?
    var except: Piece?
    var zone: Piece?
    var beside: Piece?
    var extras: [Piece] = []
    /// Looked like dates and are not used.
    var unused: [Piece] = []

    init(_ pieces: [Piece]) {
        sort(pieces)
        chooseRepeats()
        moveDay()
    }

    /// "the day before my flight on march 20" is 19 March.
    private mutating func moveDay() {
        guard let piece = beside, case .beside(let amount) = piece.value else { return }
        guard repeats.isEmpty, let old = day, case .day(let spec) = old.value else {
            unused.append(piece)
            return
        }
        day?.value = .day(.shift(amount, spec))
        extras.append(piece)
    }

    private mutating func sort(_ pieces: [Piece]) {
        for piece in pieces {
            switch piece.value {
            case .day:
                if piece.strength == 0 {
                    unused.append(piece)
                } else if piece.relation == .until {
                    keep(piece, in: \.until)
                } else if piece.relation == .starting || piece.relation == .from {
                    keep(piece, in: \.from)
                } else {
                    keepDay(piece)
                }
            case .days: keep(piece, in: \.days)
            case .clock(let clocks):
                if piece.relation == .until, clock != nil || hasLaterClock(piece, pieces) {
                    keep(piece, in: \.untilClock)
                } else {
                    _ = clocks
                    keep(piece, in: \.clock)
                }
            case .hours: keep(piece, in: \.hours)
            case .part: keepPart(piece)
            case .elapsed: keep(piece, in: \.elapsed)
            case .duration: keep(piece, in: \.duration)
            case .recurrence: repeats.append(piece)
            case .beside: beside = piece
            case .count: keep(piece, in: \.count)
            case .except: keep(piece, in: \.except)
            case .zone: keep(piece, in: \.zone)
            default: extras.append(piece)
            }
        }
        if let days, let day {
            if day.strength > days.strength { drop(\.days) } else { drop(\.day) }
        }
        if hours != nil, clock != nil { drop(\.clock) }
        repeatWorkweek()
        if elapsed != nil {
            if clock != nil { drop(\.clock) }
            if day != nil { drop(\.day) }
        }
    }

    /// "mon-fri 6am" is every working day, "mon-fri" alone a stretch of days.
    private mutating func repeatWorkweek() {
        guard let days, case .days(.weekday(1, .bare), .weekday(5, .bare)) = days.value,
            clock != nil || hours != nil
        else { return }
        var spec = RepeatSpec(unit: .week)
        spec.weekdays = PhraseGrammar.workdays
        repeats.append(Piece(value: .recurrence(spec), tokens: days.tokens, strength: 3))
        self.days = nil
    }

    private func hasLaterClock(_ piece: Piece, _ pieces: [Piece]) -> Bool {
        pieces.contains { other in
            if case .clock = other.value {
                return other.relation != .until && other.tokens != piece.tokens
            }
            if case .elapsed = other.value { return true }
            return false
        }
    }

    /// The surer of two stays; of equals the later.
    // Inlined for each slot it takes the optimizer many seconds.
    @inline(never)
    private mutating func keep(_ piece: Piece, in slot: WritableKeyPath<Selection, Piece?>) {
        guard let old = self[keyPath: slot] else {
            self[keyPath: slot] = piece
            return
        }
        if piece.strength >= old.strength {
            unused.append(old)
            self[keyPath: slot] = piece
        } else {
            unused.append(piece)
        }
    }

    private mutating func drop(_ slot: WritableKeyPath<Selection, Piece?>) {
        if let piece = self[keyPath: slot] { unused.append(piece) }
        self[keyPath: slot] = nil
    }

    /// Two days that complete each other are one: "next week … on tuesday".
    private mutating func keepDay(_ piece: Piece) {
        if let old = day, case .day(let first) = old.value, case .day(let second) = piece.value,
            let both = Self.joined(first, second) ?? Self.joined(second, first)
        {
            extras.append(Piece(value: .noise, tokens: old.tokens))
            day = Piece(
                value: .day(both), tokens: piece.tokens,
                relation: old.relation == .deadline ? .deadline : piece.relation,
                strength: max(old.strength, piece.strength))
            return
        }
        keep(piece, in: \.day)
    }

    private static func joined(_ first: DaySpec, _ second: DaySpec) -> DaySpec? {
        switch (first, second) {
        case (.weekday(let weekday, .bare), .period(.week, _, .none)): .weekdayIn(weekday, second)
        case (.weekday(let weekday, .bare), .shift(_, .offset(0))): .weekdayIn(weekday, second)
        case (.weekday(let weekday, .bare), .isoWeek(let week, let year, _)):
            .isoWeek(week, year: year, weekday: weekday)
        case (.weekday(let weekday, let choice), .date),
            (.weekday(let weekday, let choice), .monthDay):
            choice == .bare || choice == .this || choice == .next ? .named(weekday, second) : nil
        case (.monthDay(let day, nil), .period(.month, let offset, .none)):
            .monthDay(day, monthOffset: offset)
        case (.monthDay(let day, nil), .month(let month, let year, .none)):
            .date(year: year, month: month, day: day, other: nil)
        case (.date(nil, let month, let day, _), .period(.year, 1, .none)):
            .shift(Amount(), .date(year: nil, month: month, day: day, other: nil))
        default: nil
        }
    }

    private mutating func keepPart(_ piece: Piece) {
        guard let old = part, case .part(let first, let firstDay, let isEvery) = old.value,
            case .part(let second, let secondDay, let isEvery2) = piece.value
        else {
            part = piece
            return
        }
        // "tonight … in the evening": one day, the finer part.
        extras.append(Piece(value: .noise, tokens: old.tokens))
        let finer = firstDay != nil && secondDay == nil ? second : first
        part = Piece(
            value: .part(
                Self.modified(first, second) ?? finer, firstDay ?? secondDay,
                isEveryDay: isEvery || isEvery2),
            tokens: piece.tokens, relation: piece.relation,
            strength: max(old.strength, piece.strength))
    }

    /// "early tomorrow evening": a part said in two pieces.
    private static func modified(_ first: DayPart, _ second: DayPart) -> DayPart? {
        switch (first, second) {
        case (.earlyMorning, .afternoon): .earlyAfternoon
        case (.earlyMorning, .evening), (.earlyMorning, .night): .earlyEvening
        case (.lateAfternoon, .evening), (.lateAfternoon, .night): .lateNight
        case (.lateAfternoon, .morning): .lateMorning
        default: nil
        }
    }

    private mutating func dropRepeatParts() {
        drop(\.count)
        drop(\.except)
    }

    /// An adjective ("weekly report") counts only beside nothing but a clock.
    private mutating func chooseRepeats() {
        let hasSure = repeats.contains { !$0.isAdjective }
        let hasOther = day != nil || days != nil || elapsed != nil || hasSure || partNamesDay
        let hasClock = clock != nil || hours != nil
        for piece in repeats {
            guard case .recurrence(let spec) = piece.value, spec.isAdjective else { continue }
            if hasOther || (!hasClock && !spec.isBeforeTask) {
                // "biweekly sync on mondays" keeps its name and its interval.
                if spec.interval > 1, hasSure,
                    let index = repeats.firstIndex(where: { $0.unit == spec.unit })
                {
                    repeats[index].widen(to: spec.interval)
                }
                unused.append(Piece(value: piece.value, tokens: piece.tokens, strength: 0))
                repeats.removeAll { $0.tokens == piece.tokens }
            }
        }
        // "mornings" alone repeat, too.
        if repeats.isEmpty, !(partIsEveryDay && day == nil) { dropRepeatParts() }
    }

    private var partNamesDay: Bool {
        if let part, case .part(_, let day, _) = part.value { day != nil } else { false }
    }

    private var partIsEveryDay: Bool {
        if let part, case .part(_, nil, true) = part.value { true } else { false }
    }

    /// Everything that is used, in no order.
    var used: [Piece] {
        [
            day, days, from, until, clock, untilClock, hours, part, elapsed, duration, count,
            except, zone,
        ].compactMap { $0 } + repeats + extras
    }
}

extension Piece {
    fileprivate var isAdjective: Bool {
        if case .recurrence(let spec) = value { spec.isAdjective } else { false }
    }

    /// The unit of a repetition that is no adjective.
    fileprivate var unit: TimeUnit? {
        if case .recurrence(let spec) = value, !spec.isAdjective { spec.unit } else { nil }
    }

    fileprivate mutating func widen(to interval: Int) {
        guard case .recurrence(var spec) = value, spec.interval == 1 else { return }
        spec.interval = interval
        value = .recurrence(spec)
    }
}
