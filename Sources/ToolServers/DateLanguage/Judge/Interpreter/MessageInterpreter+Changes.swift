import Base
import ICalendar

/// Parses changes to existing items: done, renamed, deleted. `+Moves` handles changes of
/// time.
extension MessageInterpreter {
    typealias Change = Understanding.Change

    func change() -> Understanding? {
        guard !utterance.isQuestion, !utterance.text.contains("()") else { return nil }
        let words = utterance.words
        // A lead-in is longer than the verb it begins with: "set an alarm".
        let lead = Lexicon.first { $0.leads.match(words).map { ($0.meaning, $0.end) } }
        let found = Lexicon.all.compactMap { $0.changes.closed(words) }.max { $0.end < $1.end }
        guard let (frame, end, rest) = found else {
            let isOfItem = lead.map { $0.0.isTask && Lexicon.kind(of: words[0]) != nil } ?? true
            if isOfItem || lead?.0 == .alarm || lead?.0 == .timer, let (frame, start) = ending() {
                return change(frame, 0, 0..<start)
                    ?? ([.done, .move].contains(frame.verb) ? nil : notUnderstood())
            }
            return lead == nil ? pastSentence() ?? retimed() : nil
        }
        // "add an hour to lunch" begins like "add a task".
        let isLead = lead.map { $0.0 != .filler && ($0.1 > end || $0.0 == .alarm) } == true
        if isLead, frame.verb != .end || lead?.0 != .weakTask { return nil }
        if let change = change(frame, end, rest) { return change }
        // Not understood, but certainly not a new item.
        return Self.neverCreate.contains(frame.verb) && !frame.asksFirst
            && !Lexicon.isTaskVerb(words[0])
            ? notUnderstood() : nil
    }

    /// "den Wecker ausschalten", "the laundry is done", "timer aus": the verb comes last.
    private func ending() -> (Lexicon.Change, start: Int)? {
        let words = utterance.words
        return (max(1, words.count - 6)..<max(1, words.count)).lazy.compactMap { start in
            Lexicon.first { $0.changeEndings.whole(Array(words[start...])) }.map { ($0, start) }
        }.first
    }

    private static let neverCreate: [Lexicon.Change.Verb] = [
        .delete, .cancel, .rename, .snooze, .move, .end, .silence, .adjust, .reopen,
    ]

    func notUnderstood() -> Understanding {
        Understanding(
            fallbackMessage: """
                Nothing changed: it takes a model to understand all of it. \
                The commands: chat reminders edit, chat calendar edit
                """,
            tools: ["edit_reminder", "edit_event", "list_reminders", "list_events"],
            reasoning: "speaks of a change")
    }

    private func change(_ frame: Lexicon.Change, _ end: Int, _ rest: Range<Int>) -> Understanding? {
        let text = utterance.text(rest)
        switch frame.verb {
        case .done: return done(text, isListVerb: frame.isListVerb, asksFirst: frame.asksFirst)
        case .reopen:
            return named(text).flatMap { target in
                result(
                    .init(
                        verb: .reopen, title: target.title, occasion: target.occasion,
                        kind: .reminder), isOnline: false)
            }
        case .delete, .cancel: return removal(text, frame)
        case .rename: return rename(end, rest)
        case .snooze:
            let isAgain = ["remind", "erinnere", "erinner"].contains(utterance.words[0])
            return snooze(rest, namesItem: !isAgain)
        case .move: return move(rest, frame) ?? (frame.asksFirst ? rename(end, rest) : nil)
        case .adjust: return adjust(text) ?? retitled(text, after: utterance.words[end - 1])
        case .end: return ending(rest, frame)
        case .silence: return silence(rest)
        }
    }

    func result(_ change: Change, isOnline: Bool) -> Understanding {
        var change = change
        change.isOfBoth =
            change.isOfBoth
            || change.title == nil && !Set(["both", "beide"]).isDisjoint(with: utterance.words)
        return Understanding(
            act: .change(change), online: isOnline ? .change : .model,
            offline: change.asksFirst ? .ask : .change, refersBack: change.title == nil,
            fallbackMessage: change.title.map(Self.nothingIsCalled)
                ?? "Nothing done: it is not clear which one you mean. Say its name.",
            tools: Self.tools(change.verb), reasoning: "changes what is there")
    }

    static func nothingIsCalled(_ title: String) -> String {
        """
        Nothing done: nothing is called "\(title.oneLine)". \
        /reminders search and /calendar search look further.
        """
    }

    private static func tools(_ verb: Change.Verb) -> [String] {
        switch verb {
        case .complete: ["complete_reminder", "list_reminders"]
        case .reopen: ["reopen_reminder", "list_reminders"]
        case .delete: ["delete_reminder", "delete_event", "list_events"]
        case .snooze: ["snooze_reminder", "list_reminders"]
        default: ["edit_reminder", "edit_event", "list_events"]
        }
    }

    // MARK: - Done

