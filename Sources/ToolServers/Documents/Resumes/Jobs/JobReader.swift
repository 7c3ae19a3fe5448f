import Base
import Privacy

/// Finds company, role, recipient and reference number in the lines of a job advert. Pure.
struct JobReader {
    let lines: [ResumeLine]
    var advert: JobAdvert

    init(_ lines: [ResumeLine]) {
        self.lines = lines
        advert = JobAdvert(text: BodyText.text(lines))
    }

    mutating func read() -> JobAdvert {
        for line in lines {
            takeContacts(line)
            takeLabels(line)
        }
        takeTitle()
        if advert.role == nil { advert.role = markedRole() }
        if advert.role == nil { advert.role = soughtRole() }
        if advert.company == nil { advert.company = namedCompany() }
        if advert.reference == nil { advert.reference = namedReference() }
        takePeople()
        takeAddress()
        if advert.country == nil { advert.country = HomeCountry.of(places()) }
        advert.language = TextLanguage.guess(advert.text)
        return advert
    }

    private mutating func takeContacts(_ line: ResumeLine) {
        for match in ContactScanner.matches(in: line.text) where match.kind != .url {
            advert.person.add(match.kind, match.value)
        }
    }

    // MARK: - Labels

    private mutating func takeLabels(_ line: ResumeLine) {
        for part in LabelledValue.parts(line.text) {
            guard let (label, value) = Self.labelled(part), !value.isEmpty else { continue }
            switch label {
            case .company:
                if advert.company == nil, value.count <= 80 {
                    let first = value.replacing(" - ", with: "|").replacing(" – ", with: "|")
                        .split { "|,".contains($0) }.first
                    advert.company = Self.tidy(String(first ?? ""))
                }
            case .role:
                if advert.role == nil, value.count <= 100 { advert.role = Self.role(value) }
            case .reference:
                if advert.reference == nil, value.count <= 40, value.contains(where: \.isNumber) {
                    advert.reference = Self.tidy(value)
                }
            case .recipient:
                takeRecipient(value, needsTitle: false)
            }
        }
    }

    /// "Ref.: 2024-17", "Kennziffer 4711", "Job title - Engineer".
    private static func labelled(_ part: String) -> (JobWords.Label, String)? {
        for sign in [":", "：", " – ", " - ", "#"] {
            guard let range = part.firstRange(of: sign), range.lowerBound != part.startIndex else {
                continue
            }
            let key = ResumeWords.key(part[..<range.lowerBound])
            if let label = JobWords.shared.labels[key] {
                return (label, part[range.upperBound...].trimmingSpace())
            }
        }
        let words = part.split(separator: " ")
        guard (2...4).contains(words.count), let last = words.last,
            last.contains(where: \.isNumber)
        else { return nil }
        let key = ResumeWords.key(words.dropLast().joined(separator: " "))
        guard JobWords.shared.labels[key] == .reference else { return nil }
        return (.reference, String(last))
    }

    static func tidy(_ value: String) -> String {
        let plain = String(value.trimming { " .,;:|-–—\"“”„()[]".contains($0) })
        // Keep the full stop of "S.L." and "Inc.".
        guard let last = plain.split(separator: " ").last,
            last.contains(".") || ["Inc", "Ltd", "Ltda", "Co", "Corp", "Bros"].contains(last),
            value.contains(plain + ".")
        else { return plain }
        return plain + "."
    }

    // MARK: - The title

    /// "Senior Engineer at Acme", "Acme – Senior Engineer", "Acme is hiring: …".
    private mutating func takeTitle() {
        for (place, line) in lines.prefix(6).enumerated() {
            let text = line.style == .spaced ? HeadingMatch.plain(line.text, .spaced) : line.closed
            guard line.words.count <= 14, !Self.isSentence(text), !line.isBullet,
                Self.labelled(text) == nil, text.contains(where: \.isLetter),
                !ContactScanner.matches(in: text).contains(where: { $0.kind != .phone })
            else { continue }
            let parts = text.replacing(" – ", with: "|").replacing(" — ", with: "|")
                .replacing(" - ", with: "|").replacing(" · ", with: "|")
                .split(separator: "|").map { $0.trimmingSpace() }
            // "Bewerbung an Frau Dr. Lang" and "Acme cerca un contabile" are not titles.
            let words = WordRun(text)
            if line.words.contains(where: { Self.isTitle(String($0)) })
                || JobWords.shared.seeking.contains(where: {
                    $0.contains(" ") && (words.start(of: $0) ?? 0) > 0
                })
            {
                continue
            }
            guard
                let index = parts.firstIndex(where: {
                    Self.isRole($0) || Self.isMarked($0) || Self.cutAtJoint($0) != nil
                })
            else {
                let pieces = parts.flatMap { $0.split(separator: ",").map { $0.trimmingSpace() } }
                if advert.company == nil, let named = pieces.first(where: Self.isCompany) {
                    advert.company = Self.tidy(named)
                }
                continue
            }
            var role = parts[index]
            // "Softwareentwickler (m/w/d), Beispiel GmbH"
            if let comma = role.lastIndex(of: ","), Self.isRole(String(role[..<comma])),
                Self.isCompany(role[role.index(after: comma)...].trimmingSpace())
            {
                if advert.company == nil {
                    advert.company = Self.tidy(String(role[role.index(after: comma)...]))
                }
                role = String(role[..<comma])
            }
            if let (front, back) = Self.cutAtJoint(role) {
                role = front
                if advert.company == nil { advert.company = Self.companyStart(back) }
            } else if let colon = role.firstIndex(of: ":") {
                role = role[role.index(after: colon)...].trimmingSpace()
            }
            if advert.role == nil { advert.role = Self.role(role) }
            if advert.company == nil {
                advert.company = parts.indices.filter { $0 != index }.map { parts[$0] }
                    .first { Self.isCompany($0) || parts.count == 2 && Self.isProper($0) }
                    .map(Self.tidy)
            }
            if advert.company == nil { advert.company = companyBeside(place) }
            return
        }
    }

