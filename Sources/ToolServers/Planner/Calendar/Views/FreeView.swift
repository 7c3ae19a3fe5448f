import Base
import CalendarFiles
import FoundationEssentials

/// Free times as the user reads them, a line for each day. Pure.
struct FreeView: Sendable {
    let text: ItemText

    func lines(_ free: [Range<Date>], days: ClosedRange<CivilDate>) -> [StyledLine] {
        guard !free.isEmpty else {
            let span =
                days.count == 1
                ? "on \(text.day(days.lowerBound))"
                : "from \(text.day(days.lowerBound)) to \(text.day(days.upperBound))"
            return [StyledLine("No time of that length is free \(span).", .dim)]
        }
        var byDay: [(day: CivilDate, slots: [Range<Date>])] = []
        for slot in free {
            let day = text.local.civil(at: slot.lowerBound).date
            if byDay.last?.day == day {
                byDay[byDay.count - 1].slots.append(slot)
            } else {
                byDay.append((day, [slot]))
            }
        }
        let rows = byDay.map { entry in
            var spans: [StyledLine.Span] = [
                .init(
                    entry.day.heading(asOf: text.today), entry.day == text.today ? .accent : .bold)
            ]
            for (index, slot) in entry.slots.enumerated() {
                if index > 0 { spans.append(.init(", ")) }
                spans.append(.init(words(slot)))
                let length = slot.upperBound.timeIntervalSince(slot.lowerBound)
                spans.append(.init(" (\(ItemText.length(Int(length))))", .dim))
            }
            return spans
        }
        return StyledLine.table(rows, columns: 1)
    }

    /// `14:00–15:30`.
    func words(_ slot: Range<Date>) -> String {
        "\(text.clock(slot.lowerBound))–\(text.clock(slot.upperBound))"
    }
}