    private func done(
        _ text: String, isListVerb: Bool, asksFirst: Bool = false
    ) -> Understanding? {
        guard let target = named(text) else { return nil }
        return result(
            .init(
                verb: .complete, title: target.title, isExact: !isListVerb && target.kind == nil,
                occasion: target.occasion, kind: .reminder,
                asksFirst: asksFirst && target.title != nil && target.kind == nil),
            isOnline: isListVerb || target.title == nil || target.kind != nil && target.isSure)
    }

    private static let sentences = PatternTable("sentences") { key -> Change.Verb? in
        [
            "done": .complete, "snooze": .snooze(nil), "delete": .delete, "reopen": .reopen,
            "swap": .swap,
            "untimed": .untimed,
        ][key]
    }

    func wholeSentence() -> Understanding? {
        let words = utterance.words
        if let verb = Self.sentences.whole(words) {
            let isOnline = verb == .complete || words[0] == "snooze"
            var change = Change(
                verb: verb, kind: [.delete, .swap].contains(verb) ? nil : .reminder)
            change.asksFirst = [.delete, .untimed].contains(verb)
            change.actsIfExact = true
            change.isOfBoth = verb == .swap
            return result(change, isOnline: isOnline)
        }
        // "paid it just now", "already called her"
        let act = words.drop { ["i", "i've", "ive", "we", "have", "already", "just"].contains($0) }
        if let verb = act.first, Self.present(verb) != nil,
            act.dropFirst().allSatisfy({ Self.isPronoun($0) || Lexicon.has(.aroundTimes, $0) }),
            act.count > 1 || words.count > 1
        {
            return tentative(.complete)
        }
        // "5 more minutes"
        let rest = words.filter { !["more", "noch", "another"].contains($0) }
        if rest.count < words.count, case let length = rest.joined(separator: " "),
            let longer = duration(length) ?? duration("a " + length)
        {
            return result(.init(verb: .extend(longer), kind: .reminder), isOnline: false)
        }
        if let undoing = Lexicon.first({ $0.undoing.whole(words) }) {
            let isDropped = undoing == .dropped
            return Understanding(
                act: .undo(isRedo: undoing == .redo), online: isDropped ? .model : .change,
                offline: isDropped ? .ask : .change, tools: ["undo_change"],
                reasoning: "asks to undo")
        }
        return nil
    }

    /// "I called mom" for the task "call mom".
    private func pastSentence() -> Understanding? {
        let words = utterance.words
        guard words.count > 2, ["i", "i've", "we"].contains(words[0]) else { return nil }
        let index = ["have", "already", "just"].contains(words[1]) ? 2 : 1
        guard words.count > index + 1, let verb = Self.present(words[index]) else { return nil }
        let title = verb + " " + utterance.text(from: index + 1)
        guard isPlainTitle(title), !Self.words(title).contains(where: Lexicon.isTechnical) else {
            return nil
        }
        return result(
            .init(verb: .complete, title: title, isExact: true, kind: .reminder), isOnline: false)
    }

    private static func present(_ verb: String) -> String? {
        if let irregular = Lexicon.english.pastVerbs[verb] { return irregular }
        guard verb.hasSuffix("ed") else { return nil }
        let stem = String(verb.dropLast(2))
        let doubled = stem.last.map { stem.hasSuffix("\($0)\($0)") } == true
        return [stem, stem + "e", doubled ? String(stem.dropLast()) : stem].first(
            where: { Lexicon.english.has(.taskVerbs, $0) })
    }

    // MARK: - Gone

    private func removal(_ text: String, _ frame: Lexicon.Change) -> Understanding? {
        let words = MessageText.plain(text)
        var body = text
        var place: Understanding.Kind?
        if let (kind, end) = Self.place(words.words) {
            place = kind
            body = words.text(0..<end)
        }
        if ["take", "nimm"].contains(utterance.words[0]) { place = .event }
        // "lösch das wieder"
        let again = words.words.reversed().prefix {
            ["again", "wieder"].contains($0) || Lexicon.has(.closings, $0)
        }
        if !again.isEmpty { body = words.text(0..<words.words.count - again.count) }
        guard let target = timed(body) else { return nil }
        // "drop off the dry cleaning tomorrow at 8" is something to do.
        if target.occasion != .any, target.title != nil, frame.verb == .delete,
            Lexicon.isTaskVerb(utterance.words[0]),
            !target.occasion.isOnlyName
        {
            return nil
        }
        // "Drop it" may be just a figure of speech.
        let isFigure =
            target.title == nil && target.occasion.pick == nil
            && Lexicon.has(.figurativeVerbs, utterance.words[0])
        if isFigure, utterance.words[0] != "scrap", utterance.words[0] != "scratch" { return nil }
        // "a task" refers to no existing item.
        if ["a", "an"].contains(words.words.first ?? "") { return nil }
        let kind = target.kind ?? place
        let isSure = kind != nil || target.title == nil
        let isCancelled =
            frame.verb == .cancel
            && Self.words(target.title ?? "").contains { Lexicon.has(.appointments, $0) }
        let change = Change(
            verb: .delete, title: target.title, occasion: target.occasion, kind: kind,
            asksFirst: !isSure && !isCancelled && !target.isListed, actsIfExact: true)
        return result(change, isOnline: isSure && target.isSure && !isFigure)
    }

