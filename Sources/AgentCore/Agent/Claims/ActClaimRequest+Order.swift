import Base

/// Reads whether a message orders an act that changes something, such as an entry or a message:
/// "book …", "can you book …", "Termin absagen".
extension ActClaimRequest {
    static func isOrder(_ message: String, _ words: ActClaimWords) -> Bool {
        let namesFile = namesFile(message)
        return sentences(message).flatMap(\.parts).contains { part in
            part.split { ["and", "und", "then", "dann"].contains($0) }.contains { part in
                isOrder(part, words) || namesFile && words.has(part.first ?? "", in: .write)
            }
        }
    }

    /// Whether it names a file: "notes.md".
    static func namesFile(_ message: String) -> Bool {
        message.split(whereSeparator: \.isWhitespace).contains { word in
            let parts = word.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[0].isEmpty && (1...4).contains(parts[1].count)
                && parts[1].allSatisfy(\.isLetter)
        }
    }

    private static func isOrder(_ part: ArraySlice<String>, _ words: ActClaimWords) -> Bool {
        let leads = part.prefix {
            words.has($0, in: .orderLeads) || words.has($0, in: .askedToDo)
        }
        let all = Array(part.dropFirst(leads.count))
        guard let first = all.first, let last = all.last else { return false }
        let next = all.count > 1 ? all[1] : ""
        let third = all.count > 2 ? all[2] : ""
        let isToUs = ["me", "us", "mir", "uns", "dir"].contains(next)
        // "Call me Bo", "send me an example", "turn this into a table", "remind me how it works".
        if isToUs && ["call", "send", "schick"].contains(first) || words.has(first, in: .lookUp)
            || isToUs && words.has(first, in: .lookUpFor) || all.contains("into")
            || ["what", "how", "who", "why", "was", "wie", "wer"].contains(third)
        {
            return false
        }
        if orders(first, words) {
            return !words.has(next, in: .be) && (!next.hasSuffix("ing") || next.hasSuffix("thing"))
        }
        if all.count < 2 || words.has(first, in: .me) { return false }
        // "Termin absagen", "Milch drauf", "mach das Licht aus", "lass den Wagen waschen".
        return words.has(last, in: .orderEnds) && !isToUs
            || last.hasSuffix("n") && words.stems(of: last).contains { orders($0, words) }
            || first == "let" && all.contains("know") || first == "lass" && !isToUs
            // "Need it moved", "make the alarm weekly".
            || ["need", "brauche"].contains(first) && words.verb(last) != nil
            || !words.isSmall(first) && !words.has(first, in: .write) && words.verb(next) == nil
                && all.contains { words.namesPlan($0) || ActClaimText.isItem($0) }
    }

    /// Whether it is the verb of an order, with any German ending.
    private static func orders(_ word: String, _ words: ActClaimWords) -> Bool {
        ["", "e", "en", "n"].contains {
            word.hasSuffix($0) && words.has(String(word.dropLast($0.count)), in: .orders)
        }
    }
}
