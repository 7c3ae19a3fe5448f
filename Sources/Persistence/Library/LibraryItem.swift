import AgentCore
import Base
import FoundationEssentials

/// A library item in its current state: an idea, a draft, a transcript, a prompt. Earlier states
/// are in its revisions.
///
/// Its title and body may be untrusted text, which has to pass the allow-list before it is shown in
/// a terminal.
package struct LibraryItem: Sendable, Equatable {
    package var id: ItemID
    /// A UUID, the same on every machine, by which a backup identifies the item.
    package var uid: String
    package var kind: ItemKind
    package var title: String
    package var body: String
    package var metadata: JSONObject
    /// Normalised by `ItemTag.normalised`, in their order.
    package var tags: [String]
    package var created: Date
    package var updated: Date
    /// The number of the current revision.
    package var revision: Int
    package var trashed: Date?
    /// Whether it contains untrusted text or was made from some.
    package var hasUntrustedText: Bool
}

/// The number of an item, `i12`; never reused.
package struct ItemID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// - Parameter text: `i12` or `12`; `l12` for a letter, `s12` for a story, see `names`.
    package init?(_ text: some StringProtocol) {
        let digits =
            text.first.map { "iIlLsS".contains($0) } ?? false ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
            let number = Int64(digits), number > 0
        else { return nil }
        rawValue = number
    }

    package var description: String { "i\(rawValue)" }

    /// Whether an id as typed may refer to an item of that kind: `l12` can only be a letter.
    package static func names(_ kind: ItemKind, _ words: some StringProtocol) -> Bool {
        switch words.first {
        case "l", "L": kind == .letter
        case "s", "S": kind == .story
        default: true
        }
    }

    package static func < (one: ItemID, other: ItemID) -> Bool { one.rawValue < other.rawValue }
}

/// The kind of an item. Kinds of a later version are preserved.
package struct ItemKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package var description: String { rawValue }

    package static let idea = ItemKind(rawValue: "idea")
    package static let draft = ItemKind(rawValue: "draft")
    package static let transcript = ItemKind(rawValue: "transcript")
    package static let prompt = ItemKind(rawValue: "prompt")
    package static let story = ItemKind(rawValue: "story")
    package static let letter = ItemKind(rawValue: "letter")
    package static let resume = ItemKind(rawValue: "resume")
    package static let job = ItemKind(rawValue: "job")
    /// A note about the user, given to conversations.
    package static let memory = ItemKind(rawValue: "memory")

    /// The id with the prefix of the kind, such as `s12`, for places that list
    /// only this kind.
    package func id(_ id: ItemID) -> String {
        switch self {
        case .letter: "l\(id.rawValue)"
        case .story: "s\(id.rawValue)"
        default: "\(id)"
        }
    }

    /// Kinds that identify a person: a model gets them with placeholders or not at all.
    package static let disclosedRedacted = [letter, resume, job]

    /// The receivers to which an item of this kind may be sent.
    package var privacy: PrivacyClass {
        Self.disclosedRedacted.contains(self) ? .redact : .public
    }
}

/// The contents of a new item.
package struct ItemDraft: Sendable, Equatable {
    package var kind: ItemKind
    package var title: String
    package var body: String
    package var metadata: JSONObject
    package var tags: [String]

    package init(
        kind: ItemKind, title: String, body: String, metadata: JSONObject = JSONObject(),
        tags: [String] = []
    ) {
        self.kind = kind
        self.title = title
        self.body = body
        self.metadata = metadata
        self.tags = tags
    }
}

/// Changes to an item; nil fields stay as they are.
package struct ItemChange: Sendable, Equatable {
    package var title: String?
    package var body: String?
    package var metadata: JSONObject?
    package var tags: [String]?

    /// Whether none of the old contents are kept.
    package var replacesEverything: Bool {
        title != nil && body != nil && metadata != nil && tags != nil
    }

    package init(
        title: String? = nil, body: String? = nil, metadata: JSONObject? = nil,
        tags: [String]? = nil
    ) {
        self.title = title
        self.body = body
        self.metadata = metadata
        self.tags = tags
    }
}

