import Base
import Documents

/// Assembles a letter on this machine: sender, place and date, recipient, subject, the
/// salutation before the body and the signature after it, in the order and form of the
/// country. Pure.
package struct LetterLayout: Sendable, Equatable {
    package struct Sender: Sendable, Equatable {
        package var name: String?
        /// The address as entered by the user, with its line breaks.
        package var address: String?
        package var phone: String?
        package var email: String?

        package init(
            name: String? = nil, address: String? = nil, phone: String? = nil,
            email: String? = nil
        ) {
            self.name = name
            self.address = address
            self.phone = phone
            self.email = email
        }

        /// A copy with missing values taken from another sender.
        package func completed(by other: Sender) -> Sender {
            Sender(
                name: name ?? other.name, address: address ?? other.address,
                phone: phone ?? other.phone, email: email ?? other.email)
        }

        /// The sender's missing details: "name", "address", "phone", "e-mail".
        package var missing: [String] {
            [
                ("name", name), ("address", address), ("phone", phone), ("e-mail", email),
            ].filter { $0.1 == nil }.map(\.0)
        }
    }

    package var form: LetterForm
    package var sender: Sender
    /// The recipient; nil if the advert names none.
    package var recipient: JobAdvert.Recipient?
    package var company: String?
    /// Address of the company.
    package var address: [String] = []
    package var role: String?
    /// The reference number of the advert.
    package var reference: String?
    package var date: CivilDate
    package var tone: LetterSettings.Tone = .professional

    /// The whole letter; missing parts are left out.
    ///
    /// - Parameter body: paragraphs between blank lines.
    package func letter(around body: String) -> String {
        var blocks = form.order.map(block)
        blocks.append(form.has(.goesOnInLowerCase) ? Self.continued(body) : body)
        // The name is below the room for the signature.
        blocks.append(sender.name.map { "\(closing)\n\n\n\n\($0)" } ?? closing)
        return blocks.map { $0.trimmingSpace() }.filter { !$0.isEmpty }
            .joined(separator: "\n\n") + "\n"
    }

    private func block(_ part: LetterForm.Part) -> String {
        switch part {
        case .sender:
            return [sender.name, sender.address, sender.phone, sender.email].compactMap(\.self)
                .joined(separator: "\n")
        case .recipient:
            let lines = [recipient.map(addressed), company].compactMap(\.self)
            return (lines + (company == nil ? [] : address)).joined(separator: "\n")
        case .date: return form.dateline(date, from: place)
        case .subject:
            return form.subject(role) + (reference.map { " (\(form[.reference]) \($0))" } ?? "")
        case .salutation: return salutation
        }
    }

    /// "Ms Jane Smith".
    private func addressed(_ recipient: JobAdvert.Recipient) -> String {
        (title(recipient) + recipient.name).trimmingSpace()
    }

    private func title(_ recipient: JobAdvert.Recipient) -> String {
        var words: [String] = []
        let title = recipient.title == "Dr." ? form[.doctor] : recipient.title
        if title.isEmpty || !form.has(.titleStandsAlone) {
            switch recipient.form {
            case .miss: words.append(form[.her])
            case .mister: words.append(form[.him])
            case .unknown: break
            }
        }
        words.append(title)
        return words.filter { !$0.isEmpty }.map { $0 + " " }.joined()
    }

    private var salutation: String {
        guard let recipient else { return form[.withoutName] }
        let pattern =
            switch recipient.form {
            case .miss: form[.toHer]
            case .mister: form[.toHim]
            case .unknown:
                // "Dear Dr Smith" does not depend on gender.
                !recipient.title.isEmpty && form.has(.titleStandsAlone)
                    ? form[.toHer] : form[.toName]
            }
        return pattern.replacing("{title}", with: title(recipient))
            .replacing("{surname}", with: recipient.surname(hasTwo: form.has(.hasTwoSurnames)))
            .replacing("{name}", with: recipient.name)
    }

    private var closing: String {
        if tone == .friendly || tone == .warm { return form[.friendlyClosing] }
        let closing =
            form[recipient == nil && form.has(.closingWithoutName) ? .closingWithoutName : .closing]
        let address =
            switch recipient?.form {
            case .miss: form[.her]
            case .mister: form[.him]
            case .unknown, nil: "Madame, Monsieur"
            }
        return closing.replacing("{address}", with: address)
    }

    // MARK: - Details

    /// The sender's town, after the postal code: "10115 Berlin", "00-001 Warszawa", "1012
    /// AB Amsterdam"; nil if it cannot be found in the address.
    private var place: String? {
        let parts = (sender.address ?? "").split { $0 == "," || $0.isNewline }
        for part in parts.reversed() {
            // "São Paulo – SP"
            let halves = part.split { "–/".contains($0) }.map { $0.trimmingSpace() }
            if halves.count > 1, halves[1].count == 2, halves[1] == halves[1].uppercased(),
                !halves[0].contains(where: \.isNumber)
            {
                return halves[0]
            }
            var words = part.split(separator: " ")[...]
            guard let code = words.first, code.count >= 4,
                code.allSatisfy({ $0.isNumber || $0 == "-" }) || Self.isPrefixed(code)
            else {
                // Swedish postal codes: 111 22.
                guard words.count > 2, words.prefix(2).allSatisfy({ $0.allSatisfy(\.isNumber) }),
                    words.prefix(2).reduce(0, { $0 + $1.count }) == 5
                else { continue }
                return Self.town(words.dropFirst(2))
            }
            words.removeFirst()
            if words.count > 1, let letters = words.first, letters.count == 2,
                letters.allSatisfy({ $0.isUppercase })
            {
                words.removeFirst()
            }
            if let town = Self.town(words) { return town }
        }
        return nil
    }

    /// `D-10115`, `F-75001`.
    private static func isPrefixed(_ code: Substring) -> Bool {
        let parts = code.split(separator: "-")
        return parts.count == 2 && parts[0].count <= 2 && parts[0].allSatisfy(\.isLetter)
            && parts[1].count >= 4 && parts[1].allSatisfy(\.isNumber)
    }

    private static func town(_ words: ArraySlice<Substring>) -> String? {
        let town = words.prefix { !$0.hasPrefix("(") && !["–", "-"].contains($0) }.joined(
            separator: " ")
        return town.contains(where: \.isLetter) ? town : nil
    }

    /// The body in lower case after the salutation's comma, as in German, Polish and
    /// Italian, if its first word is a word that may be: not a noun or "Sie".
    private static func continued(_ body: String) -> String {
        let word = body.prefix { $0.isLetter }
        guard let first = word.first, first.isUppercase, small.contains(word.lowercased()),
            // "Ihr" and "Sie" address the reader; "ihr" and "sie" are not in the list.
            word.dropFirst().allSatisfy({ !$0.isUppercase })
        else { return body }
        return first.lowercased() + body.dropFirst()
    }

    private static let small = Set(LetterTexts.words("small"))
}
