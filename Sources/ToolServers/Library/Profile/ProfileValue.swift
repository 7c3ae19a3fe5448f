import Base
import Privacy

/// Validates, names and masks the values of profile fields. Pure.
package enum ProfileValue {
    /// Maximum number of characters; addresses are the longest.
    private static let limit = 300

    /// The value without superfluous spaces.
    /// - Throws: `invalid`, which never repeats the value.
    static func checked(
        _ field: Profile.Field, _ text: String
    ) throws(ProfileError) -> String {
        let value = tidied(text, keepsLines: field == .address)
        if value.isEmpty { throw ProfileError(.empty(field)) }
        if KeyShape.isFound(in: value) { throw ProfileError(.holdsKey) }
        let problem = value.count > limit ? "is too long" : problem(field, value)
        if let problem { throw ProfileError(.invalid(field, problem)) }
        return value
    }

    private static func tidied(_ text: String, keepsLines: Bool) -> String {
        let lines = text.split(whereSeparator: \.isNewline).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }.filter { !$0.isEmpty }
        return lines.joined(separator: keepsLines ? "\n" : " ")
    }

    /// The problem, to follow "That e-mail address …".
    private static func problem(_ field: Profile.Field, _ value: String) -> String? {
        if value.unicodeScalars.contains(where: {
            $0.properties.generalCategory == .control && $0 != "\n"
        }) {
            return "contains control characters"
        }
        switch field {
        case .name:
            if value.contains("@") { return "contains an @; e-mail addresses are set separately" }
            return value.contains(where: \.isLetter) ? nil : "has no letter"
        case .email: return emailProblem(value)
        case .phone:
            let digits = value.count { $0.wholeNumberValue != nil }
            if value.contains(where: { $0.isLetter && !"extEXT".contains($0) }) {
                return "holds letters"
            }
            if digits < 5 { return "has fewer than 5 digits" }
            return digits > 20 ? "has more than 20 digits: is it two?" : nil
        case .address:
            return value.contains(where: \.isLetter) && value.count >= 5
                ? nil : "needs a street or a town"
        case .url:
            if value.contains(where: \.isWhitespace) { return "holds a space" }
            if value.contains("@"), !value.contains("/") { return "is an e-mail address" }
            return value.contains(".") ? nil : "has no dot, as in example.org/ida"
        case .birthDate: return isDate(value) ? nil : "is not a date such as 1990-05-31"
        case .identifier:
            return value.count { $0.isLetter || $0.isNumber } < 4
                ? "has fewer than 4 letters and digits" : nil
        case .employer: return value.contains(where: \.isLetter) ? nil : "has no letter"
        }
    }

    private static func emailProblem(_ value: String) -> String? {
        if value.contains(where: \.isWhitespace) { return "holds a space" }
        let parts = value.split(separator: "@", omittingEmptySubsequences: false)
        switch parts.count {
        case 1: return "has no @"
        case 2: break
        default: return "has more than one @"
        }
        if parts[0].isEmpty { return "has nothing before the @" }
        let domain = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return domain.count < 2 || domain.contains(where: \.isEmpty)
            ? "has no domain such as example.org after the @" : nil
    }

    /// Whether it is a date in a form searched for in texts. `1990-02-30` is
    /// not a date.
    private static func isDate(_ value: String) -> Bool {
        let parts = value.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ Int($0) != nil }) else {
            return Redactor(PersonalData([.init(.birthDate, value)])).findings(in: value)
                .contains { $0.by == .person }
        }
        guard let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1_850...2_200).contains(year), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }

    // MARK: - In words

    package static func title(_ field: Profile.Field) -> String {
        switch field {
        case .name, .phone, .address, .employer: field.rawValue
        case .email: "e-mail"
        case .url: "link"
        case .birthDate: "date of birth"
        case .identifier: "number"
        }
    }

    package static func count(_ number: Int, _ field: Profile.Field) -> String {
        let plural =
            switch field {
            case .address: "addresses"
            case .birthDate: "dates of birth"
            case .name, .email, .phone, .url, .identifier, .employer: title(field) + "s"
            }
        return Quantities.count(number, title(field), plural: plural)
    }

    // MARK: - Masked

    private static let dots = "•••"
    /// Hosts whose names do not reveal whose page it is.
    private static let hosts = [
        "linkedin.com", "github.com", "gitlab.com", "xing.com", "x.com", "twitter.com",
        "instagram.com", "facebook.com", "medium.com", "stackoverflow.com",
    ]

    /// Enough for the user to recognise the value, and no more.
    package static func masked(_ field: Profile.Field, _ value: String) -> String {
        switch field {
        case .name, .employer:
            value.split(whereSeparator: \.isWhitespace).map { "\($0.prefix(1))\(dots)" }
                .joined(separator: " ")
        case .email:
            "\(value.prefix(1))\(dots)@\(dots).\(value.split(separator: ".").last ?? "")"
        case .phone, .identifier:
            "\(dots) \(String(value.filter { $0.isLetter || $0.isNumber }.suffix(2)))"
        case .address, .birthDate: dots
        case .url:
            "\(hosts.first { value.lowercased().contains("\($0)/") } ?? dots)/\(dots)"
        }
    }
}
