import Base
import FoundationEssentials

/// The TRIGGER of an alarm (RFC 5545 §3.8.6.3): a duration relative to its item, or
/// an instant.
///
///     -PT15M, 20261128T080000Z           as the standard has it
///     PT-15M, -15M, -P0Y0M0DT0H15M0S,    read as well, since each can mean one thing
///     a blank in front, a time in a      only; `isStandard` is false, and callers
///     zone or in none                    report it
///     a day, -P15M (months?), -PT        not read
package struct AlarmTrigger: Sendable, Equatable {
    package enum When: Sendable, Equatable {
        /// Never a whole day.
        case at(CalendarMoment)
        case offset(CalendarDuration, fromStart: Bool)
    }

    package let when: When
    package let isStandard: Bool

    /// nil if the value is not a time, or is ambiguous.
    package init?(_ line: ContentLine) {
        let value = line.value
        let text = value.oneLine
        if let exact = CalendarDuration(text), let offset = Self.offset(exact, line) {
            (when, isStandard) = (offset, text == value)
        } else if let moment = CalendarMoment(value: text, zone: line.parameter("TZID")) {
            if case .date = moment { return nil }
            when = .at(moment)
            if case .utc = moment { isStandard = text == value } else { isStandard = false }
        } else if let offset = Self.misspelt(text).flatMap({ Self.offset($0, line) }) {
            (when, isStandard) = (offset, false)
        } else {
            return nil
        }
    }

    private static func offset(_ duration: CalendarDuration, _ line: ContentLine) -> When? {
        .offset(duration, fromStart: line.parameter("RELATED")?.uppercased() != "END")
    }

    /// A duration with its sign or its letters in the wrong place, or with zero years and
    /// months. An M means months after a P and before a T, else minutes.
    private static func misspelt(_ text: String) -> CalendarDuration? {
        var letters = Array(text.uppercased().utf8)[...]
        var (sign, isPeriod, isTime, days, seconds, parts) = ("", false, false, 0, 0, 0)
        while let byte = letters.first {
            if parts == 0, sign.isEmpty, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
                sign = byte == UInt8(ascii: "-") ? "-" : "+"
                letters.removeFirst()
                continue
            }
            if byte == UInt8(ascii: "P"), !isPeriod, !isTime, parts == 0 {
                isPeriod = true
                letters.removeFirst()
                continue
            }
            if byte == UInt8(ascii: "T"), !isTime {
                isTime = true
                letters.removeFirst()
                continue
            }
            let digits = letters.prefix { $0 &- 0x30 < 10 }
            guard !digits.isEmpty, digits.count <= 6 else { return nil }
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            letters = letters.dropFirst(digits.count)
            switch letters.popFirst().map({ Unicode.Scalar($0) }) {
            case "W": days += number * 7
            case "D": days += number
            case "H": seconds += number * 3600
            case "M" where isTime || !isPeriod: seconds += number * 60
            case "S": seconds += number
            case "M", "Y": if number != 0 { return nil }
            default: return nil
            }
            parts += 1
        }
        // The limits are those of the correct spelling.
        return parts == 0 ? nil : CalendarDuration("\(sign)P\(days)DT\(seconds)S")
    }
}

/// The alarms of an item.
extension Component {
    /// Whether it rings at a time, if its TRIGGER is valid: it is not tied to a place, and
    /// not Apple's marker for "no alarm, not even by default".
    package var isClockAlarm: Bool {
        name == "VALARM" && !isNoAlarm && first("PROXIMITY") == nil
            && first("X-APPLE-PROXIMITY") == nil
    }

    package var isNoAlarm: Bool {
        name == "VALARM" && first("ACTION")?.value.uppercased() == "NONE"
    }

    /// The UID of the alarm that this one snoozes (RFC 9074 §7.1.2).
    package var snoozedAlarm: String? {
        all("RELATED-TO").first { $0.parameter("RELTYPE")?.uppercased() == "SNOOZE" }
            .map { TextValue.unescape($0.value) }
    }

    /// The time up to which the user has acknowledged an alarm, or all those of an item: RFC 9074
    /// §6.1, and Thunderbird's property.
    package var acknowledged: Date? {
        (["ACKNOWLEDGED", "X-MOZ-LASTACK"] as [StaticString]).compactMap { name in
            if case .utc(let instant)? = first(name).flatMap(CalendarMoment.init) {
                instant
            } else {
                nil
            }
        }.max()
    }

    /// The time at which an alarm with a fixed time rings, as phones write them. nil for every
    /// other VALARM, and for a snooze, which belongs to the one time that was snoozed.
    package func fixedAlarm(_ zones: ZoneResolver) -> Date? {
        guard isClockAlarm, snoozedAlarm == nil,
            case .at(let moment)? = first("TRIGGER").flatMap(AlarmTrigger.init)?.when
        else { return nil }
        return zones.time(moment).time.instant(in: zones.local)
    }

    /// Moves the alarms of fixed times by as much as their item, on its zone's
    /// clock; by whole days if the item is or becomes a whole day.
    package mutating func moveAlarms(from old: ItemTime, to new: ItemTime, _ zones: ZoneResolver) {
        let shift = ItemShift(from: old, to: new, local: zones.local)
        let days = new.civilDate.dayNumber - old.civilDate.dayNumber
        let seconds = old.isDate == new.isDate ? shift.seconds : days * 86_400
        let place = old.zone.map(LocalTime.init) ?? zones.local
        moveAlarms(zones) { instant in
            place.instant(
                of: CivilDateTime(secondsAsUTC: place.civil(at: instant).secondsAsUTC + seconds))
        }
    }

    /// Moves the alarms of fixed times. An acknowledgement does not apply to the
    /// new time.
    package mutating func moveAlarms(_ zones: ZoneResolver, to moved: (Date) -> Date) {
        editComponents("VALARM") { alarm in
            guard let old = alarm.fixedAlarm(zones) else { return }
            let new = moved(old)
            guard new != old else { return }
            alarm.set(
                "TRIGGER", parameters: [("VALUE", "DATE-TIME")], value: CalendarMoment.utcText(new))
            if alarm.acknowledged.map({ $0 >= new }) == true {
                alarm.remove("ACKNOWLEDGED")
                alarm.remove("X-MOZ-LASTACK")
            }
        }
    }
}
