import Base
import Privacy

/// Reads JSON Resume 1.0.0 (jsonresume.org/schema), its predecessors, and the exports of
/// Reactive Resume. Pure.
///
/// `basics` identifies the applicant and is never sent, except the summary and the label;
/// nothing in `references` is sent. Members unknown to the schema are kept as text, unless
/// their names show that they are personal.
package enum JSONResume {
    package static func read(_ text: String) throws(ResumeError) -> Resume {
        let value: JSONValue
        do throws(LenientJSON.Failure) {
            value = try LenientJSON.parse(text)
        } catch {
            throw ResumeError(.json(error.what, line: error.line, column: error.column))
        }
        let root = try Self.root(value)
        guard root.names.contains(where: { kind(of: $0) != nil || isBasics($0) }) else {
            throw ResumeError(
                .jsonShape("it has none of the members basics, work, education and skills"))
        }
        var reading = Reading()
        for member in root.members { try reading.take(member) }
        return reading.resume()
    }

    /// The object with the sections, unwrapped from an export if necessary.
    private static func root(_ value: JSONValue) throws(ResumeError) -> JSONObject {
        var value = value
        if let first = value.arrayValue?.first, value.arrayValue?.count == 1 { value = first }
        guard let object = value.objectValue else {
            throw ResumeError(.jsonShape("it is a list or a single value, not an object"))
        }
        for name in ["resume", "data", "cv", "jsonresume"] {
            if let inner = object[name]?.objectValue,
                inner.names.contains(where: { kind(of: $0) != nil || isBasics($0) })
            {
                return inner
            }
        }
        guard let sections = object["sections"]?.objectValue else { return object }
        // Reactive Resume has the sections in one member, each as its items or its text.
        var whole = object
        whole["sections"] = nil
        func isShown(_ value: JSONValue) -> Bool { value["visible"]?.boolValue != false }
        for section in sections.members where isShown(section.value) {
            let items = section.value["items"]?.arrayValue.map {
                JSONValue.array($0.filter(isShown))
            }
            whole.members.append(
                .init(
                    section.name == "profiles" ? "contact" : section.name,
                    items ?? section.value["content"] ?? section.value))
        }
        return whole
    }

    static func isBasics(_ name: String) -> Bool {
        [
            "basics", "basic", "bio", "profile", "personal", "personalinfo", "contact", "person",
            "personalinformation", "personaldetails", "header", "about",
        ].contains(ResumeWords.key(name))
    }

    static func kind(of name: String) -> ResumeSection.Kind? {
        let key = ResumeWords.key(name)
        if let known = kinds[key] { return known }
        return ResumeWords.shared.headings[key]?.kind
    }

    private static let kinds: [String: ResumeSection.Kind] = [
        "work": .experience, "jobs": .experience, "positions": .experience,
        "volunteer": .volunteering, "education": .education, "awards": .awards,
        "certificates": .certificates, "publications": .publications, "skills": .skills,
        "languages": .languages, "interests": .interests, "references": .references,
        "projects": .projects, "hobbies": .interests, "extracurricular": .volunteering,
        "summary": .summary, "objective": .summary, "affiliation": .volunteering,
    ]

    /// "studyType" and "work_experience" as words.
    static func heading(_ name: String) -> String {
        var words = ""
        for character in name {
            if character == "_" || character == "-" {
                words += " "
            } else if character.isUppercase, let last = words.last, last.isLowercase {
                words += " " + character.lowercased()
            } else {
                words.append(character)
            }
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// Members that mean nothing to a reader.
    static let skipped: Set<String> = [
        "schema", "meta", "id", "uuid", "visible", "hidden", "image", "picture", "photo", "avatar",
        "icon", "metadata", "template", "theme", "enabled", "public", "order", "createdat",
        "updatedat", "slug", "columns", "separatelinks", "locked", "layout", "css", "typography",
    ]

    /// The profile address of an account given only by network and name.
    private static func page(_ entry: JSONObject) -> String? {
        guard let network = entry["network"]?.stringValue,
            let prefix = networks[ResumeWords.key(network)],
            let user = entry["username"]?.stringValue?.trimming(while: { $0 == "@" || $0 == " " }),
            !user.isEmpty, user.allSatisfy({ $0.isLetter || $0.isNumber || "-_.".contains($0) })
        else { return nil }
        return prefix + user
    }

    private static let networks = [
        "github": "github.com/", "gitlab": "gitlab.com/", "linkedin": "linkedin.com/in/",
        "xing": "xing.com/profile/", "twitter": "x.com/", "x": "x.com/", "medium": "medium.com/@",
        "instagram": "instagram.com/", "facebook": "facebook.com/",
    ]

    private struct Reading {
        var finder = PersonFinder()
        var sections: [ResumeSection] = []
        var employers: [String] = []
        var countryCode: String?

        mutating func take(_ member: JSONObject.Member) throws(ResumeError) {
            let key = ResumeWords.key(member.name)
            if JSONResume.skipped.contains(key) || member.value.isNull { return }
            if JSONResume.isBasics(member.name), let basics = member.value.objectValue {
                takeBasics(basics)
                return
            }
            if key == "basics" { throw ResumeError(.jsonShape("\"basics\" is not an object")) }
            let kind = JSONResume.kind(of: member.name)
            if let kind, !kind.isSendable {
                if kind != .references { takePrivate(member.value) }
                return
            }
            if let label = ResumeWords.shared.labels[key], kind == nil {
                take(label, member)
                return
            }
            let text = JSONText.text(member.value)
            if text.isEmpty { return }
            if kind == .experience || kind == .education || kind == .volunteering {
                takeEmployers(member.value)
            }
            sections.append(
                ResumeSection(
                    kind: kind ?? .other, heading: JSONResume.heading(member.name), text: text))
        }

        private mutating func take(_ label: ResumeWords.Label, _ member: JSONObject.Member) {
            for text in JSONText.strings(member.value) {
                finder.take(ResumeLine("\(member.name): \(ResumeLine.clean(text))"))
            }
            if label == .name, let text = member.value.stringValue,
                let shape = NameShape(text, allowsOne: true, allowsLowercase: true)
            {
                finder.add(shape, isSure: true)
            }
        }

        private mutating func takePrivate(_ value: JSONValue) {
            for text in JSONText.strings(value) {
                finder.take(ResumeLine(ResumeLine.clean(text)))
            }
        }

        private mutating func takeEmployers(_ value: JSONValue) {
            for entry in value.arrayValue ?? [] {
                for name in [
                    "name", "company", "organization", "employer", "institution", "school",
                ] {
                    if let employer = entry[name]?.stringValue, !employer.isEmpty,
                        !employers.contains(employer)
                    {
                        employers.append(employer)
                        break
                    }
                }
            }
        }

        // MARK: - Basics

        private mutating func takeBasics(_ basics: JSONObject) {
            var (given, family): (String?, String?)
            for member in basics.members {
                let key = ResumeWords.key(member.name)
                switch key {
                case "name", "fullname":
                    if let name = member.value.stringValue { takeName(name) }
                    if let parts = member.value.objectValue {
                        let words = ["prefix", "first", "middle", "last", "given", "family"]
                            .compactMap { parts[$0]?.stringValue }
                        takeName(words.joined(separator: " "))
                    }
                case "firstname", "givenname": given = member.value.stringValue
                case "lastname", "surname", "familyname": family = member.value.stringValue
                case "summary", "objective", "about", "bio":
                    add(.summary, "Summary", member.value)
                case "label", "headline", "title", "jobtitle", "profession", "position", "role":
                    add(.summary, "", member.value)
                case "email", "emails", "mail":
                    for text in JSONText.strings(member.value) { takeContact(text, .email) }
                case "phone", "phones", "mobile", "telephone", "tel":
                    for text in JSONText.strings(member.value) { takeContact(text, .phone) }
                case "location", "address", "residence":
                    takeLocation(member.value)
                case "profiles", "social", "links", "url", "website", "web", "homepage":
                    takeProfiles(member.value)
                case "birthdate", "dateofbirth", "dob", "birthday", "birth":
                    for text in JSONText.strings(member.value) {
                        finder.take(ResumeLine("Date of birth: \(ResumeLine.clean(text))"))
                    }
                default:
                    if JSONResume.skipped.contains(key) { continue }
                    for text in JSONText.strings(member.value) {
                        finder.take(
                            ResumeLine("\(member.name): \(ResumeLine.clean(text))"))
                        finder.take(ResumeLine(ResumeLine.clean(text)))
                    }
                }
            }
            if let given, let family { takeName("\(given) \(family)") }
        }

        private mutating func takeName(_ text: String) {
            let clean = ResumeLine.clean(text).trimmingSpace()
            if clean.isEmpty { return }
            let (plain, asides) = NameFinder.withoutAsides(clean)
            if let shape = NameShape(plain, allowsOne: true, allowsLowercase: true) {
                finder.add(shape, isSure: true)
                // Letters print the titles too, though they are not part of the name.
                if finder.names.first == shape, plain.contains(shape.text) {
                    finder.sign(as: plain)
                }
            } else {
                // The field declares it to be the name, whatever it looks like.
                finder.takeAsName(clean)
            }
            for aside in asides {
                if let shape = NameShape(aside) { finder.add(shape) }
            }
        }

        private mutating func takeContact(_ text: String, _ kind: PersonalData.Kind) {
            let clean = ResumeLine.clean(text).trimmingSpace()
            let found = ContactScanner.matches(in: clean, isHead: true).filter { $0.kind == kind }
            if found.isEmpty {
                finder.take(ContactScanner.Match(kind: kind, value: clean, range: 0..<0))
            }
            for match in found { finder.take(match) }
        }

        private mutating func takeLocation(_ value: JSONValue) {
            if let text = value.stringValue {
                for line in text.split(whereSeparator: \.isNewline) {
                    finder.addAddress(ResumeLine.clean(line))
                }
                return
            }
            guard let place = value.objectValue else { return }
            func text(_ names: String...) -> String? {
                names.lazy.compactMap { place[$0]?.stringValue?.trimmingSpace() }.first {
                    !$0.isEmpty
                }
            }
            let code = text("postalCode", "postcode", "zip", "zipCode")
            let city = text("city", "town")
            if let street = text("address", "street", "addressLine1", "line1") {
                for line in street.split(whereSeparator: \.isNewline) {
                    finder.addStreet(ResumeLine.clean(line))
                }
            }
            let region = text("region", "state")
            let isAmerican =
                text("countryCode")?.uppercased() == "US"
                || region?.count == 2 && region == region?.uppercased()
            let town =
                isAmerican
                ? [[city, region].compactMap { $0 }.joined(separator: ", "), code ?? ""]
                    .filter { !$0.isEmpty }.joined(separator: " ")
                : (Self.codeIsBehind.contains(text("countryCode")?.uppercased() ?? "")
                    ? [city, code] : [code, city]).compactMap { $0 }.joined(separator: " ")
            if !town.isEmpty { finder.addTown(town, hasCode: code != nil) }
            if let country = text("countryCode"), country.count == 2 {
                countryCode = country.uppercased()
            } else if let country = text("country") {
                countryCode =
                    ResumeWords.shared.countries[
                        ResumeWords.key(country)]
            }
        }

        /// Countries that put the town first: "Leeds LS6 2PL".
        private static let codeIsBehind: Set<String> = ["AU", "CA", "GB", "IE", "IN", "NZ"]

        private mutating func takeProfiles(_ value: JSONValue) {
            if let text = value.stringValue {
                takeContact(text, .url)
                return
            }
            if let entry = value.objectValue {
                let known = finder.contact.urls.count
                for name in ["url", "href", "link"] {
                    if let url = entry[name]?.stringValue, !url.isEmpty { takeContact(url, .url) }
                }
                if let user = entry["username"]?.stringValue, user.count >= 3 {
                    finder.takeHandle(user)
                }
                for member in entry.members where member.value.objectValue != nil {
                    takeProfiles(member.value)
                }
                // { "linkedin": "https://…" }
                for member in entry.members {
                    if let text = member.value.stringValue, ContactScanner.isURL(text, true) {
                        takeContact(text, .url)
                    }
                }
                if finder.contact.urls.count == known, let page = JSONResume.page(entry) {
                    takeContact(page, .url)
                }
                return
            }
            for entry in value.arrayValue ?? [] { takeProfiles(entry) }
        }

        private mutating func add(_ kind: ResumeSection.Kind, _ heading: String, _ value: JSONValue)
        {
            let text = JSONText.text(value)
            if !text.isEmpty {
                sections.append(ResumeSection(kind: kind, heading: heading, text: text))
            }
        }

        func resume() -> Resume {
            var resume = Resume(
                sections: sections, person: finder.person, contact: finder.contact,
                employers: employers)
            resume.language = TextLanguage.guess(resume.body)
            resume.country =
                countryCode
                ?? HomeCountry.guess(
                    finder.person, contact: finder.contact, head: [], language: resume.language)
            return resume
        }
    }
}
