/// Parses the list an item belongs on: "@home", "on my shopping list", "in the list house",
/// "to my calendar".
extension PhraseGrammar {
    mutating func readList() {
        // "shopping list: milk, eggs"
        if isOne(0, of: .listHeadings), isSign(1, ":") { take(.list(original(0, 1)), 0..<2) }
        let first = isOne(0, of: .listOwners) ? 1 : 0
        if let list = namedList(first), isSign(list.end, ":") {
            take(list.value, 0..<list.end + 1)
        }
        for index in tokens.indices where !taken[index] {
            if let list = signedList(index) {
                take(.list(list.value), index..<list.end)
            } else if let place = place(index) {
                let start = isWord(index - 1, "down", "mit") && isPuttingPhrase ? index - 1 : index
                // "trag in den Kalender ein: …"
                let isSplit =
                    isWord(place.end, "ein", "hinzu") || isOne(place.end, of: .puttingVerbs)
                let end = isSplit && !taken[place.end] ? place.end + 1 : place.end
                take(place.value, start..<end)
                takePutting()
            }
        }
    }

    /// "@home", "/errands"
    private func signedList(_ index: Int) -> Match<String>? {
        guard isSign(index, "@") || index > 0 && isSign(index, "/"), !isGlued(index) || index == 0,
            let name = token(index + 1), name.isGlued, name.kind == .word, name.lexeme.part == nil,
            !has(index + 1, .at)
        else { return nil }
        let end = nameEnd(index + 2, joints: ["-", "_"])
        return isSign(index, "/") && isSign(end, "/") ? nil : (original(index + 1, end), end)
    }

    /// "to my calendar", "on the shopping list", "auf meine Einkaufsliste"
    private func place(_ index: Int) -> Match<Piece.Value>? {
        guard isOne(index, of: .listMarkers), token(index + 1) != nil else { return nil }
        let hasOwner = isOne(index + 1, of: .listOwners)
        let start = hasOwner ? index + 2 : index + 1
        let isVerbNext = isOne(start + 1, of: .puttingVerbs)
        if isWord(start, "calendar", "kalender", "schedule", "agenda", "diary", "planner"),
            endsPlace(start + 1) || isVerbNext || isWord(start + 1, "hinzu", "ein")
        {
            // "bitte in den Kalender": the accusative says that the item goes there.
            let isInto = isWord(index, "in") && isWord(index + 1, "den", "meinen", "unseren")
            return (
                .lead(isInto || isPuttingPhrase || isVerbNext ? .event : .weakEvent), start + 1
            )
        }
        guard
            hasOwner || isWord(index, "zur")
                || isPuttingPhrase && !has(start, .article) && !isWord(start, "eine", "einer")
        else { return nil }
        // "to-do list", "todo list", "my reminders"
        let isPlain = endsPlace(start + 1) && isOne(start, of: .taskLists)
        if let end = isPlain ? start + 1 : Self.taskList.end(in: words, from: start) {
            return (.lead(!isPuttingPhrase ? .weakTask : .reminder), end)
        }
        return namedList(start)
    }

    /// "to my calendar next thursday"
    private func endsPlace(_ index: Int) -> Bool {
        isEdge(index)
            || isWord(
                index, "next", "this", "nächste", "nächsten", "nächster", "kommenden", "diesen")
    }

    private static let taskList = WordPattern(
        "to|todo|task|reminder|reminders|tasks -? do? list|lists|liste")

    private func namedList(_ start: Int) -> Match<Piece.Value>? {
        // "in the list house"
        if isWord(start, "list", "liste"),
            isWord(start - 2, "in", "on", "auf") || token(start + 1)?.kind == .quoted
                || isWord(start + 1, "called", "named", "namens")
        {
            let name = isWord(start + 1, "called", "named", "namens") ? start + 2 : start + 1
            guard let word = token(name), word.kind == .word || word.kind == .quoted,
                !word.has(.function), !word.has(.of), !word.lexeme.isTemporal,
                !Lexicon.isTechnical(word.text)
            else { return nil }
            return (.list(original(name, name + 1).filter { $0 != "\"" }), name + 1)
        }
        var end = start
        while end < tokens.count, end - start < 3, !isWord(end, "list", "liste"),
            tokens[end].kind == .word || tokens[end].kind == .sign && tokens[end].text == "-"
        { end += 1 }
        let last = isSign(end - 1, "-") ? end - 1 : end
        if isWord(end, "list", "liste"), last > start, !isWord(start, "to", "guest") {
            return (.list(original(start, last)), end + 1)
        }
        guard let compound = token(start), compound.text.hasSuffix("liste"),
            compound.text.utf8.count > 6
        else { return nil }
        return (.list(original(start, start + 1)), start + 1)
    }

    /// The verb that puts an item on a list, if the phrase begins with it.
    private func isPutting() -> Int? {
        // "add get a key cut to my reminders" has only the verb of the task.
        if taken.first == true, Lexicon.has(.puttingVerbs, words[0]) { return nil }
        return tokens.indices.first { !taken[$0] }.flatMap { first in
            Lexicon.has(.puttingVerbs, words[first]) ? first : nil
        }
    }

    private var isPuttingPhrase: Bool {
        isPutting() != nil || Lexicon.has(.puttingVerbs, words.first ?? "")
    }

    mutating func takePutting() {
        guard let first = isPutting() else { return }
        // "trag … ein", "füge … hinzu"
        if let last = tokens.indices.last(where: { tokens[$0].kind != .sign }),
            isWord(last, "ein", "hinzu"), !taken[last]
        {
            take(.noise, last..<(last + 1))
        }
        var end = first + 1
        while isWord(end, "bitte", "please", "mal", "doch", "noch", "mir", "uns", "down") {
            end += 1
        }
        take(.lead(.weakTask), first..<end)
    }
}
