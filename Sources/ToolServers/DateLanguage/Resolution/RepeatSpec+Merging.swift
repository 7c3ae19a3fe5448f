import ICalendar

/// Merges two repetitions that one rule can express: "biweekly on mondays", "every 4th and
/// every 18th".
extension RepeatSpec {
    /// The merged repetition; nil if two rules are needed: "every monday and every other
    /// thursday".
    ///
    /// - Parameter isJoined: whether "and" stands between them.
    func merged(with more: RepeatSpec, isJoined: Bool = false) -> RepeatSpec? {
        guard isCompatible(with: more), !isJoined || namesDays && more.namesDays else {
            return nil
        }
        var spec = self
        if let unit = more.unit {
            let isFiner =
                spec.unit == nil || (spec.unit == .day && unit == .week && !more.weekdays.isEmpty)
                || (spec.weekdays.isEmpty && spec.monthDays.isEmpty && !more.monthDays.isEmpty)
                || (spec.unit == .week && !spec.weekdays.isEmpty && unit == .month
                    && !more.weekdays.isEmpty && more.weekdays[0].ordinal != nil)
                || (spec.unit == .month && unit == .year && spec.months.isEmpty)
            if isFiner {
                // "every 14 days on thursdays"
                if spec.unit == .day, unit == .week { spec.interval = max(1, spec.interval / 7) }
                spec.unit = unit
            }
        }
        spec.interval = max(spec.interval, more.interval)
        spec.weekdays = (spec.weekdays + more.weekdays.filter { !spec.weekdays.contains($0) })
            .sorted { ($0.weekday.rawValue + 6) % 7 < ($1.weekday.rawValue + 6) % 7 }
        spec.monthDays += more.monthDays.filter { !spec.monthDays.contains($0) }
        if spec.months.isEmpty { spec.months = more.months }
        if spec.minutes.isEmpty { spec.minutes = more.minutes }
        spec.setPosition = spec.setPosition ?? more.setPosition
        spec.parts += more.parts.filter { !spec.parts.contains($0) }
        spec.timesADay = spec.timesADay ?? more.timesADay
        spec.anchor = spec.anchor ?? more.anchor
        spec.isFromCompletion = spec.isFromCompletion || more.isFromCompletion
        spec.isVague = spec.isVague || more.isVague
        return spec
    }

    private var namesDays: Bool { !weekdays.isEmpty || !monthDays.isEmpty || anchor != nil }

    private func isCompatible(with more: RepeatSpec) -> Bool {
        func agree<Value: Equatable>(_ part: KeyPath<RepeatSpec, [Value]>) -> Bool {
            let (first, second) = (self[keyPath: part], more[keyPath: part])
            return first.isEmpty || second.isEmpty || first == second
        }
        guard agree(\.months), agree(\.minutes) else { return false }
        guard namesDays, more.namesDays else {
            return interval == 1 || more.interval == 1 || interval == more.interval
        }
        // Each names its days: one rule has all of them, at one interval and time.
        return anchor == nil && more.anchor == nil && unit == more.unit
            && interval == more.interval && setPosition == nil && more.setPosition == nil
            && weekdays.isEmpty == more.weekdays.isEmpty
            && monthDays.isEmpty == more.monthDays.isEmpty
            && (weekdays.first?.ordinal == nil) == (more.weekdays.first?.ordinal == nil)
            && (agree(\.parts) || agree(\.weekdays))
    }
}
