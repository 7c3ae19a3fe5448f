import AgentCore

/// Something new: reminders, alarms, appointments.
///
/// With a model it is stored only where the message is addressed to us and
/// every word is accounted for; without one, what is likely is asked about.
extension MessageInterpreter {
    func creation() -> Understanding? {
        guard !utterance.isQuestion || hasSureLead else { return nil }
        if let several = severalTasks() ?? twoTimes() { return several }
        let reading = parse(utterance.text)
        let title = Self.words(reading.title)
        let unused = reading.unused + unsureTimes(reading) + leftovers(reading)
        let isSureLead = reading.lead.map(Self.isAddressed) ?? false
        if isSureLead {
            guard leadStandsWell(reading), !asksToBeTold(reading),
                reading.lead != .task || !MessageForm.isCode(utterance.text)
            else { return nil }
        } else if MessageForm.isCode(utterance.text) {
            return nil
        }
        let form = form(of: reading, title)
        // "at 3 or 4", "next friday" and the like are told by the reading;
        // what is over is never stored unasked.
        let isWhole =
            unused.isEmpty && reading.isActedOn && !isPast(reading)
            && (reading.anchor.map { reading.lead == .reminder && namesAppointment($0.words) }
                ?? true)
        // "ping me in ten minutes" says all there is to say.
        let isPing =
            ["ping", "buzz", "nudge", "alert", "notify"].contains(utterance.words[0])
            && hasExactClock(reading)
        let isNamed = reading.hasOwnTitle || [.alarm, .timer].contains(reading.lead) || isPing
        guard isNamed, !Self.isPronoun(reading.title), !isDeictic(title) else {
            return isSureLead || form == .task ? unnamed(reading) : nil
        }
        let kind: Understanding.Kind = form == .appointment ? .event : .reminder
        var understanding = Understanding(
            act: isWhole ? .store(occasions(reading), kind) : .ask(reading, kind))
        understanding.unused = unused
        understanding.tools = [kind == .event ? "create_event" : "create_reminder"]
        understanding.reasoning = kind == .event ? "names an event" : "asks for a reminder"
        switch form {
        case .none: return nil
        case .addressed, .task, .appointment:
            let isOnline = isWhole && isStoredOnline(form, reading, title)
            let isOffline = isWhole && isStoredOffline(form, reading, title)
            understanding.online = isOnline ? .store : .model
            understanding.offline = isOffline ? .store : .ask
            if !isOffline { understanding.act = .ask(reading, kind) }
        }
        understanding.fallbackMessage = fallback(reading, unused)
        return understanding
    }

    /// "before the dentist", "after lunch with Ida"; not "before sunset".
    private func namesAppointment(_ text: String) -> Bool {
        let words = Self.words(text)
        return words.contains(where: Lexicon.namesAppointment)
            && Set(words).isDisjoint(with: [
                "either", "any", "each", "every", "next", "some", "first",
            ])
    }

    private enum Form { case none, addressed, task, appointment }

    // MARK: - What it is

    private static func isAddressed(_ lead: Lexicon.Lead) -> Bool {
        switch lead {
        case .reminder, .alarm, .timer, .task, .event: true
        case .weakTask, .weakEvent, .filler: false
        }
    }

    private var hasSureLead: Bool {
        Lexicon.first { $0.leads.match(utterance.words) }.map { Self.isAddressed($0.meaning) }
            ?? false
    }

    private func form(of reading: Reading, _ title: [String]) -> Form {
        switch reading.lead {
        case .reminder, .alarm, .timer, .task: return .addressed
        case .event: return .appointment
        case .weakTask, .weakEvent, .filler, nil: break
        }
        if reading.list != nil,
            Lexicon.all.contains(where: { $0.puttingVerbs.contains(utterance.words[0]) })
        {
            return .addressed
        }
        // "milk on the shopping list"
        if reading.list != nil, title.count <= 4, reading.lead == nil,
            isPlainWish(reading, title)
        {
            return .task
        }
        guard reading.start != nil || reading.recurrence != nil || !reading.unused.isEmpty,
            reading.hasOwnTitle
        else { return .none }
        if isAppointment(reading, title) { return .appointment }
        if isTask(reading, title) || isRinging(title) { return .task }
        return mayBeWish(reading, title) ? (reading.kind == .event ? .appointment : .task) : .none
    }

