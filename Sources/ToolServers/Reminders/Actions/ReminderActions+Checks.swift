import AgentCore
import ICalendar

/// What a reminder may hold, and which folder a list's name means.
extension ReminderActions {
    static func refusal(_ path: String, _ problem: String) -> ToolError {
        .invalidArguments([.init(path: path, problem: problem)])
    }

    func title(_ text: String) throws -> String {
        let title = TextValue.oneLine(text)
        if title.isEmpty { throw Self.refusal("$.title", "must say what to be reminded of") }
        if title.count > Self.titleLimit {
            throw Self.refusal("$.title", "must have at most \(Self.titleLimit) characters")
        }
        return title
    }

    func check(notes: String?, priority: Int?) throws {
        if let notes, notes.count > Self.notesLimit {
            throw Self.refusal("$.notes", "must have at most \(Self.notesLimit) characters")
        }
        if let priority, !(1...9).contains(priority) {
            throw Self.refusal("$.priority", "must be from 1 to 9")
        }
    }

    /// Without `#`, each once.
    func categories(_ texts: [String]) throws -> [String] {
        var result: [String] = []
        for text in texts {
            var tag = TextValue.oneLine(text)
            while tag.hasPrefix("#") { tag.removeFirst() }
            if tag.count > Self.categoryLimit || result.count >= Self.categoryLimit {
                throw Self.refusal(
                    "$.tags",
                    "may be \(Self.categoryLimit) of at most \(Self.categoryLimit) characters each")
            }
            if !tag.isEmpty, !result.contains(tag) { result.append(tag) }
        }
        return result
    }

    /// The folder of a list by its name or the name it shows, case aside; of
    /// one that does not exist yet the name itself.
    func folder(ofList name: String) async throws -> String {
        let wanted = TextValue.oneLine(name)
        let collections = try await store.collections()
        if let exact = collections.first(where: { $0.name == wanted }) { return exact.name }
        let folded = SearchText.folded(wanted)
        if let found = collections.first(where: {
            SearchText.folded($0.displayName) == folded || SearchText.folded($0.name) == folded
        }) {
            return found.name
        }
        guard Self.isListName(wanted) else {
            throw Self.refusal("$.list", "\"\(wanted.prefix(40))\" cannot be the name of a list")
        }
        return wanted
    }

    /// A folder's name that every program takes.
    private static func isListName(_ name: String) -> Bool {
        !name.isEmpty && name.count <= listNameLimit && !name.hasPrefix(".")
            && !name.hasSuffix(".tmp")
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "/" && $0.value != 0x7F }
    }
}
