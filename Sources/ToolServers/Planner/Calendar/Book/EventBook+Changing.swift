import AgentCore
import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// Creating, changing and deleting, each as one step.
extension EventBook {
    /// - Parameter draft: has a start and an end.
    /// - Parameter step: the id of the step with which it is undone.
    func create(_ wanted: ItemEdit, step: String? = nil) async throws -> Done {
        var draft = aligned(try items.checked(wanted, isNew: true))
        guard let start = draft.start, let end = draft.end, start.isDate == end.isDate,
            start.isDate
                ? end.civilDate > start.civilDate
                : end.instant(in: local) >= start.instant(in: local)
        else { throw ToolError.failed(Self.sentence(.endsBeforeStart)) }
        let calendar = try await collection(draft.list)
        draft = try await withAlarm(draft, in: calendar)
        let uid = items.environment.uuid()
        let file = try await store.create(
            EventEditor.file(draft, start: start, uid: uid, items.editor(context)), uid: uid,
            in: calendar,
            step: items.step("created", draft.title ?? "", uid, in: step))
        guard let series = EventSeries.series(in: file, context).first else {
            throw ToolError.failed("the event could not be read back from \(file.path)")
        }
        let event = await ringing(series.main)
        return Done(event: event, conflicts: try await conflicts(with: event), scope: .all)
    }

    /// "Every weekday from Sunday on" begins on Monday: a start that does not
    /// match the rule would still be an occurrence (RFC 5545 §3.8.5.3).
    private func aligned(_ draft: ItemEdit) -> ItemEdit {
        guard var rule = draft.recurrence?.value, let start = draft.start,
            rule.frequency == .weekly, !rule.byDay.isEmpty,
            !rule.byDay.contains(where: { $0.weekday.rawValue == start.civilDate.weekday })
        else { return draft }
        rule.bound = .none
        rule.interval = 1
        guard
            // A rule of weekdays has a next time, and is easy to follow.
            let first = try? RecurrenceSet(start: start, rules: [rule])
                .next(after: start.instant(in: local), in: local)
        else { return draft }
        var draft = draft
        draft.end = draft.end.map { ItemShift(from: start, to: first, local: local).moved($0) }
        draft.start = first
        return draft
    }

    /// Changes the series that `event` belongs to, within `scope`.
    package func edit(
        _ event: Event, of series: EventSeries, _ wanted: ItemEdit, scope: EventScope
    ) async throws -> Done {
        let change = try items.checked(wanted)
        let id = event.recurrenceID ?? event.start
        let scope = effective(scope, id, series)
        let step = items.step("changed", event.name, event.uid)
        var path = event.path
        if scope == .following, !series.isLoose {
            path = try await refusing { try await split(event, id, change, step: step) }
        } else {
            try await edit(event, step) { editor throws(EventChangeError) in
                switch scope {
                case .this: try editor.changeOne(id, change)
                case .following: try editor.changeLoose(id, from: id, change)
                case .all: try editor.changeAll(id, change)
                }
            }
        }
        if let list = change.list {
            path = try await items.move(
                event, at: path, to: try await collection(list), step: step
            ).path
        }
        let done = await ringing(try await shown(path, id: id, change, of: series))
        return Done(event: done, conflicts: try await conflicts(with: done), scope: scope)
    }

    private func edit(
        _ event: Event, _ step: CalendarStore.Step,
        _ edit: @Sendable (inout EventEditor) throws(EventChangeError) -> Void
    ) async throws {
        let (uid, editor) = (event.uid, items.editor(context))
        try await refusing {
            try await store.change(event.path, step: step) { content in
                var events = try EventEditor(content, uid: uid, editor)
                try edit(&events)
                content = events.file
            }
        }
    }

