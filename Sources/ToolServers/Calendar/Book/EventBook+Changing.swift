import AgentCore
import FoundationEssentials
import ICalendar

/// Creating, changing and deleting, each as one step.
extension EventBook {
    package func create(_ draft: EventDraft) async throws -> Done {
        var draft = draft
        draft.title = TextValue.oneLine(draft.title)
        try check(title: draft.title, notes: draft.notes)
        draft = aligned(draft)
        let isBackwards =
            draft.start.isDate
            ? !draft.end.isDate || draft.end.civilDate <= draft.start.civilDate
            : draft.end.isDate || draft.end.instant(in: local) < draft.start.instant(in: local)
        if isBackwards { throw ToolError.failed(Self.sentence(.endsBeforeStart)) }
        let uid = environment.uuid()
        let calendar = try await collection(draft.calendar)
        let content = EventFile.file(draft, uid: uid, now: now, zones: resolver())
        let step = CalendarStore.Step(
            id: environment.uuid(), verb: "created", title: draft.title, uid: uid)
        let file = try await store.create(content, uid: uid, in: calendar, step: step)
        guard let series = EventSeries.series(in: file, local: local, zones: zones).first else {
            throw ToolError.failed("the event could not be read back from \(file.path)")
        }
        let event = series.main
        return Done(event: event, conflicts: try await conflicts(with: event), scope: .all)
    }

    /// "Every weekday from Sunday on" begins on Monday: a start that the rule
    /// does not name would be an occurrence all the same (RFC 5545 §3.8.5.3).
    private func aligned(_ draft: EventDraft) -> EventDraft {
        guard var rule = draft.rule, rule.frequency == .weekly, !rule.byDay.isEmpty,
            !rule.byDay.contains(where: {
                $0.weekday.rawValue == draft.start.civilDate.weekday
            })
        else { return draft }
        rule.bound = .none
        rule.interval = 1
        let set = RecurrenceSet(start: draft.start, rules: [rule])
        // A rule of weekdays has a next time, and is not hard to follow.
        guard
            let first = try? set.next(after: draft.start.instant(in: local), in: local)
        else { return draft }
        var draft = draft
        let shift = ItemShift(from: draft.start, to: first, local: local)
        draft.end = shift.moved(draft.end)
        draft.start = first
        return draft
    }

    /// Changes the series that `event` is an occurrence of, as far as `scope`
    /// says.
    package func edit(
        _ event: Event, of series: EventSeries, _ change: EventChange, scope: EventChange.Scope
    ) async throws -> Done {
        try check(title: change.title, notes: change.notes)
        let id = event.recurrenceID ?? event.start
        let scope = effective(scope, id, series)
        let step = step("changed", event)
        var change = change
        if change.title != nil { change.title = change.title.map(TextValue.oneLine) }
        let wanted = change
        let (uid, local, zones, now) = (event.uid, local, zones, now)
        var path = event.path
        do {
            switch scope {
            case .following where !series.isLoose:
                path = try await split(event, id, wanted, step: step)
            case .this, .following, .all:
                try await store.change(path, step: step) { content in
                    var editor = EventEditor(
                        content, uid: uid, local: local, zones: zones, now: now)
                    switch scope {
                    case .this: try editor.changeOne(id, wanted)
                    case .following: try editor.changeLoose(id, from: id, wanted)
                    case .all: try editor.changeAll(id, wanted)
                    }
                    content = editor.file
                }
            }
        } catch let error as EventChangeError {
            throw ToolError.failed(Self.sentence(error.reason))
        }
        if let calendar = change.calendar {
            path = try await move(path, event, to: calendar, step: step)
        }
        let done = try await shown(path, id: id, change, of: series)
        return Done(event: done, conflicts: try await conflicts(with: done), scope: scope)
    }

    /// All that follow the first are all.
    private func effective(
        _ scope: EventChange.Scope, _ id: ItemTime, _ series: EventSeries
    ) -> EventChange.Scope {
        guard series.isRecurring else { return .all }
        guard scope == .following else { return scope }
        let isFirst =
            series.isLoose
            ? series.overrides.allSatisfy {
                ($0.recurrenceID ?? $0.start).instant(in: local) >= id.instant(in: local)
            } : EventSeries.isSame(id, series.main.start, in: local)
        return isFirst ? .all : scope
    }

    /// The new file is written first: a kill between the two shows events
    /// twice until the step is undone, and never loses those to come. What the
    /// file of the series holds when it is cut decides what the new one is.
    private func split(
        _ event: Event, _ id: ItemTime, _ change: EventChange, step: CalendarStore.Step
    ) async throws -> String {
        let newUID = environment.uuid()
        let (uid, local, zones, now) = (event.uid, local, zones, now)
        let cut = { @Sendable (content: inout Component) throws -> Component in
            var editor = EventEditor(content, uid: uid, local: local, zones: zones, now: now)
            let file = try editor.split(at: id, newUID: newUID)
            var second = EventEditor(file, uid: newUID, local: local, zones: zones, now: now)
            try second.changeAll(id, change)
            content = editor.file
            return second.file
        }
        var content = try await store.file(event.path).content
        guard content.isTerminated else { throw ICalendarError(.unterminated) }
        let planned = try cut(&content)
        let path = try await store.create(
            planned, uid: newUID, in: event.calendar, copyOf: event.path, step: step
        ).path
        do {
            let later = try await store.change(event.path, step: step, cut)
            if later != planned {
                try await store.change(path, step: step) { $0 = later }
            }
            return path
        } catch {
            // Half of an act is none. If even that fails, the first fault is
            // the one to tell.
            try? await store.delete(path, step: step) { found in
                guard found == planned else { throw error }
            }
            throw error
        }
    }

