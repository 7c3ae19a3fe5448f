/// The clock of one place at every instant: the changes listed in a zone file (TZif, RFC 8536), and
/// the rule for the time after them.
///
/// Pure: bytes in, answers out. `TimeZoneDatabase` finds the files.
package struct TimeZoneRules: Sendable {
    /// The local time between two changes.
    package struct State: Sendable, Hashable {
        /// Seconds east of UTC.
        package var offset: Int
        package var isDaylight: Bool
        /// `CET`, or `-03` if the zone has no abbreviation.
        package var abbreviation: String

        package init(offset: Int, isDaylight: Bool, abbreviation: String) {
            self.offset = offset
            self.isDaylight = isDaylight
            self.abbreviation = abbreviation
        }
    }

    /// A change of the clocks; `second` is the first of the new state.
    package struct Transition: Sendable, Hashable {
        package var second: Int
        package var before: State
        package var after: State
    }

    package struct Failure: Error, Equatable {
        package enum Reason: String, Sendable { case notAZoneFile, truncated, invalid }
        package var reason: Reason
    }

    /// The name in the zone database (`Europe/Berlin`); a POSIX rule's own text; `UTC`.
    package var name: String { table.name }
    /// The rule after the listed changes; nil if nothing changes then.
    package var rule: PosixTimeZone? { table.rule }
    private var seconds: [Int] { table.seconds }
    private var stateIndices: [UInt8] { table.stateIndices }
    private var states: [State] { table.states }
    private let table: Table

    /// Behind one reference, since every time of every event contains its zone.
    private final class Table: Sendable {
        let name: String
        let seconds: [Int]
        let stateIndices: [UInt8]
        let states: [State]
        let rule: PosixTimeZone?

        init(
            name: String, seconds: [Int] = [], stateIndices: [UInt8] = [], states: [State],
            rule: PosixTimeZone? = nil
        ) {
            self.name = name
            self.seconds = seconds
            self.stateIndices = stateIndices
            self.states = states
            self.rule = rule
        }
    }

    package static let utc = TimeZoneRules(name: "UTC", offset: 0, abbreviation: "UTC")

    /// A place whose clocks never change.
    package init(name: String, offset: Int, abbreviation: String) {
        table = Table(
            name: name,
            states: [State(offset: offset, isDaylight: false, abbreviation: abbreviation)])
    }

    /// Nil unless the text is a POSIX TZ rule.
    package init?(posix text: String) {
        guard let rule = PosixTimeZone(text) else { return nil }
        table = Table(
            name: text,
            states: [State(offset: rule.offset, isDaylight: false, abbreviation: rule.name)],
            rule: rule)
    }

    /// A clock that changes at these seconds, in order, and never afterwards; `initial` applies
    /// before the first change. Nil if they are not in order, or have more kinds of time than a
    /// zone file could contain.
    package init?(name: String, initial: State, changes: [(second: Int, state: State)]) {
        var kinds = [initial: 0]
        var indices: [UInt8] = []
        for change in changes {
            let kind = kinds[change.state] ?? kinds.count
            guard kind <= 255, Self.seconds.contains(change.second),
                Self.offsets.contains(change.state.offset)
            else { return nil }
            kinds[change.state] = kind
            indices.append(UInt8(kind))
        }
        let seconds = changes.map(\.second)
        guard Self.offsets.contains(initial.offset),
            zip(seconds, seconds.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        table = Table(
            name: name, seconds: seconds, stateIndices: indices,
            states: kinds.sorted { $0.value < $1.value }.map(\.key))
    }

    /// Accepted offsets. RFC 8536 §3.2 asks for −25 to 26 hours; real ones are far smaller.
    private static let offsets = -90_000...93_600
    /// RFC 8536 §3.2: a file has no times before −2⁵⁹.
    private static let seconds = -(1 << 59)...(1 << 59)

    /// Reads a zone file of version 1 to 4.
    package init(name: String, file: [UInt8]) throws(Failure) {
        var reader = FileReader(bytes: file)
        var header = try reader.header()
        var width = 4
        if header.version >= 2 {
            // The first block is the 32-bit one of version 1; the second has 64 bits.
            try reader.skip(header.size)
            header = try reader.header()
            width = 8
        }
        guard header.types > 0 else { throw Failure(reason: .invalid) }
        var seconds: [Int] = []
        var indices: [UInt8] = []
        for _ in 0..<header.times { seconds.append(try reader.integer(width)) }
        for _ in 0..<header.times { indices.append(UInt8(try reader.unsigned(1))) }
        guard indices.allSatisfy({ $0 < header.types }),
            zip(seconds, seconds.dropFirst()).allSatisfy({ $0 < $1 }),
            (seconds.first ?? 0) >= Self.seconds.lowerBound,
            (seconds.last ?? 0) <= Self.seconds.upperBound
        else { throw Failure(reason: .invalid) }
        var types: [(offset: Int, isDaylight: Bool, name: Int)] = []
        for _ in 0..<header.types {
            types.append(
                (try reader.integer(4), try reader.unsigned(1) != 0, try reader.unsigned(1)))
        }
        guard types.allSatisfy({ Self.offsets.contains($0.offset) }) else {
            throw Failure(reason: .invalid)
        }
        let names = try reader.bytes(header.characters)
        try reader.skip(header.leaps * (width + 4) + header.standards + header.universals)
        let states = types.map { type in
            let text = names.dropFirst(type.name).prefix { $0 != 0 }
            return State(
                offset: type.offset, isDaylight: type.isDaylight,
                abbreviation: String(decoding: text, as: UTF8.self))
        }
        table = Table(
            name: name, seconds: seconds, stateIndices: indices, states: states,
            rule: width == 8 ? reader.footer().flatMap(PosixTimeZone.init) : nil)
    }

    package func state(at second: Int) -> State {
        let second = min(max(second, Self.seconds.lowerBound), Self.seconds.upperBound)
        guard let last = seconds.last, second < last else {
            if let rule { return rule.state(at: second) }
            return stateIndices.last.map { states[Int($0)] } ?? states[0]
        }
        let index = firstIndex(after: second)
        // Before the first change the first kind of time applies (RFC 8536 §3.2).
        return index == 0 ? states[0] : states[Int(stateIndices[index - 1])]
    }

    /// The next change after that second, or nil.
    package func transition(after second: Int) -> Transition? {
        var at = min(max(second, Self.seconds.lowerBound), Self.seconds.upperBound)
        // Zone files list changes without effect; their number is the bound.
        for _ in 0...(seconds.count + 1) {
            let index = firstIndex(after: at)
            let next = index < seconds.count ? seconds[index] : rule?.change(after: at)
            guard let next else { return nil }
            let (before, after) = (state(at: next - 1), state(at: next))
            if before != after { return Transition(second: next, before: before, after: after) }
            at = next
        }
        return nil
    }

    /// The second at which a clock here shows `civil`. A skipped time is read with the offset
    /// before the jump; of an ambiguous time, the first is meant (RFC 5545 §3.3.5).
    package func second(of civil: CivilDateTime) -> Int {
        // A place is less than a day from UTC, so the probes are before and after any relevant
        // change.
        let asUTC = civil.secondsAsUTC
        let before = state(at: asUTC - 86_400).offset
        var first: Int?
        for probe in [before, state(at: asUTC).offset, state(at: asUTC + 86_400).offset] {
            let candidate = asUTC - probe
            guard state(at: candidate).offset == probe else { continue }
            first = min(first ?? candidate, candidate)
        }
        return first ?? asUTC - before
    }

    package func civil(atSecond second: Int) -> CivilDateTime {
        CivilDateTime(secondsAsUTC: second + state(at: second).offset)
    }

    /// Whether both give the same time at every instant.
    package func agrees(with other: TimeZoneRules) -> Bool {
        rule == other.rule && seconds == other.seconds
            && state(at: Self.seconds.lowerBound) == other.state(at: Self.seconds.lowerBound)
            && seconds.allSatisfy { state(at: $0) == other.state(at: $0) }
    }

    /// The second of the last listed change, or nil. After it `rule` applies.
    package var lastListed: Int? { seconds.last }

    private func firstIndex(after second: Int) -> Int {
        var (low, high) = (0, seconds.count)
        while low < high {
            let middle = (low + high) / 2
            if seconds[middle] <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private struct Header {
        var version: Int
        var universals: Int
        var standards: Int
        var leaps: Int
        var times: Int
        var types: Int
        var characters: Int

        /// Size of the following data with four-byte times.
        var size: Int {
            times * 5 + types * 6 + characters + leaps * 8 + standards + universals
        }
    }

    private struct FileReader {
        let bytes: [UInt8]
        var position = 0
        /// Maximum bytes of a file, far above any of the database.
        static let limit = 1 << 16

        mutating func header() throws(Failure) -> Header {
            guard try bytes(4) == Array("TZif".utf8) else { throw Failure(reason: .notAZoneFile) }
            let digit = try unsigned(1)
            try skip(15)
            var counts: [Int] = []
            for _ in 0..<6 { counts.append(try unsigned(4)) }
            guard counts.allSatisfy({ $0 <= Self.limit }) else { throw Failure(reason: .invalid) }
            return Header(
                version: digit == 0 ? 1 : digit - 0x30, universals: counts[0],
                standards: counts[1], leaps: counts[2], times: counts[3], types: counts[4],
                characters: counts[5])
        }

        mutating func skip(_ count: Int) throws(Failure) {
            guard count >= 0, position + count <= bytes.count else {
                throw Failure(reason: .truncated)
            }
            position += count
        }

        mutating func bytes(_ count: Int) throws(Failure) -> [UInt8] {
            let start = position
            try skip(count)
            return Array(bytes[start..<position])
        }

        mutating func unsigned(_ width: Int) throws(Failure) -> Int {
            let start = position
            try skip(width)
            var value: UInt64 = 0
            for index in start..<position { value = value << 8 | UInt64(bytes[index]) }
            return Int(Int64(bitPattern: value))
        }

        /// A signed integer of eight or four bytes.
        mutating func integer(_ width: Int) throws(Failure) -> Int {
            let value = try unsigned(width)
            return width == 8 ? value : Int(Int32(truncatingIfNeeded: value))
        }

        mutating func footer() -> String? {
            guard position < bytes.count, bytes[position] == 0x0A else { return nil }
            let text = bytes[(position + 1)...].prefix { $0 != 0x0A }
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        }
    }
}

extension TimeZoneRules: Hashable {
    package static func == (left: TimeZoneRules, right: TimeZoneRules) -> Bool {
        if left.table === right.table { return true }
        return left.name == right.name && left.rule == right.rule && left.seconds == right.seconds
            && left.stateIndices == right.stateIndices && left.states == right.states
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
