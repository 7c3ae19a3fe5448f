/// The short names of time zones and the cities people say times of.
enum ZoneNames {
    /// An abbreviation stands for the place, whose clocks the date decides on:
    /// "3pm EST" in July is what New York shows.
    static let abbreviations = table(
        """
        UTC: utc|gmt|z|zulu; America/New_York: est|edt|et; America/Chicago: cst|cdt|ct
        America/Denver: mst|mdt|mt; America/Los_Angeles: pst|pdt|pt; America/Anchorage: akst
        Pacific/Honolulu: hst; America/Halifax: ast; America/Sao_Paulo: brt; Europe/London: bst
        Europe/Lisbon: wet; Europe/Berlin: cet|cest|mez|mesz; Europe/Helsinki: eet|eest
        Europe/Moscow: msk; Asia/Kolkata: ist; Asia/Dubai: gst; Asia/Karachi: pkt
        Asia/Bangkok: ict; Asia/Singapore: sgt; Asia/Hong_Kong: hkt; Asia/Tokyo: jst
        Asia/Seoul: kst; Australia/Perth: awst; Australia/Darwin: acst; Australia/Sydney: aest|aedt
        Pacific/Auckland: nzst|nzdt; Africa/Johannesburg: sast; Africa/Lagos: wat
        Africa/Nairobi: eat; Europe/Istanbul: trt
        """)

    static let cities = table(
        """
        Europe/London: london|uk|british; Europe/Dublin: dublin|irish
        Europe/Lisbon: lisbon|lissabon; Europe/Paris: paris; Europe/Madrid: madrid
        Europe/Rome: rome|rom; Europe/Berlin: berlin|german|central european
        Europe/Vienna: vienna|wien; Europe/Zurich: zurich|zürich; Europe/Amsterdam: amsterdam
        Europe/Brussels: brussels; Europe/Oslo: oslo; Europe/Stockholm: stockholm
        Europe/Copenhagen: copenhagen; Europe/Helsinki: helsinki; Europe/Warsaw: warsaw
        Europe/Prague: prague; Europe/Budapest: budapest; Europe/Athens: athens
        Europe/Istanbul: istanbul; Europe/Kyiv: kyiv; Europe/Moscow: moscow|moskau
        America/New_York: eastern|new york|ny|nyc|boston|miami|washington
        America/Chicago: central|chicago|houston|dallas; America/Denver: mountain|denver
        America/Los_Angeles: pacific|los angeles|la|san francisco|sf|california|seattle
        America/Toronto: toronto; America/Vancouver: vancouver; America/Mexico_City: mexico city
        America/Sao_Paulo: sao paulo|são paulo; America/Argentina/Buenos_Aires: buenos aires
        Asia/Dubai: dubai; Asia/Kolkata: delhi|mumbai|india|indian|bangalore; Asia/Bangkok: bangkok
        Asia/Singapore: singapore; Asia/Hong_Kong: hong kong|hongkong
        Asia/Shanghai: beijing|peking|shanghai; Asia/Taipei: taipei; Asia/Seoul: seoul
        Asia/Tokyo: tokyo|tokio|japan; Australia/Sydney: sydney; Australia/Melbourne: melbourne
        Australia/Perth: perth; Australia/Brisbane: brisbane; Pacific/Auckland: auckland
        Pacific/Honolulu: honolulu|hawaii; Africa/Cairo: cairo; Africa/Nairobi: nairobi
        Africa/Lagos: lagos; Africa/Johannesburg: johannesburg|cape town
        Asia/Jerusalem: jerusalem|tel aviv|israel
        """)

    /// A zone and a colon, then its names with "|" between.
    private static func table(_ text: String) -> PhraseTable<String> {
        PhraseTable(
            text.split(whereSeparator: { $0 == "\n" || $0 == ";" }).map { row in
                let sides = row.split(separator: ":", maxSplits: 1).map(String.init)
                return (sides[1], WordTable.list(sides[0])[0])
            })
    }
}