    private func move(
        _ path: String, _ event: Event, to name: String, step: CalendarStore.Step
    ) async throws -> String {
        let calendar = try await collection(name)
        let file = try await store.file(path)
        guard file.collection.name != calendar else { return path }
        let uids = Set(
            file.content.components("VCALENDAR").flatMap { $0.components("VEVENT") }
                .map(\.itemID))
        guard uids.count == 1, let uid = uids.first else {
            throw ToolError.failed(
                "the file holds other events too, so it stays in \(file.collection.name)")
        }
        let isSafe =
            !uid.isEmpty
            && uid.utf8.allSatisfy { byte in
                byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte &- 0x30 < 10
                    || "_.-+".utf8.contains(byte)
            }
        let copy = try await store.create(
            file.content, uid: isSafe ? uid : environment.uuid(), in: calendar, copyOf: path,
            step: step)
        let content = file.content
        do {
            try await store.delete(path, step: step) { current in
                // Changed by somebody in between: both stay, nothing is lost.
                if current != content { throw VDirectoryError(.conflict, path: path) }
            }
        } catch {
            try await store.delete(copy.path, step: step)
            throw error
        }
        return copy.path
    }

    /// What is there now under that name.
    private func shown(
        _ path: String, id: ItemTime, _ change: EventChange, of old: EventSeries
    ) async throws -> Event {
        let file = try await store.file(path)
        let all = EventSeries.series(in: file, local: local, zones: zones)
        guard let series = all.first(where: { $0.uid == old.uid }) ?? all.first else {
            throw ToolError.failed("the event could not be read back from \(path)")
        }
        guard series.isRecurring else { return series.overrides.first ?? series.main }
        let named = series.overrides.first { override in
            override.recurrenceID.map { EventSeries.isSame($0, id, in: local) } == true
        }
        if let named { return named }
        if case .rule? = change.rule { return series.main }
        let moved = change.start.map { ItemShift(from: id, to: $0, local: local).moved(id) } ?? id
        let start = EventSeries.isSame(moved, series.main.start, in: local) ? nil : moved
        return start.map(series.occurrence) ?? series.occurrence(at: series.main.start)
    }

    /// - Returns: the event that is gone, and how much of it.
    package func delete(
        _ event: Event, of series: EventSeries, scope: EventChange.Scope
    ) async throws -> Done {
        let id = event.recurrenceID ?? event.start
        let scope = effective(scope, id, series)
        let step = step("deleted", event)
        let (uid, local, zones, now) = (event.uid, local, zones, now)
        do {
            switch scope {
            case .this, .following:
                try await store.change(event.path, step: step) { content in
                    var editor = EventEditor(
                        content, uid: uid, local: local, zones: zones, now: now)
                    if scope == .this {
                        try editor.exclude(id)
                    } else {
                        try editor.cut(before: id)
                    }
                    content = editor.file
                }
            case .all:
                let file = try await store.file(event.path)
                let isAlone = Self.isAlone(uid, in: file.content)
                if isAlone {
                    try await store.delete(event.path, step: step) { content in
                        guard Self.isAlone(uid, in: content) else {
                            throw EventChangeError(.gone)
                        }
                    }
                } else {
                    try await store.change(event.path, step: step) { content in
                        var editor = EventEditor(
                            content, uid: uid, local: local, zones: zones, now: now)
                        try editor.remove()
                        content = editor.file
                    }
                }
            }
        } catch let error as EventChangeError {
            throw ToolError.failed(Self.sentence(error.reason))
        }
        return Done(event: event, scope: scope)
    }

    /// Nothing but this event, with its overrides, is in the file.
    private static func isAlone(_ uid: String, in content: Component) -> Bool {
        content.components("VCALENDAR").flatMap { $0.components() }.allSatisfy {
            $0.name == "VTIMEZONE" || $0.itemID == uid
        }
    }

    // MARK: - What is refused

    private func check(title: String?, notes: String?) throws {
        func refuse(_ path: String, _ problem: String) -> ToolError {
            .invalidArguments([.init(path: path, problem: problem)])
        }
        if let title {
            if TextValue.oneLine(title).isEmpty { throw refuse("$.title", "must not be empty") }
            if title.count > Self.titleLimit {
                throw refuse("$.title", "must have at most \(Self.titleLimit) characters")
            }
        }
        if let notes, notes.count > Self.notesLimit {
            throw refuse("$.notes", "must have at most \(Self.notesLimit) characters")
        }
    }

    /// The collection of that name; for none the usual one.
    private func collection(_ name: String?) async throws -> String {
        let all = try await store.collections()
        guard let name, !name.isEmpty else {
            if all.contains(where: { $0.name == defaultCalendar }) { return defaultCalendar }
            // Somebody's only calendar is where his events go.
            let others = all.filter { $0.name != reminderList }
            return others.count == 1 ? others[0].name : defaultCalendar
        }
        let wanted = SearchText.folded(name)
        let found = all.filter {
            SearchText.folded($0.name) == wanted || SearchText.folded($0.displayName) == wanted
        }
        guard let first = found.first else {
            if wanted == defaultCalendar { return defaultCalendar }
            let names = all.map(\.name).joined(separator: ", ")
            throw ToolError.failed(
                "there is no calendar \"\(name.prefix(60))\""
                    + (names.isEmpty ? "" : "; there are \(names)"))
        }
        return first.name
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
