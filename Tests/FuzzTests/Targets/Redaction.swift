import Base

@testable import Privacy

extension FuzzTarget {
    /// Restoring gives the text back byte by byte, and the findings are in order and inside of it.
    static let redaction = FuzzTarget("redaction") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let person = PersonalData([
            .init(.name, "Ida Berg"), .init(.email, "ida@example.org"),
            .init(.phone, "+49 30 1234567"), .init(.address, "Lange Str. 3, 10115 Berlin"),
        ])
        for readsProse in [false, true] {
            let redactor = Redactor(person, readsProse: readsProse)
            var end = 0
            for finding in redactor.findings(in: text) {
                try demand(finding.range.lowerBound >= end, "findings that overlap")
                end = finding.range.upperBound
            }
            try demand(end <= text.utf8.count, "beyond the text")
            var map = RedactionMap(avoiding: text)
            // The second text of a conversation uses the same map.
            for _ in 0..<2 {
                let redacted = redactor.redact(text, into: &map)
                try demand(map.restore(redacted).utf8.elementsEqual(text.utf8), "not given back")
            }
        }
    }
}
