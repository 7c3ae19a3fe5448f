import Base
import FoundationEssentials

@testable import DateLanguage

extension FuzzTarget {
    /// A phrase in English and German.
    static let dates = FuzzTarget("dates") { bytes in
        let phrase = String(decoding: bytes.prefix(400), as: UTF8.self)
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        for locale in [DateLocale.british, .american, .german] {
            let parser = DateParser(
                DateContext(
                    now: now, local: here, zones: TimeZoneDatabase(), locale: locale))
            _ = parser.parse(phrase)
        }
    }
}
