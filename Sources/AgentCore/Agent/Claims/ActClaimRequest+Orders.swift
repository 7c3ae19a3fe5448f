import Base

/// One thing that a message asks us to do.
///
/// Its form shows it: a verb at the beginning ("move the standup"), one after "can you" or
/// "please", in German an infinitive at the end, or a message without a verb ("milk, too").
struct ActClaimOrder {
    /// The kind of tool that can carry it out.
    enum Kind { case any, outward, reminder, keeping }

    var kind = Kind.any
    /// Whether it may also ask for words: "set the scene".
    var isWeak = false
    /// Whether the answer may show what it asks for: "make a list".
    var makes = false
    var words: [String]

    /// A sentence with one of these is no order without a verb.
    private static let full: [ActClaimWords.Section] = [
        .be, .have, .modal, .me, .texts, .write, .salutations, .thanks, .lookUp, .lookUpFor,
    ]

    /// - Parameters:
    ///   - part: the words between two commas or conjunctions.
    ///   - isAlone: whether it is the whole message.
    init?(_ part: [String], isAsked: Bool, isAlone: Bool, words: ActClaimWords) {
        var all = part[...]
        var isPolite = false
        while let word = all.first {
            let asks =
                words.has(word, in: .askedToDo) && ["you", "du"].contains(all.dropFirst().first)
            if !asks, !words.has(word, in: .fillers) { break }
            isPolite = isPolite || asks
            all = all.dropFirst(asks ? 2 : 1)
        }
        self.words = part
        guard let verb = all.first, let last = all.last else {
            // "Yes, please."
            if isAsked || part.count > 2 { return nil }
            isWeak = true
            return
        }
        let rest = all.dropFirst()
        let object = rest.first ?? ""
        let isOfOurs = rest.contains {
            words.isKept($0) || words.has($0, in: .bookable) || words.has($0, in: .places)
        }
        let isMessage =
            (verb == "write" || verb.hasPrefix("schreib"))
            && !all.contains { words.has($0, in: .texts, asCompound: true) }
        let isToUs = ["me", "us", "mir", "mich", "uns"].contains(object)
        let asksForWords =
            words.has(verb, in: .write) && !isMessage || words.has(verb, in: .lookUp)
            || words.has(verb, in: .lookUpFor) && isToUs
        // "Remind me what a pointer is."
        let third = rest.dropFirst().first ?? "am"
        let asksForFacts = isToUs && third != "am" && words.has(third, in: .questions)
        if asksForWords && !isOfOurs || asksForFacts
            || ["mach", "mache", "do"].contains(verb) && all.count < 3
        {
            return nil
        }
        let isInfinitive =
            !rest.isEmpty && last.hasSuffix("n") && words.asks(last, for: .orders)
            && !words.has(last, in: .orders)
        let isVerb =
            words.asks(verb, for: .orders) && (isPolite || !isAsked)
            && !words.has(object, in: .be) && !(rest.count == 1 && object.allSatisfy(\.isNumber))
        if isVerb || isInfinitive || isMessage {
            isWeak = !isInfinitive && !isOfOurs && words.asks(verb, for: .weakOrders)
            let isDefinite =
                rest.prefix(3).contains { words.has($0, in: .definite) } || words.isPrefix(last)
                || rest.isEmpty && !isAlone
            if isWeak, !isDefinite || object.first?.isNumber ?? false { return nil }
        } else {
            isWeak = true
            let isFull = all.contains { word in
                Self.full.contains { words.has(word, in: $0, asCompound: true) }
            }
            if isAsked || !isAlone || isFull || part.count > 11 || words.has(verb, in: .things) {
                return nil
            }
        }
        makes = isWeak || words.asks(verb, for: .making)
        let verbs = isInfinitive ? [verb, last] : [verb]
        func asks(for section: ActClaimWords.Section) -> Bool {
            verbs.contains { words.asks($0, for: section) }
        }
        if isMessage || asks(for: .outwardOrders) || all.contains("bescheid") {
            kind = part.contains { words.has($0, in: .places) } ? .any : .outward
        } else if asks(for: .reminderOrders)
            || part.contains(where: { words.subject($0) == .reminder })
        {
            kind = .reminder
        } else if asks(for: .noting) {
            kind = .keeping
        }
    }
}

extension ActClaimRequest {
    static func orders(in message: String, words: ActClaimWords) -> [ActClaimOrder] {
        // "One more: call the bank", but "What does this mean: …".
        let lead = String(message.prefix { $0 != ":" })
        let isAbout = isQuestion(ActClaimText.words(lead), words)
        let all = sentences(isAbout ? lead : message, words)
        var orders: [ActClaimOrder] = []
        for sentence in all {
            for part in sentence.parts {
                for piece in part.split(whereSeparator: {
                    ["and", "und", "then", "dann"].contains($0)
                })
                .map(Array.init) {
                    let isQuestion = isQuestion(piece, words)
                    // "How do I add one and delete it?"
                    if isQuestion, !words.has(piece[0], in: .lookUp),
                        !words.has(piece[0], in: .lookUpFor)
                    {
                        break
                    }
                    let isAlone = all.count == 1 && piece == sentence.parts[0]
                    if !isQuestion,
                        let order = ActClaimOrder(
                            piece, isAsked: sentence.isAsked,
                            isAlone: isAlone && sentence.parts.count == 1,
                            words: words)
                    {
                        orders.append(order)
                    } else if !orders.isEmpty {
                        orders[orders.count - 1].words += piece
                    }
                }
            }
        }
        return orders
    }
}
