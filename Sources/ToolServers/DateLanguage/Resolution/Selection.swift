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
    var extras: [Piece] = []
    /// Looked like dates and are not used.
    var unused: [Piece] = []

    init(_ pieces: [Piece]) {
        sort(pieces)
        if repeats.isEmpty { dropRepeatParts() }
        chooseRepeats()
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
        if elapsed != nil {
            if clock != nil { drop(\.clock) }
            if day != nil { drop(\.day) }
        }
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
        part = Piece(
            value: .part(
                firstDay != nil && secondDay == nil ? second : first, firstDay ?? secondDay,
                isEveryDay: isEvery || isEvery2),
            tokens: piece.tokens, relation: piece.relation,
            strength: max(old.strength, piece.strength))
    }

    private mutating func dropRepeatParts() {
        drop(\.count)
        drop(\.except)
    }

    /// An adjective ("weekly report") counts only beside nothing but a clock.
    private mutating func chooseRepeats() {
        let sure = repeats.filter { piece in
            if case .recurrence(let spec) = piece.value { return !spec.isAdjective }
            return true
        }
        let hasOther =
            day != nil || days != nil || elapsed != nil || !sure.isEmpty
            || (part.map {
                if case .part(_, let day, _) = $0.value { return day != nil } else { return false }
            } ?? false)
        let hasClock = clock != nil || hours != nil
        for piece in repeats {
            if case .recurrence(let spec) = piece.value, spec.isAdjective, hasOther || !hasClock {
                unused.append(piece)
            }
        }
        if hasOther || !hasClock { repeats = sure }
        if repeats.isEmpty,
            part.map({
                if case .part(_, nil, true) = $0.value { return true } else { return false }
            }) == true, day == nil
        {
            // "mornings" alone repeat.
        } else if repeats.isEmpty {
            dropRepeatParts()
        }
    }

    /// Everything that is used, in no order.
    var used: [Piece] {
        [
            day, days, from, until, clock, untilClock, hours, part, elapsed, duration, count,
            except, zone,
        ].compactMap { $0 } + repeats + extras
    }
}
