import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The fields of an event, of the occurrences to change, and of the days to show.
extension CalendarServer {
    typealias DraftField = ActField<PlannerDraft, Moment>

    static func draftFields(isNew: Bool) -> [DraftField] {
        var fields: [DraftField] = [
            .init("--all-day", "whole days", model: .init("all_day", .boolean())) {
                draft, _, moment in
                draft.isAllDay = true
                guard let day = draft.time?.day(in: moment.local) else { return }
                if isNew, draft.start?.isDate == false { draft.end = .date(day.adding(days: 1)) }
                draft.start = .date(day)
            },
            .init(
                "--start TIME", "such as 2026-11-22T09:00, or a day",
                model: .init("start", .string(description: "Day or time"), isRequired: isNew)
            ) { draft, value, moment in
                if !value.isTyped, !isNew, value.isNone { return }
                let start = try value.read(moment.fields.time)
                guard isNew else {
                    draft.start = draft.old.map {
                        start.moving($0, isAllDay: draft.isAllDay, in: moment.local)
                    }
                    return
                }
                let next = start.next(in: moment.context)
                let first = draft.isAllDay ? .date(next.day(in: moment.local)) : next
                draft.start = first
                draft.end = TimeSpan.end(nil, after: first, context: moment.context)
            },
            .init(
                "--end TIME", "until then",
                model: .init("end", .string(description: "Time, or last day"))
            ) { draft, value, moment in
                if !value.isTyped, value.isNone { return }
                let end = try value.read(moment.fields.time)
                guard let start = draft.time,
                    let last = TimeSpan.end(end, after: start, context: moment.context)
                else {
                    if case .clock = end, draft.time?.isDate == false {
                        throw value.refusal("is before the start; give an end after it")
                    }
                    throw value.refusal(
                        "must be a day for an all-day event, and a time otherwise")
                }
                draft.end = last
            },
            .text(
                "--location PLACE", "where it is", \.location,
                model: .init(
                    "location", .string(description: isNew ? nil : "Empty for none"))),
            .text("--notes TEXT", "more about it", \.notes, model: .init("notes", .string())),
            .list("--calendar NAME", "the calendar to put it in", .calendar, model: "calendar"),
            .repetition("repeat", isNew ? "RRULE" : "RRULE, or none"),
            .alarm("alarm_minutes", "-1 for none", -1...40_320),
        ]
        if !isNew { fields.insert(by, at: 1) }
        return fields
    }

    private static let by = DraftField("--by 30m", "move it by this much; -1d moves it earlier") {
        draft, value, moment in
        let isBack = value.text.hasPrefix("-")
        let text = isBack ? String(value.text.dropFirst()) : value.text
        guard let length = DurationParser.duration(of: text), length != .zero else {
            throw value.refusal("\"\(value.text)\" is not a length of time; use 30m, 2h or -1d")
        }
        draft.start = draft.old.map { (isBack ? -length : length).added(to: $0, in: moment.local) }
    }

    // MARK: - Which occurrences

    struct Occurrence: Sendable {
        var date: DateField?
        var scope: EventScope?
    }

    static let one = ActField<Occurrence, Moment>(
        words: .phrase("TITLE|ID", "a title or an id"),
        model: .init(
            "event", .string(description: "Title, unique part of it, or id"), isRequired: true))

    static let occurrence: [ActField<Occurrence, Moment>] = [
        one,
        .init(model: .init("date", .string(description: "Of the occurrence, if it repeats"))) {
            one, value, moment in
            if !value.isNone { one.date = try value.read(moment.fields.time) }
        },
        .init(
            model: .init(
                "scope",
                .string(
                    description: "Needed if it repeats; ask if unclear",
                    choices: EventScope.allCases.map(\.rawValue)))
        ) { one, value, _ in one.scope = EventScope(rawValue: value.text) },
        scope("--this DATE", "only the one on that day", .this, mayLackValue: true),
        scope("--following DATE", "that one and all after it", .following, mayLackValue: true),
        scope("--all", "all of them", .all),
    ]

    private static func scope(
        _ head: String, _ help: String, _ scope: EventScope, mayLackValue: Bool = false
    ) -> ActField<Occurrence, Moment> {
        .init(head, help, mayLackValue: mayLackValue) { one, value, moment in
            guard one.scope == nil else { throw value.refusal("and another scope are given") }
            one.scope = scope
            if !value.texts.isEmpty { one.date = try value.read(moment.fields.time) }
        }
    }

    // MARK: - Which days

    struct Days: Sendable {
        var from: CivilDate?
        var to: CivilDate?
        var calendar: String?
        var hours = DayHours.working
        /// Minimum length of free time, in seconds.
        var minimum = 30 * 60

        func range(usual: Int, _ moment: Moment) -> ClosedRange<CivilDate> {
            let first = from ?? moment.today
            return first...max(first, to ?? first.adding(days: usual - 1))
        }
    }

    typealias DaysField = ActField<Days, Moment>

    /// - Parameter limit: maximum number of days the model may ask for, also in
    ///   words.
    static func span(_ limit: (days: Int, words: String)) -> [DaysField] {
        [
            .init(
                "--from DATE", "the first day; default: today",
                model: .init("from", .string(description: "Day"), isRequired: true)
            ) { days, value, moment in
                let named = try value.read(moment.fields.days)
                days.from = named.lowerBound
                if named.count > 1 { days.to = named.upperBound }
            },
            .init(
                "--to DATE", "the last day", model: .init("to", .string(description: "Last day"))
            ) { days, value, moment in
                if !value.isTyped, value.isNone { return }
                let last = try value.read(moment.fields.days).upperBound
                let first = days.from ?? min(moment.today, last)
                let name = value.isTyped ? "--from" : "from"
                guard first <= last else { throw value.refusal("is before \(name)") }
                let limit = value.isTyped ? (days: 36_600, words: "a hundred years") : limit
                guard last.dayNumber - first.dayNumber <= limit.days else {
                    throw value.refusal("must be within \(limit.words) of \(name)")
                }
                (days.from, days.to) = (first, last)
            },
        ]
    }
}
