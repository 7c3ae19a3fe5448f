/// The names that Windows, Outlook and Exchange give to time zones, each with
/// the zone of the database that CLDR takes for it where no country is known
/// (windowsZones.xml, territory 001).
///
/// Old names of the database are replaced by those of today, since not every
/// system has files for them.
enum WindowsZones {
    /// The zone database's name for one of Windows', in any case.
    static func name(of text: String) -> String? { names[text.lowercased()] }

    /// Zones that Windows calls by no city, in the names it shows to people:
    /// `(UTC-05:00) Eastern Time (US & Canada)`.
    static func name(ofShown text: String) -> String? { shownNames[text.lowercased()] }

    /// By name in lower case.
    static let names = read(table)
    static let shownNames = read(shown)

    private static func read(_ table: String) -> [String: String] {
        var names: [String: String] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: "|")
            if parts.count == 2 { names[parts[0].lowercased()] = String(parts[1]) }
        }
        return names
    }

    private static let shown = """
        Alaska|America/Anchorage
        Aleutian Islands|America/Adak
        Anadyr, Petropavlovsk-Kamchatsky|Asia/Kamchatka
        Arizona|America/Phoenix
        Atlantic Time (Canada)|America/Halifax
        Baja California|America/Tijuana
        Bougainville Island|Pacific/Bougainville
        Cabo Verde Is.|Atlantic/Cape_Verde
        Canberra, Melbourne, Sydney|Australia/Sydney
        Cape Verde Is.|Atlantic/Cape_Verde
        Central America|America/Guatemala
        Central Time (US & Canada)|America/Chicago
        Chatham Islands|Pacific/Chatham
        Chetumal|America/Cancun
        Chokurdakh|Asia/Srednekolymsk
        City of Buenos Aires|America/Argentina/Buenos_Aires
        Coordinated Universal Time+12|Etc/GMT-12
        Coordinated Universal Time+13|Etc/GMT-13
        Coordinated Universal Time-02|Etc/GMT+2
        Coordinated Universal Time-08|Etc/GMT+8
        Coordinated Universal Time-09|Etc/GMT+9
        Coordinated Universal Time-11|Etc/GMT+11
        Coordinated Universal Time|UTC
        Easter Island|Pacific/Easter
        Eastern Time (US & Canada)|America/New_York
        Greenland|America/Nuuk
        Haiti|America/Port-au-Prince
        Hawaii|Pacific/Honolulu
        Indiana (East)|America/Indiana/Indianapolis
        International Date Line West|Etc/GMT+12
        Kiritimati Island|Pacific/Kiritimati
        Lord Howe Island|Australia/Lord_Howe
        Marquesas Islands|Pacific/Marquesas
        Mountain Time (US & Canada)|America/Denver
        Newfoundland|America/St_Johns
        Norfolk Island|Pacific/Norfolk
        Nuku'alofa|Pacific/Tongatapu
        Pacific Time (US & Canada); Tijuana|America/Los_Angeles
        Pacific Time (US & Canada)|America/Los_Angeles
        Port Louis|Indian/Mauritius
        Saint Pierre and Miquelon|America/Miquelon
        Salvador|America/Bahia
        Samoa|Pacific/Apia
        Saskatchewan|America/Regina
        Solomon Is., New Caledonia|Pacific/Guadalcanal
        Sri Jayawardenepura|Asia/Colombo
        Turks and Caicos|America/Grand_Turk
        West Central Africa|Africa/Lagos
        Yangon (Rangoon)|Asia/Yangon
        Yukon|America/Whitehorse
        """

    private static let table = """
        tzone://Microsoft/Utc|UTC
        Afghanistan Standard Time|Asia/Kabul
        Alaskan Standard Time|America/Anchorage
        Aleutian Standard Time|America/Adak
        Altai Standard Time|Asia/Barnaul
        Arab Standard Time|Asia/Riyadh
        Arabian Standard Time|Asia/Dubai
        Arabic Standard Time|Asia/Baghdad
        Argentina Standard Time|America/Argentina/Buenos_Aires
        Astrakhan Standard Time|Europe/Astrakhan
        Atlantic Standard Time|America/Halifax
        AUS Central Standard Time|Australia/Darwin
        Aus Central W. Standard Time|Australia/Eucla
        AUS Eastern Standard Time|Australia/Sydney
        Azerbaijan Standard Time|Asia/Baku
        Azores Standard Time|Atlantic/Azores
        Bahia Standard Time|America/Bahia
        Bangladesh Standard Time|Asia/Dhaka
        Belarus Standard Time|Europe/Minsk
        Bougainville Standard Time|Pacific/Bougainville
        Canada Central Standard Time|America/Regina
        Cape Verde Standard Time|Atlantic/Cape_Verde
        Caucasus Standard Time|Asia/Yerevan
        Cen. Australia Standard Time|Australia/Adelaide
        Central America Standard Time|America/Guatemala
        Central Asia Standard Time|Asia/Bishkek
        Central Brazilian Standard Time|America/Cuiaba
        Central Europe Standard Time|Europe/Budapest
        Central European Standard Time|Europe/Warsaw
        Central Pacific Standard Time|Pacific/Guadalcanal
        Central Standard Time|America/Chicago
        Central Standard Time (Mexico)|America/Mexico_City
        Chatham Islands Standard Time|Pacific/Chatham
        China Standard Time|Asia/Shanghai
        Cuba Standard Time|America/Havana
        Dateline Standard Time|Etc/GMT+12
        E. Africa Standard Time|Africa/Nairobi
        E. Australia Standard Time|Australia/Brisbane
        E. Europe Standard Time|Europe/Chisinau
        E. South America Standard Time|America/Sao_Paulo
        Easter Island Standard Time|Pacific/Easter
        Eastern Standard Time|America/New_York
        Eastern Standard Time (Mexico)|America/Cancun
        Egypt Standard Time|Africa/Cairo
        Ekaterinburg Standard Time|Asia/Yekaterinburg
        Fiji Standard Time|Pacific/Fiji
        FLE Standard Time|Europe/Kyiv
        Georgian Standard Time|Asia/Tbilisi
        GMT Standard Time|Europe/London
        Greenland Standard Time|America/Nuuk
        Greenwich Standard Time|Atlantic/Reykjavik
        GTB Standard Time|Europe/Bucharest
        Haiti Standard Time|America/Port-au-Prince
        Hawaiian Standard Time|Pacific/Honolulu
        India Standard Time|Asia/Kolkata
        Iran Standard Time|Asia/Tehran
        Israel Standard Time|Asia/Jerusalem
        Jordan Standard Time|Asia/Amman
        Kaliningrad Standard Time|Europe/Kaliningrad
        Korea Standard Time|Asia/Seoul
        Libya Standard Time|Africa/Tripoli
        Line Islands Standard Time|Pacific/Kiritimati
        Lord Howe Standard Time|Australia/Lord_Howe
        Magadan Standard Time|Asia/Magadan
        Magallanes Standard Time|America/Punta_Arenas
        Marquesas Standard Time|Pacific/Marquesas
        Mauritius Standard Time|Indian/Mauritius
        Middle East Standard Time|Asia/Beirut
        Montevideo Standard Time|America/Montevideo
        Morocco Standard Time|Africa/Casablanca
        Mountain Standard Time|America/Denver
        Mountain Standard Time (Mexico)|America/Chihuahua
        Myanmar Standard Time|Asia/Yangon
        N. Central Asia Standard Time|Asia/Novosibirsk
        Namibia Standard Time|Africa/Windhoek
        Nepal Standard Time|Asia/Kathmandu
        New Zealand Standard Time|Pacific/Auckland
        Newfoundland Standard Time|America/St_Johns
        Norfolk Standard Time|Pacific/Norfolk
        North Asia East Standard Time|Asia/Irkutsk
        North Asia Standard Time|Asia/Krasnoyarsk
        North Korea Standard Time|Asia/Pyongyang
        Omsk Standard Time|Asia/Omsk
        Pacific SA Standard Time|America/Santiago
        Pacific Standard Time|America/Los_Angeles
        Pacific Standard Time (Mexico)|America/Tijuana
        Pakistan Standard Time|Asia/Karachi
        Paraguay Standard Time|America/Asuncion
        Qyzylorda Standard Time|Asia/Qyzylorda
        Romance Standard Time|Europe/Paris
        Russia Time Zone 10|Asia/Srednekolymsk
        Russia Time Zone 11|Asia/Kamchatka
        Russia Time Zone 3|Europe/Samara
        Russian Standard Time|Europe/Moscow
        SA Eastern Standard Time|America/Cayenne
        SA Pacific Standard Time|America/Bogota
        SA Western Standard Time|America/La_Paz
        Saint Pierre Standard Time|America/Miquelon
        Sakhalin Standard Time|Asia/Sakhalin
        Samoa Standard Time|Pacific/Apia
        Sao Tome Standard Time|Africa/Sao_Tome
        Saratov Standard Time|Europe/Saratov
        SE Asia Standard Time|Asia/Bangkok
        Singapore Standard Time|Asia/Singapore
        South Africa Standard Time|Africa/Johannesburg
        South Sudan Standard Time|Africa/Juba
        Sri Lanka Standard Time|Asia/Colombo
        Sudan Standard Time|Africa/Khartoum
        Syria Standard Time|Asia/Damascus
        Taipei Standard Time|Asia/Taipei
        Tasmania Standard Time|Australia/Hobart
        Tocantins Standard Time|America/Araguaina
        Tokyo Standard Time|Asia/Tokyo
        Tomsk Standard Time|Asia/Tomsk
        Tonga Standard Time|Pacific/Tongatapu
        Transbaikal Standard Time|Asia/Chita
        Turkey Standard Time|Europe/Istanbul
        Turks And Caicos Standard Time|America/Grand_Turk
        Ulaanbaatar Standard Time|Asia/Ulaanbaatar
        US Eastern Standard Time|America/Indiana/Indianapolis
        US Mountain Standard Time|America/Phoenix
        UTC|Etc/UTC
        UTC+12|Etc/GMT-12
        UTC+13|Etc/GMT-13
        UTC-02|Etc/GMT+2
        UTC-08|Etc/GMT+8
        UTC-09|Etc/GMT+9
        UTC-11|Etc/GMT+11
        Venezuela Standard Time|America/Caracas
        Vladivostok Standard Time|Asia/Vladivostok
        Volgograd Standard Time|Europe/Volgograd
        W. Australia Standard Time|Australia/Perth
        W. Central Africa Standard Time|Africa/Lagos
        W. Europe Standard Time|Europe/Berlin
        W. Mongolia Standard Time|Asia/Hovd
        West Asia Standard Time|Asia/Tashkent
        West Bank Standard Time|Asia/Hebron
        West Pacific Standard Time|Pacific/Port_Moresby
        Yakutsk Standard Time|Asia/Yakutsk
        Yukon Standard Time|America/Whitehorse
        """
}
