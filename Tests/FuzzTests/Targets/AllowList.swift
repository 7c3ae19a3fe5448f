@testable import TerminalKit

extension FuzzTarget {
    /// What passed is text, passes again unchanged, and does not depend on where it was cut.
    static let allowList = FuzzTarget("allow-list") { bytes in
        for isForPipe in [false, true] {
            let text = String(decoding: bytes, as: UTF8.self)
            let passed = HostileText.text(text, isForPipe: isForPipe)
            try demand(
                passed.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A || $0 == 0x09 },
                "a control character passed")
            try demand(HostileText.text(passed, isForPipe: isForPipe) == passed, "changed again")
            var (filter, pieces) = (HostileText(isForPipe: isForPipe), [UInt8]())
            for scalar in text.unicodeScalars { pieces += filter.pass(String(scalar)) }
            try demand(pieces + filter.finish() == Array(passed.utf8), "depends on the cut")
        }
    }
}
