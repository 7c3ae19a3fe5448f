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
        /// The time when a timer was set: its new length counts from then.
        var timerSet: Date?

        init(from time: ItemTime, to end: ItemTime) { (self.time, self.end) = (time, end) }

        init(_ reminder: Reminder) {
            time = reminder.due
            if reminder.title.lowercased().hasSuffix("timer") { timerSet = reminder.fields.created }
        }
    }

    /// The edit; nil if it is not an edit, or not possible.
    func edit(of item: Subject, _ fields: DateFieldParser) -> ItemEdit? {
        let local = fields.context.local
        func moved(_ time: ItemTime?) -> ItemEdit? {
            time.map { item.end == nil ? ItemEdit(due: $0) : ItemEdit(start: $0) }
        }
        func rings(after length: CalendarDuration) -> ItemEdit? {
            item.timerSet.flatMap { moved(length.added(to: ItemTime($0, in: local), in: local)) }
        }
        switch verb {
        case .complete, .reopen, .snooze, .delete, .copy: return nil
        case .rename(let name): return ItemEdit(title: name)
        case .move(let phrase):
            // The minutes of a timer, up to a day.
            let minutes = Int(phrase).flatMap { (1...1_440).contains($0) ? $0 : nil }
            return minutes.flatMap { rings(after: CalendarDuration(seconds: $0 * 60)) }
                ?? moved(newTime(of: item.time, to: phrase, fields))
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
        var context = fields.context
        if let day = item.time?.day(in: context.local) {
            context.now = max(context.now, context.local.start(of: day))
        }
        let parser = DateParser(context)
        let fields = DateFieldParser(context: context) { parser.parse($0) }
        // Words that are no rule are no change.
        guard let found = try? fields.repetition(phrase) else { return nil }
        // "every week" keeps the day, "every monday" may not.
        let namesDays = found.rule.text.contains(";BY")
        var start = namesDays ? found.start ?? item.time : item.time ?? found.start
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

    /// Whether the question is not needed: one item of exactly that title is there.
    func isExactly(_ item: some CalendarItem) -> Bool {
        actsIfExact && !item.fields.isRecurring
            && title.map { NamedInWords.isExactly($0, title: item.fields.title) } == true
    }
}

extension ItemEdit {
    /// The options of the command that makes this edit.
    func options(in local: LocalTime) -> [String] {
        let options = [
            ("--title", title), ("--due", due?.value?.isoText(in: local)),
            ("--start", start?.isoText(in: local)), ("--end", end?.isoText(in: local)),
            ("--repeat", recurrence?.value?.text), ("--alarm", alarm?.value?.text),
            ("--location", location?.value),
        ]
        return options.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}