    // MARK: - Whether it is done at once

    private func isStoredOnline(_ form: Form, _ reading: Reading, _ title: [String]) -> Bool {
        if reading.lead == .timer { return isLength(reading) }
        if reading.lead == .alarm { return hasExactClock(reading) }
        switch form {
        case .none: return false
        case .addressed:
            return reading.lead != .task || reading.start != nil || reading.recurrence != nil
        case .appointment:
            if reading.lead == .event { return reading.start != nil }
            return reading.lead == nil && namesDay(reading) && hasExactClock(reading)
                && isAppointment(reading, title)
        case .task:
            return reading.lead == nil && namesDay(reading) && hasExactClock(reading)
                && reading.end == nil && !title.contains(where: Lexicon.isTechnical)
                && isPersonal(title) && isTask(reading, title)
        }
    }

    private func isStoredOffline(_ form: Form, _ reading: Reading, _ title: [String]) -> Bool {
        if reading.lead == .timer { return isLength(reading) }
        if reading.lead == .alarm || isRinging(title) { return hasExactClock(reading) }
        switch form {
        case .none: return false
        case .addressed:
            // "todo: rewrite this function, keep its signature"
            return reading.lead != .task || reading.start != nil || isPlainTitle(reading.title)
        case .appointment:
            return reading.lead == .event && reading.start != nil
                || isAppointment(reading, title)
                    && (hasClock(reading) || reading.end != nil || reading.lead == nil)
        case .task:
            return isTask(reading, title)
                && (isPersonal(title) || namesDay(reading) || reading.lead != nil)
        }
    }

    /// "tea timer 4 min"
    private func isRinging(_ title: [String]) -> Bool {
        title.count <= 3 && ["alarm", "timer", "wecker"].contains(title.last ?? "")
            && !MessageForm.isCode(utterance.text)
    }

    /// "timer 1:30" may be ninety minutes or seconds.
    private func isLength(_ reading: Reading) -> Bool {
        let bytes = Array(utterance.text.utf8)
        return hasExactClock(reading)
            && reading.spans.contains { span in
                guard Self.times.contains(span.part), span.range.upperBound <= bytes.count else {
                    return false
                }
                let text = String(decoding: bytes[span.range], as: UTF8.self)
                return Tokenizer.tokens(of: text, language: context.locale.language).contains {
                    $0.lexeme.unit != nil
                }
            }
    }

    /// A clock or a duration, not a part of the day: an alarm needs one.
    private func hasExactClock(_ reading: Reading) -> Bool {
        guard hasClock(reading) else { return false }
        let bytes = Array(utterance.text.utf8)
        return reading.spans.contains { span in
            guard [.time, .duration, .recurrence, .date].contains(span.part),
                span.range.upperBound <= bytes.count
            else { return false }
            let text = String(decoding: bytes[span.range], as: UTF8.self)
            return Tokenizer.tokens(of: text, language: context.locale.language).contains {
                $0.kind == .digits || $0.lexeme.number != nil || $0.lexeme.part == .noon
                    || $0.lexeme.part == .midnight || $0.has(.half) || $0.has(.halfBefore)
                    || $0.has(.quarter) || $0.has(.article)
            }
        }
    }

    private func hasClock(_ reading: Reading) -> Bool {
        if case .time? = reading.start { true } else { false }
    }

    private func namesDay(_ reading: Reading) -> Bool {
        if reading.recurrence != nil { return true }
        let bytes = Array(utterance.text.utf8)
        return reading.spans.contains { span in
            if span.part == .date { return true }
            // "tonight at 9" names the day with the part of it.
            guard span.part == .time, span.range.upperBound <= bytes.count else { return false }
            return Self.words(String(decoding: bytes[span.range], as: UTF8.self)).contains {
                ["tonight", "today", "tomorrow", "this", "heute", "morgen"].contains($0)
            }
        }
    }

