@testable import Base

extension FuzzTarget {
    /// What is read is written so that it is read as the same.
    static let json = FuzzTarget("json") { bytes in
        guard let value = try? JSONParser.parse(bytes) else { return }
        for written in [JSONWriter.bytes(value), Array(JSONWriter.pretty(value).utf8)] {
            try demand((try? JSONParser.parse(written)) == value, "another value when read again")
        }
    }
}
