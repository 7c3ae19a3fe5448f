import AgentCore

/// Whom a letter is for, and who else is named in an advert.
extension JobReader {
    mutating func takePeople() {
        for line in lines {
            let words = line.closed.split(separator: " ").map(String.init)
            for (index, word) in words.enumerated() {
                let key = ResumeWords.letters(ResumeWords.folded(word))
                let isMister = JobWords.shared.mister.contains(key)
                guard
                    isMister || JobWords.shared.misses.contains(key) || key == "dr"
                        || key == "prof",
                    word.first?.isUppercase == true, index + 1 < words.count,
                    word.last.map({ !",;:".contains($0) }) == true,
                    key.count > 1 || word.hasSuffix(".")
                else { continue }
                // Those in front are part of the same name.
                if index > 0, Self.isTitle(words[index - 1]) { continue }
                takeRecipient(words[index...].joined(separator: " "), needsTitle: true)
            }
        }
        takeWriters()
    }

    /// Those whose addresses are given: "send your CV to Tom Baker, tom.baker@beta.com".
    private mutating func takeWriters() {
        let handles = advert.person.values(of: .email).compactMap { email in
            email.split(separator: "@").first.map(String.init)
        }.filter { $0.count >= 3 }
        for line in lines where !handles.isEmpty {
            let words = line.words.map(String.init)
            for start in words.indices {
                for count in [3, 2] where start + count <= words.count {
                    let run = words[start..<start + count]
                    // A clause ends inside of it.
                    if run.dropLast().contains(where: {
                        ",.;:".contains($0.last ?? " ") && $0.count > 2
                    }) {
                        continue
                    }
                    let text = String(
                        run.joined(separator: " ").trimming { ",.;:()<>".contains($0) })
                    guard let shape = NameShape(text), shape.keys.count == count,
                        handles.contains(where: { shape.isMadeOf($0) }), !Self.isRole(text),
                        !advert.person.values(of: .name).contains(where: { $0.contains(text) })
                    else { continue }
                    advert.person.add(.name, text)
                    if advert.recipient == nil { advert.recipient = .init(name: text) }
                }
            }
        }
    }

    private static func isTitle(_ word: String) -> Bool {
        let key = ResumeWords.letters(ResumeWords.folded(word))
        return word.first?.isUppercase == true
            && (JobWords.shared.mister.contains(key) || JobWords.shared.misses.contains(key)
                || key == "dr" || key == "prof")
    }

    /// "Ms. Anna Schmidt, HR, 030 123": a name with what is in front of it.
    mutating func takeRecipient(_ text: String, needsTitle: Bool) {
        var form = JobAdvert.Recipient.Form.unknown
        var titles: [String] = []
        var words = text.split(separator: " ").map(String.init)[...]
        while let word = words.first {
            let key = ResumeWords.letters(ResumeWords.folded(word))
            if JobWords.shared.misses.contains(key), key.count > 1 || word.hasSuffix(".") {
                form = .miss
            } else if JobWords.shared.mister.contains(key), key.count > 1 || word.hasSuffix(".") {
                form = .mister
            } else if ["dr", "prof", "drmed", "drrernat", "ing", "dipling", "mag"].contains(key),
                word.hasSuffix(".") || key.count <= 4
            {
                titles.append(word.hasSuffix(".") ? word : word + ".")
            } else {
                break
            }
            words = words.dropFirst()
        }
        var name: [String] = []
        for word in words.prefix(5) {
            let plain = String(word.trimming { ",.;:()!?|".contains($0) })
            let isParticle = [
                "von", "van", "de", "der", "den", "del", "della", "di", "da", "zu", "la", "le",
            ]
            .contains(plain)
            guard let first = plain.first, first.isUppercase || isParticle,
                NameShape(plain, allowsOne: true) != nil || isParticle
                    || plain.count == 1
            else { break }
            name.append(plain.count == 1 ? plain + "." : plain)
            if let last = word.last, ",.;:()!?|".contains(last), plain.count > 1 { break }
            if name.count == 4 { break }
        }
        while let last = name.last, last.first?.isLowercase == true { name.removeLast() }
        let whole = name.joined(separator: " ")
        guard !name.isEmpty, NameShape(whole, allowsOne: needsTitle || form != .unknown) != nil,
            !Self.isRole(whole), !AddressShape.isPlace(whole)
        else { return }
        if let company = advert.company, company.contains(whole) || whole.contains(company) {
            return
        }
        advert.person.add(.name, whole)
        let recipient = JobAdvert.Recipient(
            name: whole, title: titles.joined(separator: " "), form: form)
        if advert.recipient == nil {
            advert.recipient = recipient
        } else if advert.recipient?.name == whole, advert.recipient?.form == .unknown {
            advert.recipient = recipient
        }
    }
}
