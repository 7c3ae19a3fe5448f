import AgentCore
import Base
import Documents
import Persistence
import Privacy

/// Decides what of an item may be disclosed to anyone but the user at the terminal: models,
/// tools, files attached to a message. Résumés, job adverts and letters are disclosed with
/// placeholders, notes about the user not at all, everything else unchanged.
///
/// Every disclosure of an item is decided here, and nowhere else. If it is unknown whose
/// résumé or letter it is, nothing is disclosed.
package struct ItemDisclosure: Sendable {
    /// The profile's data about the user.
    package typealias Person = @Sendable () async throws -> PersonalData
    /// The people a text of that kind identifies by its form: the head of a résumé, the
    /// contact of an advert.
    package typealias People = @Sendable (_ kind: ItemKind, _ text: String) -> PersonalData

    private let library: LibraryStore
    private let person: Person
    private let people: People

    package init(
        library: LibraryStore, person: @escaping Person,
        people: @escaping People = { _, _ in PersonalData() }
    ) {
        self.library = library
        self.person = person
        self.people = people
    }

    /// Uses the profile, the heads of résumés and the contacts of adverts.
    package init(library: LibraryStore, profile: ProfileFile) {
        self.init(
            library: library, person: { try await profile.read().person },
            people: { kind, text in
                switch kind {
                // A text that cannot be read as such identifies no one by its form.
                case .resume: (try? Resume.read(text))?.person ?? PersonalData()
                case .job: (try? JobAdvert.read(text))?.person ?? PersonalData()  // As above.
                default: PersonalData()
                }
            })
    }

    /// An item with placeholders, and the map to reverse them.
    package struct Redacted: Sendable {
        package var item: LibraryItem
        package var map: RedactionMap
        /// Data that must not be in a request.
        package var withheld: PersonalData

        /// A placeholder left in a restored text, which a model has invented. A placeholder in the
        /// item's own text is literal.
        func leftOver(in text: String) -> String? {
            var rest = text[...]
            while let open = rest.firstIndex(of: "[") {
                rest = rest[rest.index(after: open)...]
                guard let close = rest.firstIndex(of: "]") else { return nil }
                let name = rest[..<close]
                let isOurs = PersonalData.Kind.allCases.contains { kind in
                    let number = name.dropFirst(kind.placeholder.count)
                    return name.hasPrefix(kind.placeholder)
                        && (number.isEmpty
                            || number.first == "_" && Int(number.dropFirst()) != nil)
                }
                if isOurs, !item.body.contains("[\(name)]") { return "[\(name)]" }
            }
            return nil
        }
    }

    /// Nil for a kind that is disclosed unchanged.
    /// - Throws: `DisclosureRefusal`; `ProfileError` if the profile cannot be read.
    package func redacted(_ item: LibraryItem) async throws -> Redacted? {
        // Conversations get these anyway, if the user wants it.
        if item.kind == .memory { throw DisclosureRefusal(item: item.id, kind: item.kind) }
        guard item.kind.privacy == .redact else { return nil }
        let withheld = try await person().merging(people(behind: item))
        // An advert is about a company; its contacts have known forms.
        if item.kind != .job, withheld.values(of: .name).isEmpty {
            throw DisclosureRefusal(item: item.id, kind: item.kind)
        }
        let redactor = Redactor(withheld)
        var map = RedactionMap(avoiding: "\(item.title)\n\(item.body)")
        var redacted = item
        redacted.body = redactor.redact(item.body, into: &map)
        redacted.title = redactor.redact(item.title, into: &map)
        redacted.tags = item.tags.map { Self.redacted(tag: $0, redactor, &map) }
        // Requests, answers, sources: none of these are disclosed.
        redacted.metadata = JSONObject()
        return Redacted(item: redacted, map: map, withheld: withheld)
    }

    /// Tags are in lower case, in which a short name is an ordinary word; a tag that is a
    /// name when capitalised reveals the name.
    private static func redacted(
        tag: String, _ redactor: Redactor, _ map: inout RedactionMap
    ) -> String {
        var isStart = true
        let written = tag.reduce(into: "") { text, character in
            text += isStart ? character.uppercased() : String(character)
            isStart = !character.isLetter
        }
        if redactor.findings(in: tag).isEmpty, !redactor.findings(in: written).isEmpty {
            return redactor.redact(written, into: &map)
        }
        return redactor.redact(tag, into: &map)
    }

    /// The item in the form that may leave the machine.
    package func disclosed(_ item: LibraryItem) async throws -> LibraryItem {
        try await redacted(item)?.item ?? item
    }

    /// A search hit in the form that may leave the machine; nil if the words match only undisclosed
    /// text.
    package func disclosed(
        _ hit: LibraryHit, finding query: SearchQuery
    ) async throws -> LibraryHit? {
        guard let item = try await redacted(hit.item)?.item else { return hit }
        let snippet = SearchSnippet(item.body, finding: query)
        let texts = [item.title, item.tags.joined(separator: " ")]
        let isFound =
            snippet.spans.contains(where: \.isMatch)
            || texts.contains {
                SearchSnippet($0, finding: query).spans.contains(where: \.isMatch)
            }
        return isFound ? LibraryHit(item: item, snippet: snippet) : nil
    }

    /// A sentence of ours that may name such items, in the form that may leave
    /// the machine.
    package func text(_ text: String) async throws -> String {
        let kinds = ItemKind.disclosedRedacted
        var items = try await library.items(ItemFilter(kinds: kinds, limit: Self.limit))
        items += try await library.items(
            ItemFilter(kinds: kinds, isTrashed: true, limit: Self.limit))
        if items.isEmpty { return text }
        var withheld = try await person()
        for item in items { withheld = withheld.merging(people(item.kind, item.body)) }
        var map = RedactionMap(avoiding: text)
        return Redactor(withheld).redact(text, into: &map)
    }

    /// Maximum number of items, the newest first, that are considered for a sentence.
    private static let limit = 200

    /// The people identified by the item and its sources.
    private func people(behind item: LibraryItem) async throws -> PersonalData {
        var found = people(item.kind, item.body)
        for source in ["resume", "job"] {
            guard let name = item.metadata[source]?["item"]?.stringValue,
                let id = ItemID(name), let other = try await library.item(id)
            else { continue }
            found = found.merging(people(other.kind, other.body))
        }
        return found
    }
}

/// The reason why nothing of an item is disclosed: its owner is unknown, or it is a note about the
/// user.
package struct DisclosureRefusal: Error, Sendable, Equatable {
    var item: ItemID
    var kind: ItemKind
}

extension DisclosureRefusal: DescribedError {
    package var diagnostic: Diagnostic {
        if kind == .memory {
            return Diagnostic(
                "\(item) is a note about you and was not sent.",
                todo: "Models get these only through chat memory.", exit: .refused,
                namesCommands: true)
        }
        return Diagnostic(
            "\(item) is a \(kind) and was not sent: chat does not know which name to take out.",
            todo: "Set your name, once: chat profile set name", exit: .refused,
            namesCommands: true)
    }
}
