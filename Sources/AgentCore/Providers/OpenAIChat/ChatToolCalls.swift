import Base

/// Assembles tool calls from the fragments of Chat Completions chunks.
///
/// Tolerates what servers really send: whole calls in one fragment, no index, an index that
/// starts at 1 or is always 0, no id or the same for several, a repeated or empty name,
/// arguments as an object instead of a string or under another index than their call.
struct ChatToolCalls: Sendable {
    private struct Slot {
        var call = ReceivedCall()
        var isAnnounced = false
        /// `extra_content`, which the model wants back with the call.
        var extra: JSONValue?
    }

    private var slots: [Slot] = []
    /// Maps the server's index to the latest slot with it.
    private var slotByIndex: [Int: Int] = [:]
    private let newID: @Sendable () -> String

    init(newID: @escaping @Sendable () -> String) {
        self.newID = newID
    }

    /// - Returns: the name of a call that begins with this fragment.
    mutating func take(_ fragment: JSONValue) -> String? {
        guard fragment.objectValue != nil else { return nil }
        let function = fragment["function"] ?? fragment
        let id = fragment["id"]?.stringValue ?? ""
        let name = function["name"]?.stringValue ?? ""
        let position = slot(
            index: fragment["index"]?.integerValue, id: id, name: name,
            arguments: function["arguments"])
        if slots[position].call.id.isEmpty { slots[position].call.id = id }
        add(name: name, to: position)
        switch function["arguments"] {
        case .string(let piece): slots[position].call.append(arguments: piece)
        case .object(let object):
            slots[position].call.replace(arguments: JSONWriter.string(.object(object)))
        default: break
        }
        if let extra = fragment["extra_content"], extra.objectValue != nil {
            slots[position].extra = extra
        }
        if slots[position].isAnnounced || slots[position].call.name.isEmpty { return nil }
        slots[position].isAnnounced = true
        return slots[position].call.name
    }

    /// The calls in order, each with the data to send back with it. If the answer was cut, a call
    /// counts only if its arguments are complete: an empty text may be the beginning of some.
    mutating func finished(isCut: Bool) -> [(call: ToolCall, extra: JSONValue?)] {
        // Two calls with the same id are separate, unless the server repeats one. An id is made
        // only once, so that asking again gives the same calls.
        var owners: [String: ReceivedCall] = [:]
        slots.removeAll { slot in
            guard !slot.call.id.isEmpty else { return false }
            let owner = owners[slot.call.id]
            if owner == nil { owners[slot.call.id] = slot.call }
            return owner?.name == slot.call.name && owner?.arguments == slot.call.arguments
        }
        var ids: Set<String> = []
        for position in slots.indices
        where slots[position].call.id.isEmpty || !ids.insert(slots[position].call.id).inserted {
            slots[position].call.id = newID()
        }
        return ReceivedCall.joined(slots, call: \.call).compactMap { slot in
            if slot.call.name.isEmpty { return nil }
            if isCut, !slot.call.hasArguments || !slot.call.isWhole { return nil }
            return (slot.call.call(id: newID()), slot.extra)
        }
    }

    /// The slot a fragment belongs to; opens one if a new call begins.
    private mutating func slot(
        index: Int?, id: String, name: String, arguments: JSONValue?
    ) -> Int {
        let known = index.map { slotByIndex[$0] } ?? slots.indices.last
        if let known {
            let call = slots[known].call
            let hasOtherID = !id.isEmpty && !call.id.isEmpty && id != call.id
            // Without an id, a name begins a new call once the previous one is complete, or has
            // another name and no arguments. Under the call's own index, servers repeat its name
            // even after its end.
            let isEmpty = arguments?.isBlank ?? true
            let isRepeated = index != nil && name == call.name && isEmpty
            let isOther =
                !call.hasArguments && !isEmpty && !call.name.isEmpty && name != call.name
            let isNextCall =
                id.isEmpty && !name.isEmpty && !isRepeated
                && (isOther || call.hasArguments && call.isWhole)
            if !hasOtherID, !isNextCall { return known }
        }
        slots.append(Slot())
        if let index { slotByIndex[index] = slots.count - 1 }
        return slots.count - 1
    }

    /// Some servers repeat the name with every fragment, some send it in
    /// pieces before the arguments begin.
    private mutating func add(name: String, to position: Int) {
        let known = slots[position].call.name
        if name.isEmpty || name == known { return }
        if known.isEmpty {
            slots[position].call.name = name
        } else if !slots[position].call.hasArguments {
            slots[position].call.name += name
        }
    }
}

extension JSONValue {
    /// A text without content.
    fileprivate var isBlank: Bool { stringValue.map { $0.allSatisfy(\.isWhitespace) } ?? isNull }
}