    /// Rethrows an `EventChangeError` as a `ToolError` with a sentence.
    private func refusing<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as EventChangeError {
            throw ToolError.failed(Self.sentence(error.reason))
        }
    }

    /// The first occurrence and all that follow are the whole series.
    private func effective(
        _ scope: EventScope, _ id: ItemTime, _ series: EventSeries
    ) -> EventScope {
        guard series.isRecurring else { return .all }
        guard scope == .following else { return scope }
        let isFirst =
            series.isLoose
            ? series.overrides.allSatisfy {
                ($0.recurrenceID ?? $0.start).instant(in: local) >= id.instant(in: local)
            } : EventSeries.isSame(id, series.main.start, in: local)
        return isFirst ? .all : scope
    }

    /// The new file is written first: a kill between the two shows events twice
    /// until the step is undone, and never loses future ones. The new file is
    /// based on the contents of the series' file when it is cut.
    private func split(
        _ event: Event, _ id: ItemTime, _ change: ItemEdit, step: CalendarStore.Step
    ) async throws -> String {
        let newUID = items.environment.uuid()
        let (uid, items) = (event.uid, items.editor(context))
        let cut = { @Sendable (content: inout Component) throws -> Component in
            var editor = try EventEditor(content, uid: uid, items)
            let file = try editor.split(at: id, newUID: newUID)
            var second = try EventEditor(file, uid: newUID, items)
            try second.changeAll(id, change)
            content = editor.file
            return second.file
        }
        var content = try await store.file(event.path).content
        guard content.isTerminated else { throw ICalendarError(.unterminated) }
        let planned = try cut(&content)
        let path = try await store.create(
            planned, uid: newUID, in: event.folder, copyOf: event.path, step: step
        ).path
        do {
            let later = try await store.change(event.path, step: step, cut)
            if later != planned {
                try await store.change(path, step: step) { $0 = later }
            }
            return path
        } catch {
            // No half-done actions. If this fails as well, the first error is the one to report.
            try? await store.delete(path, step: step) { found in
                guard found == planned else { throw error }
            }
            throw error
        }
    }

    /// The event now in the file at that path.
    private func shown(
        _ path: String, id: ItemTime, _ change: ItemEdit, of old: EventSeries
    ) async throws -> Event {
        let file = try await store.file(path)
        let all = EventSeries.series(in: file, context)
        guard let series = all.first(where: { $0.uid == old.uid }) ?? all.first else {
            throw ToolError.failed("the event could not be read back from \(path)")
        }
        guard series.isRecurring else { return series.overrides.first ?? series.main }
        let named = series.overrides.first { override in
            override.recurrenceID.map { EventSeries.isSame($0, id, in: local) } == true
        }
        if let named { return named }
        if change.recurrence?.value != nil { return series.main }
        let moved = change.start.map { ItemShift(from: id, to: $0, local: local).moved(id) } ?? id
        let start = EventSeries.isSame(moved, series.main.start, in: local) ? nil : moved
        return start.map(series.occurrence) ?? series.occurrence(at: series.main.start)
    }

    /// - Returns: the deleted event, with the part deleted.
    package func delete(
        _ event: Event, of series: EventSeries, scope: EventScope
    ) async throws -> Done {
        let id = event.recurrenceID ?? event.start
        let scope = effective(scope, id, series)
        let step = items.step("deleted", event.name, event.uid)
        let uid = event.uid
        switch scope {
        case .this:
            try await edit(event, step) { editor throws(EventChangeError) in
                try editor.exclude(id)
            }
        case .following:
            try await edit(event, step) { editor throws(EventChangeError) in
                try editor.cut(before: id)
            }
        case .all where try await store.file(event.path).content.itemIDs == [uid]:
            try await refusing {
                try await store.delete(event.path, step: step) { content in
                    guard content.itemIDs == [uid] else { throw EventChangeError(.gone) }
                }
            }
        case .all:
            try await edit(event, step) { $0.remove() }
        }
        return Done(event: event, scope: scope, isGone: true)
    }

    // MARK: - What is refused

    /// The folder of that calendar; without a name the default one.
    private func collection(_ name: String?) async throws -> String {
        let all = try await store.collections()
        guard let name, !name.isEmpty else {
            if all.contains(where: { $0.name == defaultCalendar }) { return defaultCalendar }
            // The only synced calendar gets the events; a list made here is for reminders.
            var others: [CalendarStore.Collection] = []
            for collection in all where collection.name != reminderList {
                if await !store.isOwnName(ofList: collection.name) { others.append(collection) }
            }
            return others.count == 1 ? others[0].name : defaultCalendar
        }
        if let found = try await items.collection(named: name) { return found.name }
        if SearchText.folded(name) == defaultCalendar { return defaultCalendar }
        var advice: [String] = []
        if !all.isEmpty {
            let names = all.map { "\"\($0.name)\"" }.joined(separator: ", ")
            advice = [
                all.count == 1 ? "there is only \(names)" : "there are \(names)",
                "a new folder beside \(all.count == 1 ? "it" : "them") makes one",
            ]
        }
        throw ToolError.failed(
            (["there is no calendar \"\(name.prefix(60))\""] + advice).joined(separator: "; "))
    }

    static func sentence(_ reason: EventChangeError.Reason) -> String {
        switch reason {
        case .gone: "the event is gone: another program removed it in the meantime"
        case .endsBeforeStart: "it would end before it starts; give an end after the start"
        case .ruleDoesNotMove:
            "its rule names days or times that do not move with it; give the new repetition too"
        case .rulesDoNotSplit:
            "its rules cannot be divided there; change this one alone, or all"
        case .ruleOfOne: "one occurrence cannot repeat by itself; change all or the following"
        }
    }
}