    private func isPast(_ reading: Reading) -> Bool {
        guard reading.recurrence == nil, let start = reading.start else { return false }
        let now = context.local.civil(at: context.now)
        return switch start {
        case .date(let date): date < now.date
        case .time(let clock): clock < now
        }
    }

    // MARK: - Lead-ins

    /// "remind me" opens or closes a message, or follows a time; in the middle
    /// of a sentence it is somebody's words.
    private func leadStandsWell(_ reading: Reading) -> Bool {
        let leads = reading.spans.filter { $0.part == .lead }
        guard let lead = leads.first, let title = reading.spans.first(where: { $0.part == .title })
        else { return true }
        if lead.range.lowerBound < title.range.lowerBound { return true }
        // After the title: nothing but times may follow, and the title has to
        // be a thing of its own.
        let words = Self.words(reading.title)
        guard title.range.upperBound <= leads[leads.count - 1].range.lowerBound else {
            return words.count <= 9 && reading.lead == .event
        }
        return words.count <= 9 && !isClause(words)
            && !words.contains(where: Self.isQuestionWord)
    }

    /// "remind me what we said"
    private func asksToBeTold(_ reading: Reading) -> Bool {
        if reading.start == nil, reading.recurrence == nil,
            utterance.words.prefix(3) == ["remind", "me", "of"]
        {
            return true
        }
        guard let first = Self.words(reading.title).first
        else { return false }
        return reading.title.lowercased().hasPrefix(first) && Self.isQuestionWord(first)
            && !["have", "do", "will", "may", "can", "is", "are"].contains(first)
    }

    /// "that thing we discussed": named elsewhere.
    private func isDeictic(_ title: [String]) -> Bool {
        guard let first = title.first else { return false }
        if title.count > 1, ["das", "dies", "was"].contains(first),
            ["von", "da", "hier", "mit", "was"].contains(title[1])
        {
            return true
        }
        if title.count > 1, first == "self" { return true }
        if ["this", "that", "these", "those", "it", "them"].contains(first), title.count <= 2 {
            return true
        }
        return title.count > 1 && ["that", "this", "the"].contains(first)
            && ["thing", "stuff", "one", "matter"].contains(title[1])
    }

    private func unnamed(_ reading: Reading) -> Understanding? {
        var understanding = Understanding(act: nil)
        understanding.tools = ["create_reminder"]
        understanding.reasoning = "asks for a reminder"
        understanding.offline = .ask
        understanding.unused = reading.unused
        understanding.fallbackMessage =
            "Not stored: it says when, but not what to be reminded of."
        return understanding
    }

    private func fallback(_ reading: Reading, _ unused: [String]) -> String {
        let reason =
            unused.isEmpty
            ? "it is not certain when" : "not understood: \(unused.joined(separator: ", "))"
        return """
            Not stored: \(TextValue.oneLine(reason)). \
            Say it with a date: chat reminders add TITLE --due 2026-11-22T09:00
            """
    }

    // MARK: - Without a lead-in

    /// What a person attends, with its time: "lunch with Anna tomorrow at 12".
    private func isAppointment(_ reading: Reading, _ title: [String]) -> Bool {
        guard !title.isEmpty, title.count <= 8, reading.start != nil, isPlainWish(reading, title)
        else { return false }
        let head = Array(title.prefix { !isPreposition($0) })
        guard !head.isEmpty, head.count <= 5, !Self.asked.contains(head[0]) else { return false }
        let last = head.last { !($0.contains(where: \.isNumber)) } ?? ""
        guard isAttended(head, last, reading) else { return false }
        // What comes after is a person, a place or where a flight goes.
        let tail = title.dropFirst(head.count)
        if tail.contains(where: { ["about", "of", "over", "über", "between"].contains($0) }) {
            return false
        }
        if tail.contains("from"), tail.contains("to") { return false }
        if Lexicon.isTaskVerb(head[0]),
            head.count > 1 || tail.first.map({ $0 != "with" && $0 != "mit" }) == true
        {
            // "book club" is one, "call the doctor" is not.
            return head.count > 1 && Lexicon.isAppointment(last)
                && ["book", "dance"].contains(head[0])
        }
        return true
    }

