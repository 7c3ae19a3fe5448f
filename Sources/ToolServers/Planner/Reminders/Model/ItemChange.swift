import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// Turns the change of an item (`Understanding.Change`) that a message asks for into the edit of
/// one reminder or event. Pure.
extension Understanding.Change {
    struct Subject {
        /// The time when it is due, or starts.
        var time: ItemTime?
        /// nil for a reminder.
        var end: ItemTime?
        var title: String
        /// The time when a timer, or a reminder soon after, was set: a new length counts from then.
        var timerSet: Date?
        var isTimer = false
        /// Seconds of the unit that its wait was surely given in: "in an hour".
        var waitUnit: Int?
        let isRecurring: Bool

        init(from time: ItemTime, to end: ItemTime, _ title: String, isRecurring: Bool) {
            (self.time, self.end, self.title) = (time, end, title)
            self.isRecurring = isRecurring
        }

        init(_ reminder: Reminder, _ local: LocalTime) {
            (time, title, isRecurring) =
                (reminder.due, reminder.title, reminder.fields.isRecurring)
            isTimer = title.lowercased().hasSuffix("timer")
            let wait = reminder.created.flatMap { set in
                time?.instant(in: local).timeIntervalSince(set)
            }
            let isSoon = wait.map { $0 <= 2 * 3_600 && $0.remainder(dividingBy: 60) == 0 } == true
            if isTimer || isSoon { timerSet = reminder.created }
            guard isSoon, let wait, let time, !time.isDate else { return }
            let due = local.civil(at: time.instant(in: local))
            let isWhole = wait.remainder(dividingBy: 3_600) == 0
            if isWhole || due.second != 0 || due.minute % (wait < 3_600 ? 15 : 5) != 0 {
                waitUnit = isWhole ? 3_600 : 60
            }
        }
    }

    /// The edit by all of its verbs; nil if one is not an edit, or not possible.
    func edit(of item: Subject, _ fields: DateFieldParser) -> ItemEdit? {
        var (whole, item) = (ItemEdit(), item)
        for verb in [verb] + also {
            guard let edit = edit(verb, of: item, fields) else { return nil }
            whole.merge(edit)
            if let old = item.time, let start = edit.start, let end = item.end {
                item.end = ItemShift(from: old, to: start, local: fields.context.local).moved(end)
            }
            item.end = edit.end ?? item.end
            item.time = edit.start ?? edit.due?.value ?? item.time
            item.title = edit.title ?? item.title
        }
        return whole
    }

