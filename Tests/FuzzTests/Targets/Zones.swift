@testable import Base

extension FuzzTarget {
    /// Zone files (RFC 8536) and the rules for the time after them.
    static let zones = FuzzTarget("zones") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let found = [
            try? TimeZoneRules(name: "fuzz", file: bytes), TimeZoneRules(posix: text),
        ]
        for zone in found.compactMap(\.self) {
            var second = -3_000_000_000
            for _ in 0..<40 {
                guard let next = zone.transition(after: second) else { break }
                try demand(next.second > second, "a transition that is not later")
                try demand(zone.state(at: next.second) == next.after, "not what follows")
                second = next.second
            }
            for second in [0, 1_790_000_000, 4_000_000_000] { _ = zone.state(at: second) }
        }
    }
}
