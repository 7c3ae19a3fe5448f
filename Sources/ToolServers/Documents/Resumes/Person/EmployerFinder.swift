import Base

/// Finds the names of employers and schools in the entries of a résumé, for users who want
/// them hidden. Pure.
///
///     Senior Engineer, Acme Corp, Chicago      2019 - Present    →  Acme Corp
///     Network Rail, London                                       →  Network Rail
///     Senior Engineer
///     March 2015 – Present
enum EmployerFinder {
    /// - Parameter lines: the lines of a section about work or education.
    static func names(in lines: [ResumeLine]) -> [String] {
        var found: [String] = []
        func add(_ name: String?) {
            if let name, !found.contains(name) { found.append(name) }
        }
        for (index, line) in lines.enumerated() {
            for segment in segments(line) where isOrganisation(segment) { add(tidy(segment)) }
            guard hasYears(line) else { continue }
            // The entry's own line, or the one above or below, since one of them is the
            // job.
            let near = [index, index - 1, index - 2, index + 1].filter(lines.indices.contains)
            let isKnown = near.prefix(2).contains { place in
                (place == index || !hasYears(lines[place]))
                    && segments(lines[place]).contains(where: isOrganisation)
            }
            if isKnown { continue }
            for place in near {
                let other = lines[place]
                if place != index, other.isBullet || hasYears(other) || other.words.count > 10 {
                    continue
                }
                if let name = segments(other).first(where: isName) {
                    add(tidy(name))
                    break
                }
            }
        }
        return found
    }

    private static func hasYears(_ line: ResumeLine) -> Bool {
        line.words.count <= 16 && line.hasYear
    }

    private static func segments(_ line: ResumeLine) -> [String] {
        guard !line.isBullet, line.words.count <= 16 else { return [] }
        var text = line.text
        for joint in [
            " – ", " — ", " - ", " | ", " · ", " @ ", " at ", " bei ", " chez ", " en ",
            " presso ", ": ", " (", ")", ", ",
        ] {
            text = text.replacing(joint, with: "   ")
        }
        return ResumeLine.cells(text).map { cell in
            // "12/2009 KUKA AG"
            let words = cell.split(separator: " ").drop { !$0.contains(where: \.isLetter) }
            return String(words.joined(separator: " ").trimming { ",;:|-–— ".contains($0) })
        }.filter { !$0.isEmpty }
    }

    private static func tidy(_ name: String) -> String {
        String(name.trimming { ",;:|-–—()\"“”„ ".contains($0) })
    }

    private static func words(_ segment: String) -> [String] {
        segment.split(separator: " ").map { ResumeWords.key($0) }
    }

    /// Whether the segment has capitalised words, one of them typical of companies or
    /// schools.
    private static func isOrganisation(_ segment: String) -> Bool {
        let words = words(segment)
        guard (2...8).contains(words.count), segment.first?.isUppercase == true else {
            return false
        }
        let known = ResumeWords.shared.organisations
        // "Software" occurs in company names, and in "Ingénieur software".
        return words.contains { $0.count > 1 && known.contains($0) } && !JobReader.isRole(segment)
    }

    /// Whether the segment is capitalised, and not a job, degree, date or place.
    private static func isName(_ segment: String) -> Bool {
        let words = segment.split(separator: " ")
        guard (1...6).contains(words.count), let first = words.first?.first,
            first.isUppercase || first.isNumber, segment.contains(where: \.isLetter),
            !hasDate(segment)
        else { return false }
        let known = ResumeWords.shared
        let keys = self.words(segment)
        if JobReader.isRole(segment) { return false }
        if known.postnominals.contains(keys[0]) || degrees.contains(keys[0]) { return false }
        if keys.count == 1, keys[0].count < 2 || first.isNumber { return false }
        if keys.contains("years") || keys.contains("jahre") { return false }
        let whole = ResumeWords.key(segment)
        return known.countries[whole] == nil && known.headings[whole] == nil
            && known.labels[whole] == nil && !AddressShape.isPlace(segment)
    }

    private static func hasDate(_ segment: String) -> Bool {
        segment.split { !$0.isNumber }.contains { $0.count >= 2 }
            || months.contains { ResumeWords.folded(segment).hasPrefix($0) }
            || [
                "present", "heute", "today", "now", "current", "presente", "obecnie", "attuale",
                "oggi", "actualidad", "heden", "nu", "aujourd'hui",
            ].contains(ResumeWords.folded(segment))
    }

    private static let degrees: Set<String> = [
        "master", "bachelor", "diplom", "diploma", "degree", "licence", "mestrado", "licenciatura",
        "grado", "laurea", "magister", "promotion", "abitur", "grade", "gpa", "candpolit", "phd",
        "civilingenjor", "mastere", "doctorate", "doktor", "studium", "msc", "bsc",
    ]

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai",
        "okt", "dez", "janv", "fevr", "avr", "juil", "aout", "ene", "abr", "ago", "dic", "gen",
        "mag", "giu", "lug", "set", "ott", "since", "seit", "depuis", "from",
    ]
}
