import AgentCore
import Base
import DateLanguage
import FoundationEssentials
import ICalendar

/// A routine as the user or a model asks for it, and how it becomes one: schedule, model, tools
/// and limits are checked here, before anyone is asked.
struct RoutineDraft: Sendable {
    var times: String?
    var prompt: String?
    var name: String?
    var gates: [Routine.Gate] = []
    var command: String?
    var isUnlessSame = false
    var isReview = false
    var tools: [String] = []
    var model: String?
    var runBudget: Double?
    var monthBudget: Double?
    var catchUp: Int?
    var file: String?

    /// Seconds; a model is not to be asked more often.
    static let shortest = 300.0

    /// - Parameter old: the routine that is edited; nil makes a new one.
    func routine(
        for server: RoutineServer, editing old: Routine? = nil
    ) async throws -> (routine: Routine, price: (input: Money, output: Money)?) {
        let dates = server.dependencies.dates()
        let schedule = try times.map { try Self.schedule($0, dates) }
        var routine: Routine
        var price: (input: Money, output: Money)?
        if old == nil || model != nil {
            let chosen = try await server.dependencies.model(model)
            price = chosen.price
            guard let start = schedule?.start ?? old?.start, let rule = schedule?.rule ?? old?.rule,
                let prompt = (prompt ?? old?.prompt)?.trimmingSpace(), !prompt.isEmpty
            else {
                throw UsageError(
                    "A routine needs its times and a request.",
                    hint: "chat routine add \"every weekday at 7:30\" \"sum up my day\"")
            }
            routine = Routine(
                id: old?.id ?? server.dependencies.environment.uuid(),
                name: old?.name ?? "", prompt: prompt, start: start, rule: rule,
                provider: chosen.provider, host: chosen.host, model: chosen.model)
            if let old {
                (routine.gates, routine.isUnlessSame) = (old.gates, old.isUnlessSame)
                routine.isReview = old.isReview
                (routine.tools, routine.file) = (old.tools, old.file)
                (routine.runBudget, routine.monthBudget) = (old.runBudget, old.monthBudget)
                routine.catchUp = old.catchUp
            }
        } else {
            // One of the two is not nil here.
            guard let old else { throw UsageError("A routine needs its times and a request.") }
            routine = old
            if let schedule { (routine.start, routine.rule) = schedule }
            if let prompt { routine.prompt = prompt.trimmingSpace() }
            // Only the estimate depends on it.
            price = try? await server.dependencies.model("\(old.provider)/\(old.model)").price
        }
        if KeyShape.isFound(in: routine.prompt) {
            throw UsageError("The request holds what looks like a key, so it was not kept.")
        }
        if !gates.isEmpty { routine.gates = gates }
        if isUnlessSame { routine.isUnlessSame = true }
        if isReview { routine.isReview = true }
        if !tools.isEmpty {
            routine.tools = try Self.rules(tools, await server.dependencies.tools())
        }
        routine.runBudget = runBudget ?? routine.runBudget
        routine.monthBudget = monthBudget ?? routine.monthBudget
        routine.catchUp = catchUp ?? routine.catchUp
        routine.file = file.map(server.dependencies.path) ?? routine.file
        routine.name = try await named(routine, server)
        try Self.checkPace(routine, dates)
        return (routine, price)
    }

    private func named(_ routine: Routine, _ server: RoutineServer) async throws -> String {
        let others = try await server.book.entries().filter { $0.routine.id != routine.id }
            .map { $0.routine.name.lowercased() }
        if let name {
            let name = name.oneLine
            guard (1...60).contains(name.count) else {
                throw UsageError("A name has 1 to 60 characters.")
            }
            if others.contains(name.lowercased()) {
                throw UsageError("There is a routine named \"\(name)\" already.")
            }
            return name
        }
        if !routine.name.isEmpty { return routine.name }
        var base = ""
        for word in routine.prompt.oneLine.split(separator: " ") {
            if !base.isEmpty, base.count + word.count >= 30 { break }
            base += (base.isEmpty ? "" : " ") + word.prefix(40)
            if word.last.map({ ".:;,!?".contains($0) }) == true {
                base.removeLast()
                break
            }
        }
        base = base.prefix(1).uppercased() + base.dropFirst()
        if !others.contains(base.lowercased()) { return base }
        var number = 2
        while others.contains("\(base) \(number)".lowercased()) { number += 1 }
        return "\(base) \(number)"
    }

    // MARK: - Schedules