    private func edit(
        _ verb: Verb, of item: Subject, _ fields: DateFieldParser
    ) -> ItemEdit? {
        let local = fields.context.local
        func moved(_ time: ItemTime?) -> ItemEdit? {
            time.map { item.end == nil ? ItemEdit(due: $0) : ItemEdit(start: $0) }
        }
        func rings(after length: CalendarDuration) -> ItemEdit? {
            item.timerSet.flatMap { moved(length.added(to: ItemTime($0, in: local), in: local)) }
        }
        switch verb {
        case .complete, .reopen, .snooze, .delete, .copy, .swap: return nil
        case .retitle(let retitling):
            return retitling.title(from: item.title).map { ItemEdit(title: $0) }
        case .untimed:
            guard item.end == nil, item.time != nil else { return nil }
            var edit = ItemEdit()
            edit.due = .clear
            return edit
        case .retime(let half):
            guard let time = item.time, !time.isDate else { return nil }
            let clock = local.civil(at: time.instant(in: local))
            let hour =
                fields.parse("3:00 " + half).zone == nil ? (clock.hour + 11) % 12 + 1 : clock.hour
            let minutes = clock.clockText.suffix(3)
            return moved(newTime(of: time, to: "\(hour)\(minutes) \(half)", fields))
        case .once(let phrase):
            var edit = moved(newTime(of: item.time, to: phrase, fields))
            if item.isRecurring { edit?.recurrence = .clear }
            return edit
        case .ring(let length, let phrase):
            guard let time = item.time, !time.isDate,
                let rings = newTime(of: length.added(to: time, in: local), to: phrase, fields),
                case let before = rings.instant(in: local).timeIntervalSince(
                    time.instant(in: local)),
                before < 0, rings.instant(in: local) > fields.context.now
            else { return nil }
            var edit = ItemEdit()
            edit.alarm = .set(CalendarDuration(seconds: Int(before)))
            return edit
        case .rename(let name): return ItemEdit(title: name)
        case .move(let phrase):
            // The minutes of a timer, up to a day.
            let minutes = Int(phrase).flatMap {
                (item.isTimer ? 1...1_440 : 25...120).contains($0) ? $0 : nil
            }
            if let unit = item.waitUnit, !item.isTimer,
                let number = DurationParser.duration(of: phrase.droppingAt, bare: .second)?.seconds,
                number <= 24
            {
                return (unit == 60 ? 5...24 : 1...6).contains(number)
                    ? rings(after: CalendarDuration(seconds: number * unit)) : nil
            }
            return minutes.flatMap { rings(after: CalendarDuration(seconds: $0 * 60)) }
                ?? moved(newTime(of: item.time, to: phrase, fields))
                ?? Int(phrase).flatMap { _ in
                    Retitling.spelled(phrase).title(from: item.title).map { ItemEdit(title: $0) }
                }
        case .shift(let length, let phrase):
            let shifted = item.time.map { length.added(to: $0, in: local) }
            let time = phrase == nil ? shifted : newTime(of: shifted, to: phrase, fields)
            // Not into the past, nor from there to the next such time.
            guard let time, time.deadline(in: local) > fields.context.now,
                phrase == nil || time.day(in: local) == shifted?.day(in: local)
            else { return nil }
            return moved(time)
        case .extend(let length):
            let end = (item.end ?? item.time).map { length.added(to: $0, in: local) }
            return item.end == nil ? moved(end) : ItemEdit(end: end)
        case .lasts(let length):
            guard let start = item.time, item.end != nil else { return rings(after: length) }
            return ItemEdit(end: length.added(to: start, in: local))
        case .begin(let phrase):
            var edit = moved(newTime(of: item.time, to: phrase, fields))
            edit?.end = item.end
            return edit
        case .end(let phrase):
            guard let start = item.time, let end = item.end else { return nil }
            let nearest = fields.moved(end, to: phrase, isCorrection: true)
            if let nearest, nearest.instant(in: local) > start.instant(in: local) {
                return ItemEdit(end: nearest)
            }
            // A phrase that is not a time is no change.
            return (try? fields.time(MessageInterpreter.time(phrase, fields.context))).flatMap {
                TimeSpan.end($0, after: start, context: fields.context)
            }.map { ItemEdit(end: $0) }
        case .repeats(let phrase): return repeated(item, phrase, fields)
        case .alarm(let offset):
            var edit = ItemEdit()
            edit.alarm = offset.map { .set($0) } ?? .clear
            return edit
        case .place(let place):
            var edit = ItemEdit()
            edit.location = .set(place)
            return edit
        }
    }

    private func newTime(
        of time: ItemTime?, to phrase: String?, _ fields: DateFieldParser
    ) -> ItemTime? {
        phrase.flatMap { fields.moved(time, to: $0, isCorrection: title == nil) }
    }

    /// The rule, starting on its first day that is not before the item's.
    private func repeated(
        _ item: Subject, _ phrase: String, _ fields: DateFieldParser
    ) -> ItemEdit? {
        // "not tuesdays, wednesdays": from this week on, unless that is over.
        for back in item.isRecurring ? [6, 0] : [0] {
            var context = fields.context
            if let day = item.time?.day(in: context.local) {
                context.now = max(
                    context.now, context.local.start(of: day.adding(days: -back)))
            }
            let edit = repeated(item, phrase, context)
            let start = edit?.start ?? edit?.due?.value
            if back == 0
                || start.map({ $0.deadline(in: context.local) > fields.context.now }) == true
            {
                return edit
            }
        }
        return nil
    }

