import Base
import Foundation
import XCTest

@testable import DateLanguage

/// A file of phrases with what they say, and the clock they are said at.
///
/// The format is described beside the files (Fixtures/dates/README.md).
struct PhraseSet {
    struct Phrase {
        var section: String
        var text: String
        var starts: [String]
        var rules: [String]
        var titles: [String]
        /// Accepted hours of the day of the first start.
        var hours: ClosedRange<Int>?
        /// `end`, `kind`, `alarm`, `priority`, `tags`, `list`.
        var extras: [String: String]
    }

    var name: String
    var now = "2026-03-04T10:15"
    var zone = "Europe/Berlin"
    var locale = "en_GB"
    var phrases: [Phrase] = []

    static let names = [
        "phrases-dev", "heldout", "american", "german-dev", "german-heldout",
    ]

    static func named(_ name: String) throws -> PhraseSet {
        let folder = try XCTUnwrap(Bundle.module.resourceURL).appending(path: "Fixtures/dates")
        return try PhraseSet(path: folder.appending(path: name + ".tsv").path, name: name)
    }

    init(path: String, name: String) throws {
        self.init(try String(contentsOfFile: path, encoding: .utf8), name: name)
    }

    init(_ text: String, name: String) {
        self.name = name
        var section = "all"
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                let pair = line.dropFirst(2).split(separator: ":", maxSplits: 1)
                let value = pair.last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
                switch pair.first {
                case "section": section = value
                case "now": now = value
                case "zone": zone = value
                case "locale": locale = value
                default: break
                }
                continue
            }
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(
                String.init)
            guard columns.count >= 4, columns[0] != "phrase" else { continue }
            phrases.append(Phrase(columns, section: section))
        }
    }

    func context() throws -> DateContext {
        let zones = TimeZoneDatabase()
        let local = LocalTime(try XCTUnwrap(zones.rules(named: zone), zone))
        let clock = try XCTUnwrap(Self.clock(now), now)
        return DateContext(
            now: local.instant(of: clock), local: local, zones: zones,
            locale: DateLocale(named: locale))
    }

    /// `2026-03-04` or `2026-03-04T10:15`.
    static func moment(_ text: String) -> ParsedPhrase.Moment? {
        let parts = text.split(separator: "T").map { piece in
            piece.split { $0 == "-" || $0 == ":" }.compactMap { Int($0) }
        }
        guard let day = parts.first, day.count == 3,
            let date = CivilDate(year: day[0], month: day[1], day: day[2])
        else { return nil }
        guard parts.count == 2 else { return .date(date) }
        guard parts[1].count >= 2 else { return nil }
        return CivilDateTime(date, hour: parts[1][0], minute: parts[1][1]).map { .time($0) }
    }

    static func clock(_ text: String) -> CivilDateTime? {
        guard case .time(let clock) = moment(text) else { return nil }
        return clock
    }
}

extension PhraseSet.Phrase {
    fileprivate init(_ columns: [String], section: String) {
        self.section = section
        text = columns[0]
        starts = [columns[1]]
        rules = [columns[2]]
        titles = [columns[3]]
        extras = [:]
        for note in (columns.count > 4 ? columns[4] : "").components(separatedBy: "; ") {
            // A title has spaces; several of the other notes may share a piece.
            let words =
                note.hasPrefix("alttitle:")
                ? [note] : note.split(separator: " ").map(String.init)
            for word in words { read(word) }
        }
    }

    private mutating func read(_ note: String) {
        let pair = note.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return }
        let value = String(pair[1])
        let choices = value.split(separator: "|", omittingEmptySubsequences: false)
            .map(String.init)
        switch pair[0] {
        case "alt": starts += choices
        case "altr": rules += choices
        case "alttitle": titles += choices
        case "fuzzy":
            let bounds = value.split(separator: "-").compactMap { Int($0) }
            if bounds.count == 2, bounds[0] <= bounds[1] { hours = bounds[0]...bounds[1] }
        case "end", "kind", "alarm", "priority", "tags", "list": extras[String(pair[0])] = value
        default: break
        }
    }
}
