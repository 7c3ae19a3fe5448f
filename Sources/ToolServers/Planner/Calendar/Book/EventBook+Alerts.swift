import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar
import Persistence

/// The times at which events ring, computed like the scheduler does: with the same reader of the
/// same files.
extension EventBook {
    /// The events, each with the time it rings next.
    package func ringing(_ events: [Event]) async -> [Event] {
        // Deleted events do not ring.
        let files = (try? await store.files(at: Set(events.map(\.path)))) ?? [:]
        let own = await store.eventsMadeHere(in: Array(files.values))
        let reader = AlertReader(
            local: local, zones: context.zones, settings: alerts, ownEvents: own)
        var places: [String: [Int]] = [:]
        for (place, event) in events.enumerated() { places[event.path, default: []].append(place) }
        var result = events
        for (path, places) in places {
            guard let file = files[path] else { continue }
            let window = window(for: places.map { events[$0] })
            let found = reader.alerts(
                in: file, from: window.lowerBound, to: window.upperBound, near: window.lowerBound
            ).alerts
            let next = Dictionary(
                found.flatMap { alert in
                    [[alert.uid], [alert.uid, alert.key.occurrence]].map { ($0, alert.instant) }
                }, uniquingKeysWith: min)
            for place in places {
                let event = events[place]
                let name = event.recurrenceID.map { AlertReader.name(of: $0, in: local) }
                result[place].rings = next[[event.uid] + [name].compactMap(\.self)]
            }
        }
        return result
    }

    package func ringing(_ event: Event) async -> Event { await ringing([event]).first ?? event }

    /// The window that contains the next ring of each event.
    private func window(for events: [Event]) -> Range<Date> {
        let year = 400 * 86_400.0
        let starts = events.map { $0.start.instant(in: local) }
        let first = max(now, (starts.min() ?? now).addingTimeInterval(-year))
        // A series continues after its first occurrence.
        let last = events.map { event in
            let end = event.end.instant(in: local)
            return event.recurrenceID == nil && event.isRecurring
                ? max(now, end).addingTimeInterval(year) : end.addingTimeInterval(2 * 86_400)
        }.max()
        return first..<max(first, last ?? first)
    }

    /// The draft, with the alarm that the user wants in the files of that calendar.
    func withAlarm(_ draft: ItemEdit, in calendar: String) async throws -> ItemEdit {
        guard draft.alarm == nil, let start = draft.start, !alerts.eventAlarmWritten.isEmpty
        else { return draft }
        let names = try await store.collections().first { $0.name == calendar }
        let isWanted = alerts.eventAlarmWritten.contains {
            names?.isNamed($0) ?? (SearchText.folded($0) == SearchText.folded(calendar))
        }
        let isSeries = draft.recurrence?.value != nil
        guard isWanted,
            let ring = alerts.ring(of: start, changed: isSeries ? nil : now, in: local)
        else { return draft }
        var draft = draft
        // For a whole day hours are counted on the clock.
        draft.alarm = .set(
            CalendarDuration(
                seconds: start.isDate
                    ? 3600 * (alerts.allDayHour ?? 0)
                    : Int(ring.timeIntervalSince(start.instant(in: local)))))
        return draft
    }
}