    /// "… from my calendar": the kind of place, and the number of words before that phrase.
    static func place(_ words: [String]) -> (Understanding.Kind, Int)? {
        guard words.count > 3, let noun = words.last,
            ["from", "off", "of", "in", "on", "aus", "von"].contains(words[words.count - 3])
        else { return nil }
        switch noun {
        case "calendar", "agenda", "schedule", "kalender": return (.event, words.count - 3)
        case "reminders", "todos", "tasks", "list", "liste": return (.reminder, words.count - 3)
        default: return nil
        }
    }

    /// "turn off the alarm for tomorrow": the user is asked, because it may be one day of
    /// many; a timer has no such days.
    private func silence(_ rest: Range<Int>) -> Understanding? {
        let text = utterance.text(rest)
        let verb = Set(utterance.words[..<rest.lowerBound] + utterance.words[rest.upperBound...])
        let nouns: Set = ["alarm", "timer", "reminder", "wecker", "erinnerung"]
        guard Self.words(text).contains(where: { word in nouns.contains(where: word.hasSuffix) }),
            verb.isDisjoint(with: ["on", "enable", "an", "ein"]),
            var target = timed(text)
        else { return nil }
        let isTimer = Self.words(text).last?.hasSuffix("timer") == true
        if isTimer { target.title = withoutArticle(text) }
        return result(
            Change(
                verb: .delete, title: target.title ?? "alarm", occasion: target.occasion,
                kind: .reminder, asksFirst: !isTimer), isOnline: false)
    }

    // MARK: - Renamed

    private func rename(_ end: Int, _ rest: Range<Int>) -> Understanding? {
        let words = utterance.words
        // "call it barber", "change the title to barber"
        let last = words[..<end].last { !["to", "as", "in", "zu", "auf", "um"].contains($0) }
        if let last,
            Self.isPronoun(last)
                || ["title", "name", "titel", "namen", "say", "read", "heißt", "heißen"].contains(
                    last)
        {
            let name = utterance.text(rest)
            // "heißt Babsi" may be one word of the title.
            let isWhole = !["say", "read", "heißt", "heißen"].contains(last) || name.contains(" ")
            guard isName(name), isWhole, !["a day", "quits", "even"].contains(name) else {
                return nil
            }
            return result(.init(verb: .rename(to: name)), isOnline: true)
        }
        let isSwap = ["swap", "replace", "ersetze", "ersetz", "change"].contains(words[0])
        let joints = isSwap ? ["for", "with", "by", "durch", "mit", "to"] : ["to", "as", "in"]
        guard
            let split = rest.dropFirst().dropLast().last(where: { joints.contains(words[$0]) }),
            // "den Termin um in Friseur"
            case let name = rest.lowerBound..<(words[split - 1] == "um" ? split - 1 : split),
            let target = timed(utterance.text(name))
        else { return nil }
        let newName = utterance.text(split + 1..<rest.upperBound)
        guard isName(newName) else { return nil }
        if isSwap {
            return target.title.map { tentative(.retitle(.replace($0, with: newName))) }
        }
        // "rename the reminder to call the vet" may just identify the reminder.
        let isPlainIt = Lexicon.has(.pronouns, utterance.text(name).lowercased())
        return result(
            .init(
                verb: .rename(to: newName), title: target.title, occasion: target.occasion,
                kind: target.kind,
                asksFirst: target.kind == nil && !isPlainIt, actsIfExact: true),
            isOnline: target.kind != nil && target.isSure || isPlainIt)
    }

    /// "change it to send Lewis the receipt", "make that envelopes"
    private func retitled(_ name: String, after word: String) -> Understanding? {
        let names = Self.words(name)
        if word == "that" || word == "those", names.count <= 3, parse(name).start == nil,
            isName(name)
        {
            return tentative(.retitle(.object(name)))
        }
        guard ["to", "in", "zu", "auf"].contains(word),
            ["change", "switch", "ändere", "änder", "ändre"].contains(utterance.words[0]),
            Lexicon.isTaskVerb(names.first ?? "") || Lexicon.isTaskVerb(names.last ?? "")
                || names.contains(where: Lexicon.isAppointment),
            parse(name).start == nil, isName(name)
        else { return nil }
        return result(.init(verb: .rename(to: name)), isOnline: false)
    }

    /// Whether the text is a usable name; "something shorter" is not.
    private func isName(_ name: String) -> Bool {
        isPlainTitle(name, limit: 8) && !Self.isDescription(Self.words(name))
    }
}
