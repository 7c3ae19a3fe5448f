import Base
import FoundationEssentials
import ICalendar

/// The content delivered by a channel: one alert, or several old ones together.
package struct AlertNotice: Sendable {
    package enum Content: Sendable, Equatable {
        case alert(Alert, isLate: Bool)
        case older([Alert])
        /// A report of something else, such as a routine.
        case note(title: String, text: String)
        /// `chat alerts test`.
        case test
    }

    package var content: Content
    /// The length of "snooze" without a time.
    package var snoozeMinutes: Int
    /// The user's zone.
    package var local: LocalTime
    package var now: Date
    /// Whether this process stays running for the buttons.
    package var canAnswer = true

    package var alert: Alert? {
        if case .alert(let alert, _) = content { alert } else { nil }
    }

    /// `take the bread out`.
    package var title: String {
        switch content {
        case .alert(let alert, _): Self.title(alert)
        case .older(let alerts):
            alerts.count == 1
                ? "1 older alert was missed" : "\(alerts.count) older alerts were missed"
        case .note(let title, _): Self.plain(title)
        case .test: "This is what an alert looks like"
        }
    }

    /// `14:00`, `missed at 17:00`, `in 15 min, 14:00`.
    package var when: String {
        switch content {
        case .alert(let alert, let isLate):
            if isLate { return "missed at \(clock(alert.instant))" }
            if alert.time.isDate { return day(alert.time.civilDate) }
            let time = alert.time.instant(in: local)
            let ahead = time.timeIntervalSince(now)
            let away = ahead >= 60 ? "\(RelativeText.text(from: now, to: time)), " : ""
            return away + clock(time)
        case .older(let alerts):
            return alerts.prefix(3).map(Self.title).joined(separator: ", ")
                + (alerts.count > 3 ? ", …" : "")
        case .note(_, let text): return Self.plain(text)
        case .test: return clock(now)
        }
    }

    /// `14:00`; preceded by the day if it is not today.
    private func clock(_ instant: Date) -> String {
        let civil = local.civil(at: instant)
        let today = local.civil(at: now).date
        return civil.date == today
            ? civil.clockText : "\(day(civil.date)) \(civil.clockText)"
    }

    private func day(_ date: CivilDate) -> String {
        let today = local.civil(at: now).date
        return date.nearName(asOf: today) ?? date.text(asOf: today)
    }

    /// One line, of bounded length, without characters that could control a program.
    package static func title(_ alert: Alert) -> String {
        let clean = plain(alert.title)
        return clean.isEmpty ? (alert.isEvent ? "an event" : "a reminder") : clean
    }

    /// Maximum number of characters shown of a title.
    static let titleLimit = 200

    /// Removes control and format characters (which could reverse the text's
    /// direction), except the joiner that emoji need.
    static func plain(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append(" ")
            case .format where scalar != "\u{200D}": continue
            case .unassigned, .privateUse, .surrogate: continue
            default: scalars.append(scalar)
            }
        }
        let line = String(scalars).oneLine
        return line.count > titleLimit ? String(line.prefix(titleLimit - 1)) + "…" : line
    }

    /// `⏰ 14:00  take the bread out · /done · /snooze 10m`, for the chat;
    /// without `hints` the commands are left out.
    package func line(hints: Bool) -> StyledLine {
        if case .note = content {
            return StyledLine([
                .init("⟳ ", .accent), .init(title, .bold), .init(" · \(when)"),
                .init(hints ? " · /routine log" : "", .dim),
            ])
        }
        var spans = [StyledLine.Span("⏰ ", .accent)]
        if case .older = content {
            spans.append(.init(title, .warning))
            spans.append(.init(" · \(when)", .dim))
            if hints { spans.append(.init(" · /reminders list overdue", .dim)) }
            return StyledLine(spans)
        }
        let isLate = if case .alert(_, true) = content { true } else { false }
        spans.append(.init(when, isLate ? .warning : .accent))
        spans.append(.init("  \(title)", .bold))
        if hints, let alert {
            let done = alert.isEvent ? "" : " · /done"
            spans.append(.init("\(done) · /snooze \(snoozeMinutes)m", .dim))
        }
        return StyledLine(spans)
    }
}

/// `in 3 h`, `2 days ago`: the distance from now, in one unit.
package enum RelativeText {
    package static func text(from now: Date, to instant: Date) -> String {
        let seconds = LocalTime.seconds(of: instant) - LocalTime.seconds(of: now)
        let size = abs(seconds)
        let amount =
            switch size {
            case ..<60: "\(size) s"
            case ..<3_570: "\((size + 30) / 60) min"
            case ..<84_600: "\((size + 1_800) / 3_600) h"
            default: (size + 43_200) / 86_400 == 1 ? "1 day" : "\((size + 43_200) / 86_400) days"
            }
        return seconds < 0 ? "\(amount) ago" : "in \(amount)"
    }
}
