import AgentCore

/// Whether a text may hold a date, a time or a repetition, in words or in
/// digits. It errs on the side of yes: a reminder stored without the date its
/// words had is worse than one that is asked about.
///
/// It reads nothing: which date is meant is not its business.
package enum DateWords {
    /// The first word that may belong to a date; nil when surely none does.
    package static func first(in text: String) -> String? {
        let words = self.words(text)
        for (index, word) in words.enumerated() {
            let next = index + 1 < words.count ? words[index + 1] : nil
            if isDateWord(word) || (leadsToNumber.contains(word) && next.map(isSmallNumber) == true)
            {
                return word
            }
        }
        return nil
    }

    /// Lower-case words with their inner apostrophes, hyphens and digits; the
    /// possessive is cut off.
    package static func words(_ text: String) -> [String] {
        var words: [String] = []
        for part in text.lowercased().split(whereSeparator: \.isWhitespace) {
            var word = String(part.map { $0 == "’" ? "'" : $0 })
            if word.hasSuffix("'s") { word.removeLast(2) }
            for piece in word.split(whereSeparator: { ",;!?()[]\"“”…".contains($0) }) {
                var piece = String(piece)
                while let last = piece.last, ".:'".contains(last) { piece.removeLast() }
                while let first = piece.first, "'".contains(first) { piece.removeFirst() }
                if piece.hasSuffix("'s") { piece.removeLast(2) }
                if !piece.isEmpty { words.append(piece) }
            }
        }
        return words
    }

    private static func isDateWord(_ word: String) -> Bool {
        // Any digit may be an hour, a day or a count of something.
        if word.contains(where: \.isNumber) { return true }
        if known.contains(word) { return true }
        if word.contains("-") || word.contains("/") {
            if word.split(whereSeparator: { $0 == "-" || $0 == "/" })
                .contains(where: { isDateWord(String($0)) })
            {
                return true
            }
        }
        return isMistyped(word)
    }

    private static func isSmallNumber(_ word: String) -> Bool { word == "one" }

    private static let leadsToNumber: Set<String> = [
        "at", "by", "on", "around", "about", "before", "past", "to", "in",
    ]

    /// Long words are matched with typing errors: two from seven letters on,
    /// one from five on.
    private static func isMistyped(_ word: String) -> Bool {
        let letters = Array(word.unicodeScalars)
        guard letters.count >= 5, letters.count <= 12 else { return false }
        return mistyped.contains { candidate in
            let allowed = candidate.count >= 7 ? 2 : 1
            return abs(candidate.count - letters.count) <= allowed
                && EditDistance.between(letters, candidate) <= allowed
        }
    }

    private static let mistyped: [[Unicode.Scalar]] = [
        "tomorrow", "tonight", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday", "january", "february", "august", "september", "october", "november", "december",
        "morning", "afternoon", "evening", "weekend", "minutes", "midnight",
    ].map { Array($0.unicodeScalars) }

    private static let known: Set<String> = Set(
        """
        today tonight tonite tomorrow tmrw tmr tmw tmo tomoz tom 2moro yesterday overmorrow
        mon tue tues wed weds thu thur thurs fri sat sun
        monday tuesday wednesday thursday friday saturday sunday
        mondays tuesdays wednesdays thursdays fridays saturdays sundays
        jan feb mar apr may jun jul aug sep sept oct nov dec
        january february march april june july august september october november december
        now immediately asap later soon sometime eventually someday early earlier late
        before after until till til since during while when whenever once twice thrice if unless
        by due deadline next last this coming following upcoming
        every each daily weekly monthly yearly annual annually hourly nightly quarterly
        biweekly bimonthly fortnight fortnightly always often sometimes regularly repeat repeating
        recurring again
        sec secs second seconds min mins minute minutes hr hrs hour hours day days night nights
        week weeks weekend weekends weekday weekdays workday workdays month months year years
        decade quarter half moment while bit
        morning mornings afternoon afternoons evening evenings noon midday midnight dawn dusk
        sunrise sunset breakfast brunch lunch lunchtime dinner dinnertime supper bedtime
        am pm a.m p.m a.m. p.m. oclock o'clock eod eow eom cob utc gmt cet cest est edt cst pst pdt
        ago hence past around
        christmas xmas easter halloween thanksgiving hanukkah ramadan eid diwali birthday
        anniversary holiday holidays vacation payday
        two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty
        fifty couple few several dozen
        first third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
        fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth
        start end beginning middle begin ends starting ending
        morgen heute übermorgen mañana manana hoy demain aujourd'hui domani oggi amanhã amanha
        hoje jutro imorgen imorgon idag dzisiaj завтра сегодня
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
