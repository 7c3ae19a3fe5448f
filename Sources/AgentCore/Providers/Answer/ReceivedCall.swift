import Base

/// A tool call while its pieces arrive, for all wire formats. Never larger than a call to our tools
/// can be, whatever a server sends: excess bytes are dropped as they arrive, and the call becomes
/// one that cannot run.
struct ReceivedCall: Sendable {
    static let argumentLimit = ToolCall.argumentLimit
    static let wordLimit = ToolCall.wordLimit
    /// Maximum number of calls in one answer; a message of the user gets 25.
    static let countLimit = 128
    private static let nameNotKept = "name_not_kept"

    var itemID: String? { didSet { if isRefused(itemID) { itemID = nil } } }
    var id = "" {
        didSet {
            guard isRefused(id) else { return }
            id = ""
            isTooLarge = true
        }
    }
    var name = "" {
        didSet { if isRefused(name) { name = Self.nameNotKept } }
    }
    private(set) var arguments = ""
    private(set) var isTooLarge = false

    var hasArguments: Bool { isTooLarge || !arguments.isEmpty }
    /// Whether the arguments are one whole JSON object.
    var isWhole: Bool { !isTooLarge && call(id: "").hasReadableArguments }

    mutating func append(arguments piece: String) {
        if isTooLarge { return }
        isTooLarge = arguments.utf8.count + piece.utf8.count > Self.argumentLimit
        if isTooLarge { arguments = "" } else { arguments += piece }
    }

    mutating func replace(arguments whole: String) {
        arguments = ""
        append(arguments: whole)
    }

    /// - Parameter id: used if the server sent none.
    func call(id other: @autoclosure () -> String) -> ToolCall {
        ToolCall(
            id: id.isEmpty ? other() : id, name: name,
            arguments: isTooLarge ? ToolCall.notKept : arguments.isEmpty ? "{}" : arguments,
            itemID: itemID)
    }

    /// Merges calls that have arguments but no name into the one before: the server sent a call's
    /// arguments under a different index.
    static func joined<Slot>(
        _ slots: [Slot], call: WritableKeyPath<Slot, ReceivedCall>
    ) -> [Slot] {
        slots.reduce(into: []) { joined, slot in
            let stray = slot[keyPath: call]
            guard stray.name.isEmpty, stray.hasArguments, let last = joined.indices.last,
                !joined[last][keyPath: call].name.isEmpty,
                !joined[last][keyPath: call].isWhole
                    || !joined[last][keyPath: call].hasArguments
            else { return joined.append(slot) }
            joined[last][keyPath: call].append(arguments: stray.arguments)
        }
    }

    /// Names and ids are stored and shown, so one that contains a key is dropped too.
    private func isRefused(_ word: String?) -> Bool {
        guard let word else { return false }
        return word.utf8.count > Self.wordLimit || KeyShape.isFound(in: word)
    }
}
