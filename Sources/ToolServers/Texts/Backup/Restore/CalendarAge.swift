import FoundationEssentials

/// Compares the age of two versions of a calendar file, by their own fields, or else by the
/// times of the files. Pure.
struct CalendarAge: Sendable, Equatable {
    /// The latest LAST-MODIFIED: `20261122T090000Z`, which sorts correctly as text.
    private let changed: String?
    /// The sum of the SEQUENCEs: each change by an organiser raises one.
    private let sequence: Int
    private let modified: Date
    let uids: Set<String>

    /// - Parameter modified: the file's modification time, to a millisecond.
    init(_ bytes: [UInt8], modified: Date) {
        var (changed, sequence, uids): (String?, Int, Set<String>) = (nil, 0, [])
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            if line.starts(with: "LAST-MODIFIED".utf8), let value = Self.value(line) {
                changed = max(changed ?? "", value)
            } else if line.starts(with: "SEQUENCE:".utf8), let value = Self.value(line) {
                sequence += max(0, min(Int(value) ?? 0, 1 << 31))
            } else if line.starts(with: "UID:".utf8), let value = Self.value(line) {
                uids.insert(value)
            }
        }
        self.changed = changed
        self.sequence = sequence
        self.uids = uids
        self.modified = modified
    }

    func isNewer(than other: CalendarAge) -> Bool {
        if let changed, let theirs = other.changed, changed != theirs { return changed > theirs }
        if sequence != other.sequence { return sequence > other.sequence }
        return modified.timeIntervalSince(other.modified) >= 0.001
    }

    private static func value(_ line: ArraySlice<UInt8>) -> String? {
        line.firstIndex(of: UInt8(ascii: ":")).map {
            String(decoding: line[($0 + 1)...], as: UTF8.self)
        }
    }
}
