/// The short names of time zones and the cities people say times of.
enum ZoneNames {
    /// An abbreviation stands for the place, whose clocks the date decides on:
    /// "3pm EST" in July is what New York shows.
    static func zone(of abbreviation: String) -> String? { abbreviations[abbreviation] }

    static func zone(ofCity words: ArraySlice<String>) -> (name: String, count: Int)? {
        for count in [3, 2, 1] where words.count >= count {
            if let name = cities[words.prefix(count).joined(separator: " ")] {
                return (name, count)
            }
        }
        return nil
    }

    private static let abbreviations: [String: String] = [
        "utc": "UTC", "gmt": "UTC", "z": "UTC", "zulu": "UTC",
        "est": "America/New_York", "edt": "America/New_York", "et": "America/New_York",
        "cst": "America/Chicago", "cdt": "America/Chicago", "ct": "America/Chicago",
        "mst": "America/Denver", "mdt": "America/Denver", "mt": "America/Denver",
        "pst": "America/Los_Angeles", "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles",
        "akst": "America/Anchorage", "hst": "Pacific/Honolulu", "ast": "America/Halifax",
        "brt": "America/Sao_Paulo", "bst": "Europe/London", "wet": "Europe/Lisbon",
        "cet": "Europe/Berlin", "cest": "Europe/Berlin", "mez": "Europe/Berlin",
        "mesz": "Europe/Berlin", "eet": "Europe/Helsinki", "eest": "Europe/Helsinki",
        "msk": "Europe/Moscow", "ist": "Asia/Kolkata", "gst": "Asia/Dubai", "pkt": "Asia/Karachi",
        "ict": "Asia/Bangkok", "sgt": "Asia/Singapore", "hkt": "Asia/Hong_Kong",
        "jst": "Asia/Tokyo", "kst": "Asia/Seoul", "awst": "Australia/Perth",
        "acst": "Australia/Darwin", "aest": "Australia/Sydney", "aedt": "Australia/Sydney",
        "nzst": "Pacific/Auckland", "nzdt": "Pacific/Auckland", "sast": "Africa/Johannesburg",
        "wat": "Africa/Lagos", "eat": "Africa/Nairobi", "trt": "Europe/Istanbul",
    ]

    private static let cities: [String: String] = [
        "london": "Europe/London", "uk": "Europe/London", "british": "Europe/London",
        "dublin": "Europe/Dublin", "irish": "Europe/Dublin", "lisbon": "Europe/Lisbon",
        "lissabon": "Europe/Lisbon", "paris": "Europe/Paris", "madrid": "Europe/Madrid",
        "rome": "Europe/Rome", "rom": "Europe/Rome", "berlin": "Europe/Berlin",
        "german": "Europe/Berlin", "vienna": "Europe/Vienna", "wien": "Europe/Vienna",
        "zurich": "Europe/Zurich", "zürich": "Europe/Zurich", "amsterdam": "Europe/Amsterdam",
        "brussels": "Europe/Brussels", "oslo": "Europe/Oslo", "stockholm": "Europe/Stockholm",
        "copenhagen": "Europe/Copenhagen", "helsinki": "Europe/Helsinki",
        "warsaw": "Europe/Warsaw", "prague": "Europe/Prague", "budapest": "Europe/Budapest",
        "athens": "Europe/Athens", "istanbul": "Europe/Istanbul", "kyiv": "Europe/Kyiv",
        "moscow": "Europe/Moscow", "moskau": "Europe/Moscow",
        "central european": "Europe/Berlin", "eastern": "America/New_York",
        "central": "America/Chicago", "mountain": "America/Denver",
        "pacific": "America/Los_Angeles", "new york": "America/New_York",
        "ny": "America/New_York", "nyc": "America/New_York", "boston": "America/New_York",
        "toronto": "America/Toronto", "miami": "America/New_York",
        "washington": "America/New_York", "chicago": "America/Chicago",
        "houston": "America/Chicago", "dallas": "America/Chicago", "denver": "America/Denver",
        "los angeles": "America/Los_Angeles", "la": "America/Los_Angeles",
        "san francisco": "America/Los_Angeles", "sf": "America/Los_Angeles",
        "california": "America/Los_Angeles", "seattle": "America/Los_Angeles",
        "vancouver": "America/Vancouver", "mexico city": "America/Mexico_City",
        "sao paulo": "America/Sao_Paulo", "são paulo": "America/Sao_Paulo",
        "buenos aires": "America/Argentina/Buenos_Aires", "dubai": "Asia/Dubai",
        "delhi": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "india": "Asia/Kolkata",
        "indian": "Asia/Kolkata", "bangalore": "Asia/Kolkata", "bangkok": "Asia/Bangkok",
        "singapore": "Asia/Singapore", "hong kong": "Asia/Hong_Kong",
        "hongkong": "Asia/Hong_Kong", "beijing": "Asia/Shanghai", "peking": "Asia/Shanghai",
        "shanghai": "Asia/Shanghai", "taipei": "Asia/Taipei", "seoul": "Asia/Seoul",
        "tokyo": "Asia/Tokyo", "tokio": "Asia/Tokyo", "japan": "Asia/Tokyo",
        "sydney": "Australia/Sydney", "melbourne": "Australia/Melbourne",
        "perth": "Australia/Perth", "brisbane": "Australia/Brisbane",
        "auckland": "Pacific/Auckland", "honolulu": "Pacific/Honolulu",
        "hawaii": "Pacific/Honolulu",
        "cairo": "Africa/Cairo", "nairobi": "Africa/Nairobi", "lagos": "Africa/Lagos",
        "johannesburg": "Africa/Johannesburg", "cape town": "Africa/Johannesburg",
        "jerusalem": "Asia/Jerusalem", "tel aviv": "Asia/Jerusalem", "israel": "Asia/Jerusalem",
    ]
}
