import Base
import ICalendar

/// The parts of an RRULE as written, so that one can be changed while all others, even unknown
/// ones, stay the same. Pure.
///
/// `RecurrenceRule` interprets the parts.
package struct RRuleLine: Sendable, Equatable {
    private struct Part: Sendable, Equatable {
        let name: String
        var value: String
    }

    private var parts: [Part]

    package init(_ text: String) {
        parts = text.split(separator: ";").map { part in
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // `split` returns at least one half.
            return Part(
                name: String(halves[0]), value: halves.count > 1 ? String(halves[1]) : "")
        }
    }

    package var text: String { parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";") }

    /// Names are compared ignoring case, as the standard requires.
    package subscript(_ name: String) -> String? {
        get { parts.first { $0.name.uppercased() == name }?.value }
        set {
            let index = parts.firstIndex { $0.name.uppercased() == name }
            switch (index, newValue) {
            case (let index?, let value?): parts[index].value = value
            case (let index?, nil): parts.remove(at: index)
            case (nil, let value?): parts.append(Part(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Sets the last time allowed, replacing any other bound.
    package mutating func end(until value: String) {
        self["COUNT"] = nil
        self["UNTIL"] = value
    }

    /// Shifts the rule for a series that is `days` later, and returns whether
    /// that is possible: a weekday of a week moves with it, "the second
    /// Tuesday" does not, nor do parts that only some programs write.
    package mutating func shift(days: Int, from start: CivilDate) -> Bool {
        guard days != 0 else { return true }
        for name in ["BYSETPOS", "BYWEEKNO", "BYYEARDAY", "BYMONTH"] where self[name] != nil {
            return false
        }
        if let text = self["BYDAY"] {
            let codes = RecurrenceRule.Weekday.allCases.map(\.code)
            let moved = text.split(separator: ",").map { day in
                codes.firstIndex(of: day.uppercased()).map {
                    codes[(($0 + days) % 7 + 7) % 7]
                }
            }
            guard self["FREQ"]?.uppercased() == "WEEKLY", !moved.contains(nil) else { return false }
            self["BYDAY"] = moved.compactMap { $0 }.joined(separator: ",")
        }
        if let text = self["BYMONTHDAY"] {
            guard Int(text) == start.day else { return false }
            self["BYMONTHDAY"] = String(start.adding(days: days).day)
        }
        return true
    }
}