    /// A repetition without a clock time is in the morning.
    private static func schedule(
        _ text: String, _ dates: DateContext
    ) throws -> (start: CivilDateTime, rule: RecurrenceRule) {
        let fields = DateFieldParser(context: dates) { DateParser(dates).parse($0) }
        let found: DateFieldParser.Repetition
        do throws(DateFieldParser.Problem) {
            found = try fields.repetition(text)
        } catch {
            throw UsageError(
                error.sentence, hint: "Such as: every weekday at 7:30, or every monday at 9")
        }
        if found.isFromCompletion {
            throw UsageError("A routine cannot be counted from its completion.")
        }
        let now = dates.local.civil(at: dates.now)
        guard let start = found.start else {
            // On the whole minute, so that "every hour" has a plain clock time.
            let seconds = now.secondsAsUTC
            return (CivilDateTime(secondsAsUTC: seconds - seconds % 60), found.rule)
        }
        if start.isDate {
            let text = found.rule.text
            let isWithinDay = text.contains("FREQ=HOURLY") || text.contains("FREQ=MINUTELY")
            let clock = CivilDateTime(
                start.civilDate, hour: isWithinDay ? now.hour : dates.hours.morning,
                minute: isWithinDay ? now.minute : 0)
            return (clock ?? now, found.rule)
        }
        return (dates.local.civil(at: start.instant(in: dates.local)), found.rule)
    }

    private static func checkPace(_ routine: Routine, _ dates: DateContext) throws {
        let next: [Date]
        do throws(RecurrenceError) {
            next = try routine.next(3, after: dates.now, in: dates.local)
        } catch {
            throw UsageError("That schedule takes too long to work out.")
        }
        guard !next.isEmpty else { throw UsageError("That schedule has no times to come.") }
        for (one, two) in zip(next, next.dropFirst())
        where two.timeIntervalSince(one) < shortest {
            throw UsageError("A routine runs every 5 minutes at most.")
        }
    }

    // MARK: - Tools

    /// Rules for tools that write or send; reading needs none.
    private static func rules(_ texts: [String], _ tools: [Tool]) throws -> [String] {
        try texts.flatMap { $0 == "none" ? [] : [$0] }.compactMap { text in
            guard let rule = ApprovalRule(text) else {
                throw UsageError(
                    "\"\(KeyShape.shown(text))\" is not a tool.", hint: "chat tools list")
            }
            let name = String(text.prefix { $0 != "(" }).trimmingSpace()
            guard let tool = tools.first(where: { $0.name == name }), rule.names(name) else {
                throw UsageError(
                    "There is no tool \"\(KeyShape.shown(name))\".",
                    hint: NearestWord.find(name, among: tools.map(\.name)).map {
                        "Did you mean \($0)?"
                    } ?? "chat tools list")
            }
            switch tool.toolClass {
            case .read: return nil
            case .write: return text
            case .destroy:
                throw UsageError("A routine never deletes, so \(name) cannot be allowed.")
            case .outward:
                if name == RoutineServer.createTool {
                    throw UsageError("A routine cannot make routines.")
                }
                if namesAddress(tool), !Self.namesHost(text) {
                    throw UsageError(
                        "\(name) needs the host that it may reach.",
                        hint: "--allow \"\(name)(url: https://example.org/*)\"")
                }
                return text
            }
        }
    }

    private static func namesAddress(_ tool: Tool) -> Bool {
        if case .object(let properties) = tool.inputSchema {
            return properties.contains { $0.name == "url" }
        }
        return false
    }

    /// `tool(url: https://example.org/…)`: the host is written out, with the slash behind it.
    private static func namesHost(_ text: String) -> Bool {
        guard let open = text.firstIndex(of: "("), text.last == ")" else { return false }
        let inner = text[text.index(after: open)...].dropLast()
        guard let colon = inner.firstIndex(of: ":"),
            inner[..<colon].trimmingSpace() == "url"
        else { return false }
        let value = inner[inner.index(after: colon)...].trimmingSpace()
        guard value.hasPrefix("https://") else { return false }
        let host = value.dropFirst(8).prefix { $0 != "/" }
        return !host.isEmpty && host.utf8.count + 8 < value.utf8.count
            && host.allSatisfy { $0.isLetter || $0.isNumber || ".-:".contains($0) }
    }

    // MARK: - Cost

    /// `about $0.02 a run, $0.44 a month`, for a short answer after two or three tool calls.
    static func cost(
        _ routine: Routine, _ price: (input: Money, output: Money)?, _ dates: DateContext
    ) -> String {
        guard let price else {
            return "no price is known for \(routine.model), so its budgets cannot be watched"
        }
        let run = Money(micros: price.input.micros / 50 + price.output.micros / 1_000)
        let month = dates.now.addingTimeInterval(30 * 86_400)
        let times =
            // A rule that takes too long was refused before.
            (try? routine.schedule.starts(
                from: dates.now, to: month, limit: 10_000, in: dates.local))?.count ?? 0
        return "about \(run.text) a run, \(Money(micros: run.micros * times).text) a month; "
            + RoutineText.budget(routine)
    }
}
