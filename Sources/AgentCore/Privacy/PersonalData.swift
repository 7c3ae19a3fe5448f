import Base

/// Data that identifies a person: names, addresses, numbers. It stays on this machine; the
/// redactor puts placeholders in its place.
///
/// The values are as the user wrote them. The search decides in which other spellings it finds
/// them.
package struct PersonalData: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case name, email, phone, address, url
        case birthDate = "birth-date"
        /// A number that an authority or a bank issued: IBAN, PESEL, social security.
        case identifier
        /// The name of an employer, redacted only if the user asks for it.
        case employer

        /// The kind's name in placeholders: `[BIRTH_DATE]`.
        package var placeholder: String {
            String(rawValue.map { $0 == "-" ? "_" : $0 }).uppercased()
        }
    }

    package struct Entry: Sendable, Hashable {
        package var kind: Kind
        package var value: String

        package init(_ kind: Kind, _ value: String) {
            self.kind = kind
            self.value = value
        }
    }

    /// The entries, each once, in the order in which they were added.
    package private(set) var entries: [Entry] = []

    package init(_ entries: [Entry] = []) {
        for entry in entries { add(entry.kind, entry.value) }
    }

    package var isEmpty: Bool { entries.isEmpty }

    package func values(of kind: Kind) -> [String] {
        entries.filter { $0.kind == kind }.map(\.value)
    }

    /// Adds a value, unless it has no letter or digit.
    package mutating func add(_ kind: Kind, _ value: String) {
        let entry = Entry(kind, value.trimmingSpace())
        guard entry.value.contains(where: { $0.isLetter || $0.isNumber }),
            !entries.contains(entry)
        else { return }
        entries.append(entry)
    }

    package func merging(_ other: PersonalData) -> PersonalData {
        PersonalData(entries + other.entries)
    }
}
