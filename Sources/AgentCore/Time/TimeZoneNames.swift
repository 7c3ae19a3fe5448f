/// The names of the zone database, for finding one that is not spelled exactly
/// as its file: in another case, by its city alone, or an old name whose file
/// is not installed.
///
/// Made of the database's own list (`tzdata.zi`, which Debian installs with the
/// files): its lines `Z name …` and `L target name`. Pure.
struct TimeZoneNames: Sendable {
    struct Entry: Sendable, Hashable {
        var name: String
        /// What an old name stands for now.
        var target: String?
    }

    /// By name in lower case.
    private var entries: [String: Entry] = [:]
    /// Names by their last part in lower case.
    private var cities: [String: [String]] = [:]

    init(list: [UInt8]) {
        for line in list.split(separator: 0x0A) {
            // Most lines are rules, and of no interest here.
            guard let first = line.first, first == UInt8(ascii: "Z") || first == UInt8(ascii: "L")
            else { continue }
            let words = line.split(separator: 0x20, maxSplits: 3).map {
                String(decoding: $0, as: UTF8.self)
            }
            switch (words.first, words.count) {
            case ("Z", 3...): add(Entry(name: words[1]))
            case ("L", 3): add(Entry(name: words[2], target: words[1]))
            default: break
            }
        }
    }

    private mutating func add(_ entry: Entry) {
        // Factory is what a machine has before it is told where it is.
        guard entry.name != "Factory" else { return }
        let key = entry.name.lowercased()
        entries[key] = entry
        guard let slash = key.lastIndex(of: "/") else { return }
        cities[String(key[key.index(after: slash)...]), default: []].append(entry.name)
    }

    subscript(name: String) -> Entry? { entries[name.lowercased()] }

    /// The names whose last part is that city, written with spaces or with
    /// `_`, in any case.
    func names(ofCity city: String) -> [String] {
        cities[String(city.lowercased().map { $0 == " " ? "_" : $0 })] ?? []
    }
}
