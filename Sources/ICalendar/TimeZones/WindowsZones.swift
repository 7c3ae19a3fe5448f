/// The names that Windows, Outlook and Exchange give to time zones, each with
/// the zone of the database that CLDR takes for it where no country is known.
///
/// The table, its date and its licence are in `windows-zones.txt`.
enum WindowsZones {
    /// The zone database's name for one of Windows', in any case.
    static func name(of text: String) -> String? { names[text.lowercased()] }

    /// Of a name that Windows shows to people, `Eastern Time (US & Canada)`,
    /// however its parts are joined: with `,`, `/`, `&` or `and`.
    static func name(ofShown text: String) -> String? { shownNames[key(text)] }

    /// By name in lower case.
    static let names = table.names
    /// By `key`.
    static let shownNames = table.shown

    private static let table: (names: [String: String], shown: [String: String]) = {
        var (names, shown) = (["tzone://microsoft/utc": "UTC"], [String: String]())
        let text = String(decoding: PackageResources.windows_zones_txt, as: UTF8.self)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "|").map(String.init)
            guard parts.count > 1 else { continue }
            names[parts[0].lowercased()] = parts[1]
            for part in parts[2...] { shown[key(part)] = parts[1] }
        }
        return (names, shown)
    }()

    /// The words in lower case. A sign belongs to the number behind it.
    private static func key(_ text: String) -> String {
        text.lowercased().split {
            !$0.isLetter && !$0.isNumber && $0 != "+" && $0 != "-"
        }.filter { $0 != "and" }.joined(separator: " ")
    }
}