    private func isAttended(_ head: [String], _ last: String, _ reading: Reading) -> Bool {
        if Lexicon.namesAppointment(last) { return true }
        // "parents evening", "movie night", "1:1"
        if head.prefix(2) == ["1", "1"] { return true }
        if head.count > 1, ["evening", "night", "day"].contains(last), !Lexicon.isTaskVerb(head[0])
        {
            return true
        }
        // "dentist appointment Dr Lee", "flight BA117": a name follows.
        let capitals = Set(
            reading.title.split(whereSeparator: \.isWhitespace).filter {
                $0.first?.isUppercase == true && reading.title.contains(where: \.isLowercase)
            }.map { $0.lowercased() })
        let noun = head.last { !capitals.contains($0) && !$0.contains(where: \.isNumber) }
        return head.count > 1 && noun.map(Lexicon.isAppointment) == true
    }

    /// What the person has to do, with its time.
    private func isTask(_ reading: Reading, _ title: [String]) -> Bool {
        guard let first = title.first, isPlainWish(reading, title), title.count <= 9,
            reading.end == nil
        else {
            return false
        }
        if title.count == 1 {
            return Lexicon.all.contains { $0.aloneVerbs.contains(first) } && hasClock(reading)
        }
        // German has the verb last.
        if let last = title.last, Lexicon.german.personalVerbs.contains(last) { return true }
        guard Lexicon.all.contains(where: { $0.choreVerbs.contains(first) }),
            !["of", "to", "from", "by", "with", "me"].contains(title[1])
        else {
            return false
        }
        if [.secondly, .minutely].contains(reading.recurrence?.frequency) { return false }
        return isOrder(reading, title)
    }

    private func isPersonal(_ title: [String]) -> Bool {
        guard let first = title.first, let last = title.last else { return false }
        return Lexicon.english.personalVerbs.contains(first)
            || Lexicon.english.aloneVerbs.contains(first) && title.count == 1
            || Lexicon.german.personalVerbs.contains(last)
    }

    /// A word that is a noun as well is the verb where its object is marked:
    /// "water the plants", not "water temperature".
    private func isOrder(_ reading: Reading, _ title: [String]) -> Bool {
        guard Self.nounsToo.contains(title[0]) else { return true }
        if Lexicon.all.contains(where: { $0.articles.contains(title[1]) })
            || Self.markers.contains(title[1])
        {
            return true
        }
        let words = reading.title.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, let letter = words[1].first else { return false }
        if letter.isUppercase || letter.isNumber || words[1].hasSuffix("'s") { return true }
        return ["call", "ring", "text", "phone", "pay", "walk", "email"].contains(title[0])
            && title.count == 2 && !Self.afterCall.contains(title[1])
    }

    private static let nounsToo = Lexicon.words(
        """
        call ring phone text email mail water plant return open close change print exercise
        practice practise register file pack clean measure back run train sign switch lock
        post submit charge swim shower update upgrade reset report rest fax scan wrap cover paint
        iron drop take groom fold hang steam polish walk mop grab pay sweep brush oil shop record
        """)
    private static let markers = Lexicon.words(
        """
        out off on in away back down over up through all both every each this next one two three
        """)
    private static let afterCall = Lexicon.words(
        """
        option options stack center centre sign template templates subject header headers address
        list lists analysis editor message messages tone box security graph girl tree api function
        """)

