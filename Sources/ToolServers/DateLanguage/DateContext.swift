import Base
import FoundationEssentials
import ICalendar

/// Everything that the meaning of a phrase depends on: the current time, the place, and the
/// reader's habits.
package struct DateContext: Sendable {
    package var now: Date
    package var local: LocalTime
    package var zones: TimeZoneDatabase
    package var locale: DateLocale
    package var hours: PartsOfDay

    package init(
        now: Date, local: LocalTime, zones: TimeZoneDatabase,
        locale: DateLocale = .british, hours: PartsOfDay = PartsOfDay()
    ) {
        (self.now, self.local, self.zones) = (now, local, zones)
        (self.locale, self.hours) = (locale, hours)
    }

    /// Tomorrow at nine, for the examples of hints: `2026-11-22T09:00`.
    package var example: String { example(daysLater: 1) }
    var pastExample: String { example(daysLater: -1) }

    private func example(daysLater days: Int) -> String {
        "\(local.civil(at: now).date.adding(days: days).isoText)T09:00"
    }
}

/// The language of phrases and the order of numbers in them. English is
/// understood whatever the language.
package struct DateLocale: Sendable, Equatable {
    package enum Language: String, Sendable { case english, german }

    package var language: Language
    /// `5/3` is 3 May, as in the United States.
    package var isMonthFirst: Bool
    package var firstWeekday: RecurrenceRule.Weekday

    package static let british = DateLocale(
        language: .english, isMonthFirst: false, firstWeekday: .monday)
    package static let american = DateLocale(
        language: .english, isMonthFirst: true, firstWeekday: .sunday)
    package static let german = DateLocale(
        language: .german, isMonthFirst: false, firstWeekday: .monday)
}

extension DateLocale {
    /// The locale for a POSIX or BCP 47 name: `en_US.UTF-8`, `de-DE`. Any other name gives
    /// British English: day before month, weeks starting on Monday.
    package init(named name: String) {
        let base = name.prefix { $0 != "." && $0 != "@" }
        let parts = base.split { $0 == "_" || $0 == "-" }.map { $0.lowercased() }
        if parts.first == "de" {
            self = .german
        } else if parts.last == "us" || parts.last == "ph" {
            self = .american
        } else if parts.last == "ca" {
            self = DateLocale(language: .english, isMonthFirst: false, firstWeekday: .sunday)
        } else {
            self = .british
        }
    }
}

/// The hours (0…23) that words for parts of the day stand for.
package struct PartsOfDay: Sendable, Equatable {
    package var morning = 9
    package var noon = 12
    package var afternoon = 15
    package var evening = 19
    package var night = 20
    package var endOfDay = 17

    package init() {}
}

extension PartsOfDay {
    /// The settings that `config.json` may contain.
    package static let settings = SettingTable<PartsOfDay>(
        "an object such as { \"morning\": 8 }",
        [
            .init("morning", \.morning, .hour, .plain),
            .init("noon", \.noon, .hour, .plain),
            .init("afternoon", \.afternoon, .hour, .plain),
            .init("evening", \.evening, .hour, .plain),
            .init("night", \.night, .hour, .plain),
            .init("end_of_day", \.endOfDay, .hour, .plain),
        ])
}