    private func repeated(_ item: Subject, _ phrase: String, _ context: DateContext) -> ItemEdit? {
        let parser = DateParser(context)
        let fields = DateFieldParser(context: context) { parser.parse($0) }
        // Words that are no rule are no change.
        guard let found = try? fields.repetition(phrase) else { return nil }
        // "every week" keeps the day, "every monday" may not.
        let namesDays = found.rule.text.contains(";BY")
        var start = namesDays ? found.start ?? item.time : item.time ?? found.start
        // "every two weeks, starting next week" keeps the weekday.
        if !namesDays, found.hasOwnStart, found.rule.frequency == .weekly, let time = item.time,
            let first = found.start,
            case let days = first.civilDate.dayNumber - time.day(in: context.local).dayNumber,
            days > 0
        {
            start = CalendarDuration(days: (days + 6) / 7 * 7).added(to: time, in: context.local)
        }
        if let day = start, day.isDate, let time = item.time {
            start = DateField.day(day.civilDate).moving(time, in: context.local)
        }
        var edit = item.end == nil ? ItemEdit(due: start) : ItemEdit(start: start)
        edit.recurrence = .set(found.rule)
        return edit
    }

    /// The item once more at another time; nil if that is not asked for.
    func copy(of item: Subject, title: String, _ fields: DateFieldParser) -> ItemEdit? {
        guard case .copy(let phrase) = verb,
            let time = fields.moved(item.time, to: phrase, isCorrection: true)
        else { return nil }
        guard let start = item.time, let end = item.end else {
            return ItemEdit(title: title, due: time)
        }
        let shift = ItemShift(from: start, to: time, local: fields.context.local)
        return ItemEdit(title: title, start: time, end: shift.moved(end))
    }

    /// Whether the question is not needed: one item of exactly that title is there, or one of such
    /// a title or time that was changed lately.
    func isExactly(_ item: some CalendarItem, isRecent: Bool) -> Bool {
        actsIfExact && !item.fields.isRecurring
            && title.map {
                isRecent && (verb != .delete || occasion.isOnlyName)
                    || NamedInWords.isExactly($0, title: item.fields.title)
            } == true
    }
}

extension String {
    /// "at two" without its "at".
    fileprivate var droppingAt: String {
        hasPrefix("at ") || hasPrefix("um ") ? String(dropFirst(3)) : self
    }
}

extension ItemEdit {
    fileprivate mutating func merge(_ other: ItemEdit) {
        title = other.title ?? title
        (start, due) = (other.start ?? start, other.due ?? due)
        end = other.end ?? end
        (location, recurrence) = (other.location ?? location, other.recurrence ?? recurrence)
        alarm = other.alarm ?? alarm
    }

    /// The options of the command that makes this edit.
    func options(in local: LocalTime) -> [String] {
        let options = [
            ("--title", title), ("--due", due.map { $0.value?.isoText(in: local) ?? "none" }),
            ("--start", start?.isoText(in: local)), ("--end", end?.isoText(in: local)),
            ("--repeat", recurrence.map { $0.value?.text ?? "none" }),
            ("--alarm", alarm.map { $0.value?.text ?? "none" }),
            ("--location", location?.value),
        ]
        return options.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}

/// The act that a message asks for on one item: known before it is performed.
enum ItemAct {
    typealias Body = @Sendable () async throws -> CommandOutput

    /// Performs all of them or none: nil if one is not possible, and after an error those before it
    /// are undone.
    static func perform(_ acts: [Body?], in store: CalendarStore) async throws -> CommandOutput? {
        let possible = acts.compactMap(\.self)
        guard possible.count == acts.count else { return nil }
        var done: [CommandOutput] = []
        do {
            for act in possible { done.append(try await act()) }
        } catch {
            do {
                for _ in done { try await store.undoLast(if: true) }
            } catch let undoing {
                throw ToolError.failed(
                    "\(Diagnostic(of: error).what) What was changed before it could not be undone: "
                        + Diagnostic(of: undoing).what)
            }
            throw error
        }
        return CommandOutput(joining: done)
    }
}
