import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Base
@testable import Privacy

/// Several threads at one value behind a `Mutex`, in an order drawn from a seed: each gets what one
/// thread alone gets. The thread sanitizer cannot see these locks (Soak/README.md).
final class MutexStressTests: XCTestCase {
    private static let seed = UInt64.random(in: 0...UInt64.max)

    /// - Returns: what each of four threads got, in its own order.
    private func onThreads<Value: Sendable>(
        _ body: @escaping @Sendable (inout SplitMix) -> Value
    ) -> [[Value]] {
        let found = Mutex([[Value]](repeating: [], count: 4))
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            var random = SplitMix(seed: Self.seed &+ UInt64(number))
            for _ in 0..<300 {
                let value = body(&random)
                found.withLock { $0[number].append(value) }
            }
        }
        return found.withLock { $0 }
    }

    /// The same draws, one after the other.
    private func alone<Value>(_ body: (inout SplitMix) -> Value) -> [[Value]] {
        (0..<4).map { number in
            var random = SplitMix(seed: Self.seed &+ UInt64(number))
            return (0..<300).map { _ in body(&random) }
        }
    }

    func testAMemoThatSeveralConversationsShareFindsWhatNoMemoFinds() {
        let people = ["Ida Berg", "Bo Lund"].map { PersonalData([.init(.name, $0)]) }
        let memo = RedactionMemo()
        let redact: @Sendable (RedactionMemo?, inout SplitMix) -> String = { memo, random in
            let person = people[Int.random(in: 0..<2, using: &random)]
            let number = Int.random(in: 0..<20, using: &random)
            var map = RedactionMap()
            return Redactor(person, memo: memo).redact(
                "\(number): Ida Berg wrote to Bo Lund, bo\(number)@example.org", into: &map)
        }
        XCTAssertEqual(
            onThreads { redact(memo, &$0) }, alone { redact(nil, &$0) }, "seed \(Self.seed)")
        XCTAssertGreaterThan(memo.searches, 0)
    }

    func testADatabaseOfZonesThatSeveralThreadsFillGivesEachTheSame() {
        let names = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Nowhere/At_All", "UTC"]
        let find: @Sendable (TimeZoneDatabase, inout SplitMix) -> Int? = { zones, random in
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            let second = Int.random(in: 0..<2_000_000_000, using: &random)
            return zones.rules(named: name)?.state(at: second).offset
        }
        let zones = TimeZoneDatabase()
        XCTAssertEqual(
            onThreads { find(zones, &$0) }, alone { find(TimeZoneDatabase(), &$0) },
            "seed \(Self.seed)")
    }
}
