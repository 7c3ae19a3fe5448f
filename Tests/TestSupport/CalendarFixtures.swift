import Foundation
import XCTest

/// The `.ics` files in `Fixtures/ics`: what other programs write, and what
/// nothing should.
package enum CalendarFixtures {
    /// Names and bytes, by name.
    package static func all() throws -> [(String, [UInt8])] {
        let folder = try XCTUnwrap(Bundle.module.resourceURL).appending(path: "Fixtures/ics")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".ics") }
            .map { ($0, [UInt8](try Data(contentsOf: folder.appending(path: $0)))) }
    }

    package static func file(_ name: String) throws -> [UInt8] {
        try XCTUnwrap(try all().first { $0.0 == name }).1
    }

    /// 3000 times one of them with some bytes changed, taken out or put in; the
    /// same ones in every run.
    package static func damaged() throws -> [[UInt8]] {
        var random = SplitMix(seed: 20_261_121)
        let fixtures = try all().map(\.1)
        let pieces: [[UInt8]] =
            [
                "BEGIN:", "END:", "VTODO", "VCALENDAR", "\r\n", "\n", "\r", " ", "\t", ":", ";",
                "\"",
                "=", "^", "\\", "DUE:", "DUE;TZID=", "SUMMARY:", "\u{FEFF}", "20261399T", "RRULE:",
            ].map { Array($0.utf8) } + [[0], [0xFF], [0xC3], [0xF0, 0x9F]]
        return (0..<3000).map { _ in
            var bytes = fixtures[Int.random(in: 0..<fixtures.count, using: &random)]
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    bytes.insert(
                        contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)],
                        at: place)
                case 1:
                    let end = min(bytes.count, place + Int.random(in: 0..<40, using: &random))
                    bytes.removeSubrange(place..<end)
                default:
                    if place < bytes.count {
                        bytes[place] = UInt8.random(in: 0...255, using: &random)
                    }
                }
            }
            return bytes
        }
    }
}
