import Glibc
import Synchronization

/// The system's zone files, read on demand and cached.
///
/// Foundation's zones are GMT in a statically linked program, and glibc has one zone for a
/// whole process; so the files are read here.
package final class TimeZoneDatabase: Sendable {
    package let folder: String
    private let known = Mutex<[String: TimeZoneRules?]>([:])
    private let described = Mutex<[[UInt8]: TimeZoneRules?]>([:])
    private let list = Mutex<TimeZoneNames?>(nil)
    /// Maximum number of cached names and descriptions, since they come from untrusted files.
    private static let keptLimit = 1000
    private static let keptDescriptions = 100
    private static let keptDescriptionSize = 1 << 16

    package init(folder: String = "/usr/share/zoneinfo") { self.folder = folder }

    /// Whether no zone database is installed at all.
    package var isMissing: Bool { access(folder, F_OK) != 0 }

    /// The rules of a name such as `Europe/Berlin`; nil if the system has no file of that
    /// name.
    package func rules(named name: String) -> TimeZoneRules? {
        if name == "UTC" || name == "Etc/UTC" { return .utc }
        // Look it up first: lists of thousands of files ask for the same name.
        if let found = known.withLock({ $0[name] }) { return found }
        guard Self.isName(name) else { return nil }
        let rules = Self.read(folder + "/" + name).flatMap { bytes in
            // An invalid zone file counts as missing.
            try? TimeZoneRules(name: name, file: bytes)
        }
        known.withLock { if $0.count < Self.keptLimit { $0[name] = .some(rules) } }
        return rules
    }

    /// The rules of a name in any case, or of an old name without a file (Debian has those in a
    /// separate package). The rules have the name that was found.
    package func rules(matching name: String) -> TimeZoneRules? {
        if let rules = rules(named: name) { return rules }
        guard Self.isName(name), let entry = names[name] else { return nil }
        return rules(named: entry.name) ?? entry.target.flatMap(rules(named:))
    }

    /// The rules of a description such as a VTIMEZONE, which `read` parses only once for the many
    /// files that contain it.
    package func rules(
        describedBy description: [UInt8], _ read: () -> TimeZoneRules?
    ) -> TimeZoneRules? {
        if let found = described.withLock({ $0[description] }) { return found }
        let rules = read()
        guard description.count <= Self.keptDescriptionSize else { return rules }
        described.withLock {
            if $0.count < Self.keptDescriptions { $0[description] = .some(rules) }
        }
        return rules
    }

    /// The names that end in the city: `New York`, `new_york`.
    package func names(ofCity city: String) -> [String] { names.names(ofCity: city) }

    /// Loaded for the first name that has no file.
    private var names: TimeZoneNames {
        list.withLock { list in
            if let list { return list }
            let read = TimeZoneNames(list: Self.read(folder + "/tzdata.zi") ?? [])
            list = read
            return read
        }
    }

    /// Letters, digits and `/_+-`: without a dot no name leads out of the folder. `posix/…`
    /// and `right/…` repeat the same zones, the latter on clocks that count leap seconds,
    /// and the others are not places.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 64
            && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy { byte in
                        byte.isASCIILetterOrDigit || byte == 0x5F || byte == 0x2B || byte == 0x2D
                    }
            }
            && !name.hasPrefix("right/") && !name.hasPrefix("posix/")
            && !["localtime", "posixrules", "Factory"].contains(name)
    }

    /// Maximum bytes: zone files have a few kilobytes, the list of names a hundred.
    private static let sizeLimit = 1 << 20

    /// Nil unless it is a regular file of a plausible size.
    static func read(_ path: String) -> [UInt8]? {
        // An unreadable file counts as missing.
        try? WholeFile.read(path, limit: sizeLimit)
    }
}

/// The names in the zone database, to find a name that is written differently: in another case, by
/// its city alone, or an old name whose file is not installed.
///
/// Read from the database's own list (`tzdata.zi`, which Debian installs with the files): its lines
/// `Z name …` and `L target name`. Pure.
struct TimeZoneNames: Sendable {
    struct Entry: Sendable, Hashable {
        var name: String
        /// The current name for an old one.
        var target: String?
    }

    /// The entries by name in lower case.
    private var entries: [String: Entry] = [:]
    /// Names by their last component in lower case.
    private var cities: [String: [String]] = [:]

    init(list: [UInt8]) {
        for line in list.split(separator: 0x0A) {
            // Most lines are rules, which are not needed here.
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
        // Factory is the zone of a machine before one is set.
        guard entry.name != "Factory" else { return }
        let key = entry.name.lowercased()
        entries[key] = entry
        guard let slash = key.lastIndex(of: "/") else { return }
        cities[String(key[key.index(after: slash)...]), default: []].append(entry.name)
    }

    subscript(name: String) -> Entry? { entries[name.lowercased()] }

    /// The names that end in the city, written with spaces or with `_`, in any case.
    func names(ofCity city: String) -> [String] {
        cities[String(city.lowercased().map { $0 == " " ? "_" : $0 })] ?? []
    }
}