/// The author of a revision.
package struct RevisionOrigin: Sendable, Equatable {
    package enum Maker: String, Sendable, CaseIterable { case user, model, tool }

    package var by: Maker
    /// The name of the model or the tool.
    package var name: String?
    /// The id of the conversation in which it was made.
    package var conversation: String?
    /// Whether it may contain untrusted text.
    package var hasUntrustedText: Bool

    package init(
        by: Maker, name: String? = nil, conversation: String? = nil,
        hasUntrustedText: Bool = false
    ) {
        self.by = by
        self.name = name
        self.conversation = conversation
        self.hasUntrustedText = hasUntrustedText
    }

    /// Typed or chosen at the keyboard.
    package static let user = RevisionOrigin(by: .user)
}

/// One revision of an item.
package struct ItemRevision: Sendable, Equatable {
    package var item: ItemID
    /// Counts from 1, in the order of creation.
    package var number: Int
    package var title: String
    package var body: String
    package var metadata: JSONObject
    package var tags: [String]
    package var made: Date
    package var origin: RevisionOrigin
    /// Whether it was based on a revision that was not current any longer, and is kept as a
    /// conflict.
    package var isConflict: Bool
}

/// The result of a change.
package enum ItemUpdate: Sendable, Equatable {
    /// The change had no effect: there is no new revision.
    case unchanged(LibraryItem)
    case changed(LibraryItem)
    /// The item keeps the current version; the new text is stored as a separate revision.
    case conflict(LibraryItem, kept: ItemRevision)

    /// The item in its current state.
    package var item: LibraryItem {
        switch self {
        case .unchanged(let item), .changed(let item), .conflict(let item, _): item
        }
    }
}

/// One step that can be undone, with all the items it changed.
package struct LibraryStep: Sendable, Equatable {
    package struct Change: Sendable, Equatable {
        package var item: ItemID
        package var kind: ItemKind
        package var title: String
        /// 0 if the item did not exist.
        package var revisionBefore: Int
        package var revisionAfter: Int
        package var wasTrashed: Bool
        package var isTrashed: Bool
    }

    /// A UUID.
    package var id: String
    /// "saved", "edited", "deleted", "restored".
    package var verb: String
    package var changes: [Change]
    package var made: Date
    /// nil if it is in effect.
    package var undone: Date?
    /// Whether this process made, undid or redid it.
    package var isOwn: Bool
}

/// Selects items.
package struct ItemFilter: Sendable, Equatable {
    package enum Order: Sendable { case latestChange, newest, oldest }

    /// Empty for all.
    package var kinds: [ItemKind]
    /// The tag as `ItemTag.normalised` writes it.
    package var tag: String?
    package var isTrashed: Bool
    /// The trash has only one order: the latest deletion first.
    package var order: Order
    package var limit: Int?

    package init(
        kinds: [ItemKind] = [], tag: String? = nil, isTrashed: Bool = false,
        order: Order = .latestChange, limit: Int? = nil
    ) {
        self.kinds = kinds
        self.tag = tag.map(ItemTag.normalised)
        self.isTrashed = isTrashed
        self.order = order
        self.limit = limit
    }
}

/// An item that matches a search.
package struct LibraryHit: Sendable, Equatable {
    package var item: LibraryItem
    package var snippet: SearchSnippet

    package init(item: LibraryItem, snippet: SearchSnippet) {
        self.item = item
        self.snippet = snippet
    }
}

/// A tag of an item. Pure.
package enum ItemTag {
    /// The tag in lower case, without spaces and `#`; may be empty.
    package static func normalised(_ tag: String) -> String {
        SearchText.folded(tag).split(whereSeparator: { $0 == " " || $0 == "#" || $0 == "," })
            .joined(separator: "-")
    }

    /// Normalised tags without duplicates or empty ones, in their order.
    package static func normalised(_ tags: [String]) -> [String] {
        tags.map(normalised).reduce(into: []) { all, tag in
            if !tag.isEmpty, !all.contains(tag) { all.append(tag) }
        }
    }
}
