import Base
import Privacy

/// Finds the recipient of a letter and the other people named in an advert.
extension JobReader {
    mutating func takePeople() {
        for line in lines {
            let words = line.closed.split(separator: " ").map(String.init)
            for (index, word) in words.enumerated() {
                let key = ResumeWords.key(word)
                let isMister = JobWords.shared.mister.contains(key)
                guard
                    isMister || JobWords.shared.misses.contains(key) || key == "dr"
                        || key == "prof",
                    // "mevrouw Jansen", "de heer Bakker"
                    word.first?.isUppercase == true || key.count >= 5 || key == "heer",
                    index + 1 < words.count,
                    words[index + 1].first?.isUppercase == true
                        || NameShape.isHonorific(words[index + 1]) || key.count < 5,
                    word.last.map({ !",;:".contains($0) }) == true,
                    key.count > 1 || word.hasSuffix(".")
                else { continue }
                // Titles directly before are part of the same name.
                if index > 0, Self.isTitle(words[index - 1]) { continue }
                takeRecipient(words[index...].joined(separator: " "), needsTitle: true)
            }
        }
        takeWriters()
    }

    /// Takes people whose contact details are given: "send your CV to Tom Baker,
    /// tom.baker@beta.com", "Bewerbung an Jörg Schäuffelein, Tel. 030 …".
    private mutating func takeWriters() {
        let handles = advert.person.values(of: .email).compactMap { email in
            email.split(separator: "@").first.map(String.init)
        }.filter { $0.count >= 3 }
        for line in lines {
            let words = line.words.map(String.init)
            let contacts = ContactScanner.matches(in: line.closed).filter { $0.kind != .url }
            for start in words.indices {
                // The shortest name that matches the address, with no word before it.
                for count in 2...5 where start + count <= words.count {
                    let run = words[start..<start + count]
                    // A clause ends inside the words.
                    if run.dropLast().contains(where: { word in
                        ",;:".contains(word.last ?? " ") || word.last == "." && word.count > 3
                    }) {
                        break
                    }
                    guard let shape = writer(run) else { continue }
                    let isConfirmed = handles.contains { shape.isMadeOf($0) }
                    if isConfirmed || isBeforeContact(line, start + count, contacts) {
                        add(shape)
                        break
                    }
                }
            }
        }
    }

    /// Particles that occur only in names. In adverts, "à" and "an" come before names.
    private static let particles: Set<String> = [
        "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "du", "la",
        "le",
        "bin", "ibn", "al", "el", "ter", "ten", "zu", "y", "e", "af", "av", "do", "vom", "zur",
        "los", "las", "ap", "dei", "degli", "bint", "abu", "het", "op",
    ]

    /// Words before a name: "Call Priya Nair (555 …)".
    private static let verbs: Set<String> = [
        "call", "ask", "ping", "email", "e-mail", "mail", "contact", "write", "reach", "phone",
        "text", "message", "apply", "via", "bei", "kontakt", "rufen", "appelez", "contactez",
        "llame", "contacte", "chiamare", "contattare", "bel", "ring", "please", "bitte",
        "questions",
        "send", "dear", "hi", "hello", "tel", "tel.", "telefon", "phone:", "by", "or", "and", "our",
        "your", "ihre", "frau", "herr", "herrn", "ms", "mr", "mrs", "ms.", "mr.", "mrs.", "d.",
        "mme",
    ]

    private func writer(_ run: ArraySlice<String>) -> NameShape? {
        let text = String(run.joined(separator: " ").trimming { ",.;:()<>".contains($0) })
        guard text.first?.isUppercase == true, Self.isCapital(run.last ?? ""),
            !Self.verbs.contains(ResumeWords.folded(run.first ?? "")),
            run.allSatisfy({
                $0.first?.isLowercase != true || Self.particles.contains($0) || Self.isCapital($0)
            }),
            let shape = NameShape(text), shape.keys.count >= 2,
            !Self.isRole(text), !AddressShape.isPlace(text)
        else { return nil }
        if let company = advert.company, company.contains(text) { return nil }
        return shape
    }

    /// Whether a word is capitalised, like "Vane", or "d'Aubigné" and "al-Amin" with a
    /// joined particle.
    private static func isCapital(_ word: some StringProtocol) -> Bool {
        if word.first?.isUppercase == true { return true }
        guard let mark = word.firstIndex(where: { "'’ʼ-".contains($0) }),
            word[..<mark].count <= 4
        else { return false }
        return word[word.index(after: mark)...].first?.isUppercase == true
    }

    /// Whether an e-mail address or a telephone number follows a comma, a bracket or a
    /// label.
    private func isBeforeContact(
        _ line: ResumeLine, _ next: Int, _ contacts: [ContactScanner.Match]
    ) -> Bool {
        guard !contacts.isEmpty, let last = line.words.prefix(next).last?.last else { return false }
        let start = line.words.prefix(next).reduce(0) { $0 + $1.count + 1 }
        guard let contact = contacts.first(where: { $0.range.lowerBound >= start - 1 }) else {
            return false
        }
        let between = Array(line.closed)[
            min(start, contact.range.lowerBound)..<contact.range.lowerBound]
        let words = String(between).split { " ,;:()<>|–-·".contains($0) }
        let isApart = ",;:|–(".contains(last) || between.contains { "(<|–,;:".contains($0) }
        return isApart && words.allSatisfy { LabelledValue.label(of: String($0)) != nil }
            && words.count <= 2
    }

    private mutating func add(_ shape: NameShape) {
        let known = advert.person.values(of: .name)
        if known.contains(where: { $0.contains(shape.text) || shape.text.contains($0) }) { return }
        advert.person.add(.name, shape.text)
        if advert.recipient == nil { advert.recipient = .init(name: shape.text) }
    }

    static func isTitle(_ word: String) -> Bool {
        let key = ResumeWords.key(word)
        return word.first?.isUppercase == true
            && (JobWords.shared.mister.contains(key) || JobWords.shared.misses.contains(key)
                || key == "dr" || key == "prof")
    }

    /// "Ms. Anna Schmidt, HR, 030 123": a name with its form of address.
    mutating func takeRecipient(_ text: String, needsTitle: Bool) {
        var form = JobAdvert.Recipient.Form.unknown
        var titles: [String] = []
        var words = text.split(separator: " ").map(String.init)[...]
        while let word = words.first {
            let key = ResumeWords.key(word)
            if ["dott", "dottssa", "drs", "avv"].contains(key),
                word.hasSuffix(".") || key == "dottssa"
            {
                form = key == "dottssa" ? .miss : key == "dott" ? .mister : form
                titles.append(word)
            } else if JobWords.shared.misses.contains(key), key.count > 1 || word.hasSuffix(".") {
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
            guard Self.isCapital(plain) || isParticle,
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