    /// Short, plain, its time at an edge, nothing finite, nothing pasted.
    private func isPlainWish(_ reading: Reading, _ title: [String]) -> Bool {
        guard !isClause(residue(reading)), !title.contains(where: { Self.told.contains($0) }),
            !Self.isQuestionWord(title[0]),
            standsAtAnEdge(reading)
                || title.last.map(Lexicon.german.personalVerbs.contains) == true
        else { return false }
        return !utterance.isQuestion
            && !reading.title.contains(where: { ",;?[]\"“”:".contains($0) })
            || title.prefix(2) == ["1", "1"]
    }

    /// The words that neither a time nor a lead-in accounts for, those that
    /// the title leaves out among them ("my birthday *is* on 5 may").
    private func residue(_ reading: Reading) -> [String] {
        var bytes = Array(utterance.text.utf8)
        for span in reading.spans where span.part != .title && span.range.upperBound <= bytes.count
        {
            for index in span.range { bytes[index] = 0x20 }
        }
        return Self.words(String(decoding: bytes, as: UTF8.self))
    }

    /// Worth a question where no model can be asked.
    private func mayBeWish(_ reading: Reading, _ title: [String]) -> Bool {
        guard let first = title.first, title.count <= 9, isPlainWish(reading, title),
            !reading.doubts.contains(.past),
            Lexicon.isTaskVerb(first) || reading.lead != nil || reading.kind == .event
                || Lexicon.isAppointment(title.last ?? "")
                || title.count <= 4 && namesDay(reading) && hasExactClock(reading)
        else { return false }
        return !Self.asked.contains(first) && !Self.asked.contains(utterance.words[0])
            && !title.contains(where: { ["of", "about", "über"].contains($0) })
    }

    /// Nouns of what is told or written, not attended or done.
    private static let told = Lexicon.words(
        """
        poem poems haiku limerick story stories joke jokes essay article dialogue speech summary
        ideas tips advice facts fact questions answers lyrics plot meaning definition synonym
        history difference news weather forecast winner sunset sunrise hours recipe recipes famous
        best top worst example examples translation quotes code function paragraph sentence words
        error errors exit version host log logs trope headline template regex script lines signal
        gedicht geschichte witz rezept wetter nachrichten ideen tipps bedeutung unterschied
        """)

    /// What an assistant is asked to do, at the head of a message.
    private static let asked = Lexicon.words(
        """
        write tell explain describe summarize summarise translate draft compose give show list find
        search look suggest recommend help think imagine rewrite rephrase shorten correct proofread
        compare make create generate invent continue pretend act brainstorm outline define calculate
        compute convert count figure check spell pronounce analyse analyze debug refactor optimize
        optimise plan design teach quiz solve prove predict guess rank sort extract format parse
        classify let let's tldr use try yesterday last play sing read say talk discuss respond
        answer evaluate estimate simulate implement add insert replace append merge rebase commit
        deploy compile build execute and thanks thank hi hello hey dear see happy good gestern
        letzten schreib schreibe erkläre erzähl übersetze fasse rechne nenne liste gib hilf mach
        """)

    private func isPreposition(_ word: String) -> Bool {
        Lexicon.all.contains { $0.prepositions.contains(word) }
    }

    private static let times: Set<Reading.Span.Part> = [.date, .time, .end, .duration, .recurrence]

    /// The time stands first or last; only where and with whom may follow it.
    private func standsAtAnEdge(_ reading: Reading) -> Bool {
        let times = reading.spans.filter { Self.times.contains($0.part) }.map(\.range)
        guard let title = reading.spans.first(where: { $0.part == .title })?.range,
            let start = times.map(\.lowerBound).min(), let end = times.map(\.upperBound).max(),
            title.lowerBound < start, title.upperBound > end
        else { return true }
        let rest = Self.words(
            String(decoding: Array(utterance.text.utf8).dropFirst(end), as: UTF8.self))
        guard let next = rest.first else { return true }
        return rest.count <= 4
            && ["at", "in", "with", "for", "@", "near", "by", "bei", "beim", "mit", "im", "für"]
                .contains(next)
    }

