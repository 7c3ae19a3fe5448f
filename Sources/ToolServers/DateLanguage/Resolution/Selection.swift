import ICalendar

/// Decides which of the pieces found in a phrase say when, and which belong to its title
/// after all.
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
    /// Whether `beside` moves the day: "the day before my flight on march 20".
    var isShifted = false
    var extras: [Piece] = []
    /// Pieces that looked like dates but are not used.
    var unused: [Piece] = []

    /// The selections for the other complete times of the item.
    private var others: [Selection] = []
    /// The repetitions, grouped by what one rule can express.
    private var rules: [[Piece]] = []

    init(_ pieces: [Piece]) {
        let last = pieces.map(\.time).max() ?? 0
        if last > 0 {
            let common = pieces.filter {
                $0.time == 0 && $0.day == nil && $0.clocks.isEmpty && $0.part == nil
                    && $0.recurrence == nil
            }
            for time in 1...last {
                let said = pieces.filter { $0.time == time }
                // "at 8 both this evening and tomorrow morning"
                let clocks = pieces.filter { piece in
                    piece.time == 0 && !piece.clocks.isEmpty && said.allSatisfy(\.clocks.isEmpty)
                        && said.compactMap(\.part).allSatisfy { part in
                            piece.clocks.allSatisfy { $0.half == nil && $0.canBe(in: part.value) }
                        }
                }
                others.append(Selection(common + clocks + said.map(\.first)))
                extras += said
            }
        }
        sort(pieces.filter { $0.time == 0 })
        repeatBoundDays()
        repeatNextDays()
        chooseRepeats()
        groupRepeats()
        placeBeside()
    }

    /// "the day before my flight on march 20" is 19 March, "an hour before the train at
    /// 3pm" an alarm. Without a time, it depends on the event's own time.
    private mutating func placeBeside() {
        guard let piece = beside, case .beside(let amount) = piece.value else { return }
        if elapsed != nil || (amount == Amount() && (clock ?? hours) != nil) {
            beside = nil
            unused.append(piece)
        } else if amount.isExact, clock != nil || hours != nil {
            beside?.value = .alarm(amount.trigger)
        } else if !amount.isExact, repeats.isEmpty, let old = day, case .day(let spec) = old.value {
            day?.value = .day(.shift(amount, spec))
            isShifted = true
            if part == nil, clock == nil, let eve = piece.more.first {
                part = Piece(eve, piece.tokens)
            }
        }
    }

    /// "monday and friday until june" repeats every week.
    private mutating func repeatBoundDays() {
        guard let day, !day.more.isEmpty, !day.isChoice, repeats.isEmpty,
            until != nil || count != nil || duration?.isOfDays == true
        else { return }
        let weekdays = day.days.compactMap(\.bareWeekday)
        guard weekdays.count == day.days.count else { return }
        repeatWeekly(weekdays.map { .init(weekday: $0) }, in: \.day)
    }

    /// "at 8 for the next 3 days", "ab morgen 5 Tage lang um 20 Uhr" repeat every day, and so
    /// does "remind me tomorrow at 8 for 3 days".
    private mutating func repeatNextDays() {
        guard let duration, duration.isOfDays, repeats.isEmpty, clock != nil || part != nil
        else { return }
        let isBounded = duration.relation == .starting || from != nil
        let isReminder =
            extras.contains { $0.lead == .reminder || $0.lead == .task }
            && [day, clock, part].contains {
                $0?.tokens.upperBound == duration.tokens.lowerBound
            }
        guard isBounded && day == nil || isReminder else { return }
        repeats.append(
            Piece(.recurrence(RepeatSpec(unit: .day)), duration.tokens))
    }

    // MARK: Several in one

    /// One selection for each of the days and times given together.
    var variants: [Selection] {
        var variants = [self]
        func split(_ slot: WritableKeyPath<Selection, Piece?>, _ values: [Piece.Value]) {
            guard values.count > 1 else { return }
            variants = variants.flatMap { variant in
                values.map { value in
                    var single = variant
                    single[keyPath: slot]?.value = value
                    single[keyPath: slot]?.more = []
                    return single
                }
            }
        }
        if rules.count > 1 {
            variants = rules.map { rule in
                var variant = self
                variant.repeats = rule
                return variant
            }
        }
        if makesItemOfEachDay, let day { split(\.day, [day.value] + day.more) }
        if let elapsed { split(\.elapsed, [elapsed.value] + elapsed.more) }
        if let part { split(\.part, [part.value] + part.more) }
        if let clock, clock.isChoice || !isOneRule(clock.clocks) {
            split(\.clock, clock.clocks.map { .clock([$0]) })
        }
        variants += others
        return Array(variants.prefix(Self.variantLimit))
    }

    private static let variantLimit = 24

    /// Whether there is no rule, or only one that its days complete: "immer am 1. und am 15.".
    var makesItemOfEachDay: Bool { repeats.allSatisfy { $0.recurrence == RepeatSpec() } }

    /// Groups the repetitions into one rule, or several: "every monday and every other
    /// thursday".
    private mutating func groupRepeats() {
        var groups: [(spec: RepeatSpec, pieces: [Piece])] = []
        for piece in repeats {
            guard let spec = piece.recurrence else { continue }
            if let last = groups.last,
                let both = last.spec.merged(with: spec, isJoined: piece.isJoined)
            {
                groups[groups.count - 1] = (both, last.pieces + [piece])
            } else if piece.isApart {
                unused.append(piece)
            } else {
                groups.append((spec, [piece]))
            }
        }
        rules = groups.map(\.pieces)
        repeats = rules.flatMap { $0 }
    }

    /// Whether one rule can hold the times: several hours, but only one minute.
    private func isOneRule(_ clocks: [ClockSpec]) -> Bool {
        (!repeats.isEmpty || partIsEveryDay) && Set(clocks.map(\.minute)).count == 1
    }

    /// Whether only one of several is meant, without saying which.
    var isChoice: Bool {
        ([day, clock, part, elapsed] + extras).contains { $0?.isChoice == true }
    }

    private mutating func sort(_ pieces: [Piece]) {
        // "until 5pm from 3": an end that comes with a start.
        func isEnd(_ piece: Piece) -> Bool { piece.relation == .until && !piece.clocks.isEmpty }
        for piece in pieces.filter({ !isEnd($0) }) + pieces.filter(isEnd) {
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
            case .days, .stretch: keep(piece, in: \.days)
            case .clock:
                if isEnd(piece), clock != nil || elapsed != nil {
                    keep(piece, in: \.untilClock)
                } else {
                    keep(piece, in: \.clock)
                }
            case .hours: keep(piece, in: \.hours)
            case .part: keepPart(piece)
            case .elapsed: keep(piece, in: \.elapsed)
            case .duration: keep(piece, in: \.duration)
            case .recurrence: repeats.append(piece)
            case .beside: keep(piece, in: \.beside)
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
        // "every 2 hours until 6pm"
        if clock?.relation == .until,
            repeats.contains(where: { $0.unit == .hour || $0.unit == .minute })
        {
            (untilClock, clock) = (clock, nil)
        }
        // "at noon … in the evening"
        if let part = part?.part, part.day == nil,
            clock?.clocks.contains(where: { !$0.canBe(in: part.value) }) == true
        {
            drop(\.part)
        }
        repeatWorkweek()
        if elapsed != nil {
            if clock != nil { drop(\.clock) }
            // "today in 2 hours"
            if let day, day.day == .offset(0) {
                extras.append(day)
                self.day = nil
            }
            if day != nil { drop(\.day) }
        }
    }

    /// "mon-fri 6am" is every working day, and "mon-fri" alone a range of days. A reminder does not
    /// ring from Monday to Thursday without a break.
    private mutating func repeatWorkweek() {
        guard let days,
            case .days(.weekday(let first, .bare), .weekday(let last, .bare)) = days.value,
            first < last, clock != nil || hours != nil,
            (first, last) == (1, 5)
                || extras.contains(where: { [.reminder, .alarm].contains($0.lead) })
        else { return }
        repeatWeekly((first...last).map { .init(weekday: $0) }, in: \.days)
    }

    private mutating func repeatWeekly(
        _ weekdays: [RecurrenceRule.Day], in slot: WritableKeyPath<Selection, Piece?>
    ) {
        guard let piece = self[keyPath: slot] else { return }
        let spec = RepeatSpec(unit: .week, weekdays: weekdays)
        repeats.append(Piece(.recurrence(spec), piece.tokens, strength: 3))
        self[keyPath: slot] = nil
    }

    /// Keeps the surer of two pieces; if equal, the later.
    // Not inlined: inlining it for each slot takes the optimizer many seconds.
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

    /// Merges two days that complete each other: "next week … on tuesday".
    private mutating func keepDay(_ piece: Piece) {
        guard let old = day else {
            day = piece
            return
        }
        let both = old.days.flatMap { first in
            piece.days.compactMap { Self.joined(first, $0) ?? Self.joined($0, first) }
        }
        guard let first = both.first, both.count == max(old.days.count, piece.days.count) else {
            keep(piece, in: \.day)
            return
        }
        extras.append(Piece(.noise, old.tokens))
        day = Piece(
            .day(first), piece.tokens,
            relation: old.relation == .deadline ? .deadline : piece.relation,
            strength: max(old.strength, piece.strength), more: both.dropFirst().map { .day($0) },
            isChoice: old.isChoice || piece.isChoice)
    }

    private static func joined(_ first: DaySpec, _ second: DaySpec) -> DaySpec? {
        switch (first, second) {
        case (.weekday(let weekday, .bare), .period(.week, _, .none)): .weekdayIn(weekday, second)
        case (.weekday(let weekday, .bare), .shift(let amount, .offset(0))):
            amount.days % 7 == 0 ? .weekdayIn(weekday, second) : nil
        case (.weekday(let weekday, let choice), .date),
            (.weekday(let weekday, let choice), .monthDay):
            choice == .bare || choice == .this || choice == .next ? .named(weekday, second) : nil
        case (.date(nil, _, _, _), .period(.year, 0, .none)): first
        case (.date(nil, let month, let day, _), .period(.year, 1, .none)):
            .shift(Amount(), .date(year: nil, month: month, day: day, other: false))
        default: nil
        }
    }

    private mutating func keepPart(_ piece: Piece) {
        guard let old = part, let first = old.part, let second = piece.part else {
            part = piece
            return
        }
        let both = Self.modified(first.value, second.value)
        if first.day == nil, second.day == nil, first.value != second.value, both == nil {
            part?.more.append(piece.value)
            extras.append(Piece(.noise, piece.tokens))
            return
        }
        // "tonight … in the evening": one day, the more specific part.
        extras.append(Piece(.noise, old.tokens))
        let finer = first.day != nil && second.day == nil ? second : first
        part = Piece(
            .part(
                both ?? finer.value, first.day ?? second.day,
                isEveryDay: first.isEveryDay || second.isEveryDay), piece.tokens,
            relation: piece.relation, strength: max(old.strength, piece.strength))
    }

    /// "early tomorrow evening": a part of the day in two pieces.
    private static func modified(_ first: DayPart, _ second: DayPart) -> DayPart? {
        let role: Role? = first == .earlyMorning ? .early : first == .lateAfternoon ? .late : nil
        let modified = second.modified(by: role)
        return modified == second ? nil : modified
    }

    /// An adjective ("weekly report") counts only if the only other piece is a clock time.
    private mutating func chooseRepeats() {
        let hasSure = repeats.contains { !$0.isAdjective }
        let hasOther =
            day != nil || days != nil || elapsed != nil || hasSure || part?.part?.day != nil
        let hasClock = clock != nil || hours != nil
        for piece in repeats {
            guard case .recurrence(let spec) = piece.value, spec.isAdjective else { continue }
            if hasOther || (!hasClock && !spec.isBeforeTask) {
                unused.append(Piece(piece.value, piece.tokens, strength: 0))
                repeats.removeAll { $0.tokens == piece.tokens }
            }
        }
        // "mornings" alone also repeats.
        if repeats.isEmpty, !(partIsEveryDay && day == nil) {
            drop(\.count)
            drop(\.except)
        }
    }

    /// "mornings"
    var partIsEveryDay: Bool { part?.part.map { $0.day == nil && $0.isEveryDay } == true }

    /// The pieces that say when, in no order.
    var times: [Piece] {
        [
            day, days, from, until, clock, untilClock, hours, part, elapsed, duration, count,
            except, beside,
        ].compactMap { $0 } + repeats + extras.filter(Self.saysWhen)
    }

    /// Whether the extra is another time or the alarm.
    private static func saysWhen(_ extra: Piece) -> Bool { extra.time > 0 || extra.isAlarm }

    /// All used pieces, in no order.
    var used: [Piece] {
        times + [zone].compactMap { $0 } + extras.filter { !Self.saysWhen($0) }
    }
}