    /// Whether the text is a sentence; "S.L." and "z o.o." do not end one.
    private static func isSentence(_ text: String) -> Bool {
        text.last == "." && text.split(separator: " ").last?.dropLast().contains(".") != true
            && !["Inc.", "Ltd.", "Co.", "Corp."].contains { text.hasSuffix($0) }
    }

    /// "Mill Lane 5" and "York YO1 7HU" in one line or two; the first line of their block is the
    /// company.
    private mutating func takeAddress() {
        for (index, line) in lines.enumerated() where line.words.count <= 18 {
            let next = lines.dropFirst(index + 1).first { $0.words.count <= 6 }
            var parts: [String] = []
            for part in [line, next].compactMap({ $0?.closed }).flatMap({ text in
                text.split { ",|·".contains($0) }.map { Self.tidy(String($0)) }
            }) {
                // "Av. Paulista, 1000", "5 Elm Street, Suite 9", "Salem, MA 01970"
                if let front = parts.last, Self.goesOn(part) {
                    parts[parts.count - 1] = "\(front), \(part)"
                } else {
                    parts.append(part)
                }
            }
            for (street, town) in zip(parts, parts.dropFirst())
            where AddressShape.isTown(town) && street.split(separator: " ").count <= 6
                && street.first?.isLowercase != true
                && (AddressShape.isAddress(street) || AddressShape.isHouse(street))
            {
                advert.address = [street, town]
                // The country may stand below the town.
                let below = lines.dropFirst(index + 1).prefix(2).filter { $0.words.count <= 3 }
                advert.country = HomeCountry.of(parts + below.map(\.closed))
                let top = lines[..<index].lastIndex(where: \.hasBlankBefore) ?? 0
                let name = lines[top].closed
                if advert.company == nil, !line.hasBlankBefore, lines[top].words.count <= 6,
                    name.first?.isUppercase == true, !name.contains(where: \.isNumber),
                    !Self.isRole(name), !Self.isAnnouncement(name), Self.labelled(name) == nil,
                    NameShape.isHonorific(String(lines[top].words[0])) == false
                {
                    advert.company = Self.tidy(name)
                }
                return
            }
        }
    }

    /// "Berlin, Germany" near the top.
    private func places() -> [String] {
        lines.prefix(6).flatMap { LabelledValue.parts($0.text) }.filter {
            $0.contains(",") && AddressShape.isPlace($0)
        }
    }

    /// Whether the part of an address belongs to the one before: a number, a floor, a state.
    private static func goesOn(_ part: String) -> Bool {
        let words = part.split(separator: " ")
        if words.count == 1 { return part.allSatisfy(\.isNumber) && part.count <= 5 }
        return words.count == 2 && words[1].contains(where: \.isNumber)
            && (words[0].count == 2 && words[0].allSatisfy(\.isUppercase)
                || ["Suite", "Ste", "Floor", "Unit", "Room"].contains(words[0]))
    }

    /// "unter Angabe der Kennziffer BH-12"
    private func namedReference() -> String? {
        for line in lines {
            let words = line.words.map { String($0.trimming { ",.;:()!?".contains($0) }) }
            for (index, word) in words.enumerated().dropLast() where word.count >= 3 {
                let key = ResumeWords.key(word)
                guard JobWords.shared.labels[key] == .reference else { continue }
                let next =
                    words[index + 1] == "no" || words[index + 1] == "number"
                        || words[index + 1] == "Nr"
                    ? words.dropFirst(index + 2).first ?? "" : words[index + 1]
                if next.count >= 3, next.count <= 24, next.contains(where: \.isNumber) {
                    return next
                }
            }
        }
        return nil
    }

    /// "Engineer" and "Acme" from "Engineer at Acme".
    private static func cutAtJoint(_ text: String) -> (String, String)? {
        let words = text.split(separator: " ")
        for (index, word) in words.enumerated().dropFirst() where index + 1 < words.count {
            if word == "@"
                || JobWords.shared.joints.contains(ResumeWords.folded(word))
                    && word.first?.isLowercase == true
                    && words[index + 1].first.map({ $0.isUppercase || $0.isNumber }) == true
            {
                let front = words[..<index].joined(separator: " ")
                let back = words[(index + 1)...].joined(separator: " ")
                if isRole(front) || isMarked(front)
                    || front.first?.isUppercase == true && isCompany(companyStart(back) ?? "")
                {
                    return (front, back)
                }
            }
        }
        return nil
    }
}
