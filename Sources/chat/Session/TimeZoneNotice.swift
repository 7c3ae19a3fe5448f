import Base

/// Reports that times are in UTC because this machine's zone is unknown.
enum TimeZoneNotice {
    /// Nil if the zone is known.
    static func text(_ local: LocalTime) -> String? { local.fallback.map(text) }

    static func text(_ fallback: LocalTime.Fallback) -> String {
        switch fallback {
        case .unknownName(let name):
            "TZ is \"\(name.prefix(40))\", which is not a known time zone; times are in UTC."
        case .unreadable(let path):
            "The time zone is not known (\(path) cannot be read); times are in UTC."
        case .noDatabase(let folder):
            "No time zones are installed (\(folder) is missing); times are in UTC: "
                + (PackageManager.here.line(forOneOf: ["tzdata"]) ?? "tzdata")
        }
    }
}