    private func leftovers(_ reading: Reading) -> [String] {
        guard reading.hasOwnTitle else { return [] }
        return Leftovers.words(
            in: reading.title, hasTime: reading.start != nil || reading.recurrence != nil,
            language: context.locale.language) + afterTheTime(reading)
    }

    /// "… at 10 and prepare five questions": what is joined to a time is
    /// another request, not the title.
    private func afterTheTime(_ reading: Reading) -> [String] {
        let spans = reading.spans.filter { Self.times.contains($0.part) || $0.part == .list }
        guard let end = spans.map(\.range.upperBound).max() else { return [] }
        let rest = String(decoding: Array(utterance.text.utf8).dropFirst(end), as: UTF8.self)
        let words = Self.words(rest)
        guard let first = words.first, ["and", "und", "then", "also"].contains(first) else {
            return []
        }
        return [words.joined(separator: " ")]
    }

    /// Times that nobody can be held to: "after 5", "at sunset", "every few
    /// days".
    private func unsureTimes(_ reading: Reading) -> [String] {
        let bytes = Array(utterance.text.utf8)
        let words = utterance.words
        // "later today"; "3 hours later" is exact.
        let loose = words.indices.filter { index in
            ["later", "soon", "sometime", "später", "irgendwann"].contains(words[index])
                && !Self.words(reading.title).contains(words[index])
                && (index == 0
                    || Tokenizer.tokens(of: words[index - 1], language: .english)
                        .allSatisfy { $0.lexeme.unit == nil })
        }.map { words[$0] }
        return loose
            + reading.spans.compactMap { span in
                guard Self.times.contains(span.part) || span.part == .alarm,
                    span.range.upperBound <= bytes.count
                else {
                    return nil
                }
                let text = String(decoding: bytes[span.range], as: UTF8.self)
                let words = Self.words(text)
                let isAfter =
                    ["after", "past", "nach"].contains(words.first ?? "")
                    // Before what?
                    || span.part == .alarm && !hasClock(reading)
                        && (reading.alarm != nil || reading.anchor == nil && isExact(text))
                    // "until last tuesday"
                    || span.part == .recurrence && isUnbounded(words, reading)
                let isUnsure = words.contains { word in
                    Lexicon.all.contains { $0.unsureTimes.contains(word) }
                }
                return isAfter || isUnsure || isWrongWeekday(text, reading) ? text : nil
            }
    }

    /// Minutes or hours are counted: before which clock?
    private func isExact(_ text: String) -> Bool {
        Tokenizer.tokens(of: text, language: context.locale.language).contains {
            [.second, .minute, .hour].contains($0.lexeme.unit)
        }
    }

    private func isUnbounded(_ words: [String], _ reading: Reading) -> Bool {
        guard let rule = reading.recurrence, rule.bound == .none else {
            return false
        }
        return utterance.words.contains { ["until", "till", "til", "bis"].contains($0) }
            && !Self.words(reading.title).contains { ["until", "till", "bis"].contains($0) }
            && reading.end == nil
    }

    /// "friday 14 march" in a year in which that is a saturday.
    private func isWrongWeekday(_ text: String, _ reading: Reading) -> Bool {
        guard let start = reading.start, reading.recurrence == nil, reading.further.isEmpty else {
            return false
        }
        let tokens = Tokenizer.tokens(of: text, language: context.locale.language)
        guard let weekday = tokens.compactMap(\.lexeme.weekday).first,
            tokens.contains(where: { $0.lexeme.month != nil || $0.value.map { $0 > 31 } == true }),
            !tokens.contains(where: { $0.has(.before) || $0.has(.after) || $0.has(.from) })
        else { return false }
        return start.date.weekday != weekday
            && !tokens.contains { $0.lexeme.ordinal != nil || $0.has(.last) || $0.has(.of) }
    }

    // MARK: - Several

