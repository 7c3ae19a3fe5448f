/// Parses time zones next to a time: "EST", "UTC+2", "London time", "(JST)",
/// "America/New_York".
extension PhraseGrammar {
    func zonePiece(_ index: Int) -> Piece? {
        let isJoined = followsClock(index) || followsTimedDay(index)
        let start = isJoined ? skip(.into, from: index) : index
        return zone(start, isJoined: isJoined).map {
            Piece(.zone($0.value), index..<$0.end, strength: 2)
        }
    }

    /// Whether a clock time precedes, possibly followed by a day.
    private func followsTimedDay(_ index: Int) -> Bool {
        followsDay(index)
            && found.dropLast().last.map { if case .clock = $0.value { true } else { false } }
                == true
    }

    private func zone(_ index: Int, isJoined: Bool) -> Match<String>? {
        if isGlued(index), isJoined, token(index + 1)?.text.utf8.count == 2, isSign(index + 2, ":")
        {
            return offset(index)
        }
        guard let token = token(index), token.kind == .word else { return nil }
        // A name of the zone database.
        if isSign(index + 1, "/"), isGlued(index + 1), let city = self.token(index + 2),
            city.kind == .word, isGlued(index + 2)
        {
            guard isOne(index, of: .zoneAreas) else { return nil }
            var end = index + 3
            var name = Self.capitalised(token.text) + "/" + Self.capitalised(city.text)
            while isGlued(end), isSign(end, "_") || isSign(end, "/") || isSign(end, "-"),
                let more = self.token(end + 1), more.kind == .word
            {
                name += tokens[end].text + Self.capitalised(more.text)
                end += 2
            }
            return (name, end)
        }
        // "London time", "Pacific time", "Berliner Zeit"
        if let city = city(index) {
            let next =
                isWord(city.end, "standard", "daylight", "summer", "local")
                ? city.end + 1 : city.end
            if has(next, .time) { return (city.value, next + 1) }
            let isArea = isWord(index, "central", "eastern", "pacific", "mountain")
            if isJoined, isArea, isEdge(city.end) { return city }
        }
        guard let name = match(Self.abbreviations, index)?.value, isJoined else { return nil }
        if isGlued(index), token.text != "z" { return nil }
        // Ordinary words: "at noon eat something", "um 9 ist Zahnarzt".
        if ["eat", "wet", "ist"].contains(token.text), !token.isAllCapitals { return nil }
        var end = index + 1
        if name == "UTC", isGlued(end), let zone = offset(end) { return zone }
        if has(end, .time) { end += 1 }
        return (name, end)
    }

    private static let abbreviations = PatternTable("zone abbreviations") { $0 }
    private static let cities = PatternTable("zone cities") { $0 }

    private func city(_ index: Int) -> Match<String>? {
        if let city = match(Self.cities, index) { return city }
        guard var word = token(index), word.text.hasSuffix("er"), has(index + 1, .time) else {
            return nil
        }
        word.text.removeLast(2)
        return Self.cities.match([word.text]).map { ($0.meaning, index + 1) }
    }

    /// "+02:00" after a time of ISO 8601, "+2" after UTC.
    private func offset(_ index: Int) -> Match<String>? {
        guard isSign(index, "+") || isSign(index, "-"), isGlued(index + 1),
            let hour = token(index + 1)?.value, hour < 15
        else { return nil }
        // The Etc names have inverted signs.
        let sign = isSign(index, "+") ? "-" : "+"
        let hasMinutes =
            isSign(index + 2, ":") && isGlued(index + 2) && token(index + 3)?.value == 0
        return (hour == 0 ? "UTC" : "Etc/GMT\(sign)\(hour)", index + (hasMinutes ? 4 : 2))
    }

    private static func capitalised(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }
}