    /// One reading for each of the times that are said.
    private func occasions(_ reading: Reading) -> [Reading] {
        var reading = reading
        // "today and tomorrow at 9pm": the clock is said of both.
        if case .date(let date)? = reading.start, case .time(let clock)? = reading.further.first,
            let time = CivilDateTime(date, hour: clock.hour, minute: clock.minute)
        {
            reading.start = .time(time)
        }
        return [reading]
            + reading.further.map { moment in
                var other = reading
                other.start = moment
                other.further = []
                if case .time(let end)? = reading.end, case .time(let start)? = reading.start,
                    case .time(let moved) = moment
                {
                    other.end = .time(
                        CivilDateTime(
                            secondsAsUTC: moved.secondsAsUTC + end.secondsAsUTC - start.secondsAsUTC
                        ))
                }
                return other
            }
    }

    /// "remind me tomorrow at 9 and on friday at 2 to chase the invoice": one
    /// thing at two times, of which only one half has the title.
    private func twoTimes() -> Understanding? {
        let words = utterance.words
        guard words.count(where: { $0 == "and" || $0 == "und" }) == 1,
            let index = words.firstIndex(where: { $0 == "and" || $0 == "und" }),
            index > 2, index + 1 < words.count
        else { return nil }
        let first = parse(utterance.text(0..<index))
        let second = parse(utterance.text(from: index + 1))
        guard first.lead == .reminder, second.lead == nil, first.start != nil, second.start != nil,
            first.hasOwnTitle != second.hasOwnTitle,
            [first, second].allSatisfy({
                $0.isActedOn && $0.recurrence == nil && $0.further.isEmpty && $0.anchor == nil
                    && $0.end == nil && !isPast($0) && unsureTimes($0).isEmpty
            })
        else { return nil }
        var both = [first, second]
        let title = first.hasOwnTitle ? first.title : withoutTo(second.title)
        guard isPlainTitle(title) else { return nil }
        for index in both.indices { both[index].title = title }
        return stored(both, isOnline: true)
    }

    private func withoutTo(_ title: String) -> String {
        title.hasPrefix("to ") ? String(title.dropFirst(3)) : title
    }

    private func stored(_ readings: [Reading], isOnline: Bool) -> Understanding {
        var understanding = Understanding(act: .store(readings, .reminder))
        understanding.online = isOnline ? .store : .model
        understanding.offline = .store
        understanding.tools = ["create_reminder"]
        understanding.reasoning = "names several times"
        return understanding
    }

    /// "buy milk tomorrow and call Bob at 5": two tasks, each with its time.
    private func severalTasks() -> Understanding? {
        let words = utterance.words
        for index in words.indices.dropFirst(3)
        where ["and", "und", ",", ";", "then"].contains(words[index]) {
            var start = index + 1
            while start < words.count,
                ["and", "then", "also", "und", "dann"].contains(words[start])
            {
                start += 1
            }
            guard start + 1 < words.count,
                Lexicon.isTaskVerb(words[start]) || words[start] == "remind"
            else { continue }
            let first = parse(utterance.text(0..<index))
            var second = parse(utterance.text(from: start))
            let lead = first.lead
            guard lead == nil || lead == .reminder, second.lead == nil || second.lead == .reminder,
                let time = first.start, let other = second.start, first.hasOwnTitle,
                second.hasOwnTitle, first.recurrence == nil, second.recurrence == nil,
                [first, second].allSatisfy({
                    $0.isActedOn && $0.further.isEmpty && $0.anchor == nil && leftovers($0).isEmpty
                        && !isPast($0) && isPlainTitle($0.title)
                })
            else { continue }
            // The day that was said first goes for both.
            if case .time(let clock) = other,
                !second.spans.contains(where: { $0.part == .date }),
                let moved = CivilDateTime(time.date, hour: clock.hour, minute: clock.minute)
            {
                second.start = .time(max(moved, clock))
            }
            let isTasks = [first, second].allSatisfy { isTask($0, Self.words($0.title)) }
            guard lead == .reminder || isTasks else { continue }
            return stored([first, second], isOnline: lead == .reminder)
        }
        return nil
    }
}
