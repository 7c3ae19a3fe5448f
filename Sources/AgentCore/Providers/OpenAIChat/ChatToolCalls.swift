/// Assembles tool calls from the fragments of Chat Completions chunks.
///
/// Written for what servers really send: whole calls in one fragment, no
/// index, an index that starts at 1 or is always 0, no id, a repeated or
/// empty name, arguments as an object instead of a string.
struct ChatToolCalls: Sendable {
    private struct Slot {
        var id: String
        var name: String
        var arguments: String
        var isAnnounced = false
    }

    private var slots: [Slot] = []
    /// From the server's index to the latest slot with it.
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
        let position = slot(index: fragment["index"]?.integerValue, id: id, name: name)
        if slots[position].id.isEmpty { slots[position].id = id }
        add(name: name, to: position)
        switch function["arguments"] {
        case .string(let piece): slots[position].arguments += piece
        case .object(let object):
            slots[position].arguments = JSONWriter.string(.object(object))
        default: break
        }
        if slots[position].isAnnounced || slots[position].name.isEmpty { return nil }
        slots[position].isAnnounced = true
        return slots[position].name
    }

    /// The calls in order. Those of an answer that was cut count only if
    /// their arguments are whole: an empty text may be the beginning of one.
    mutating func finished(isCut: Bool) -> [ToolCall] {
        // An id is made once, so that asking again gives the same calls.
        for position in slots.indices where slots[position].id.isEmpty {
            slots[position].id = newID()
        }
        return slots.compactMap { slot in
            if slot.name.isEmpty { return nil }
            if isCut, slot.arguments.isEmpty { return nil }
            let call = ToolCall(
                id: slot.id, name: slot.name,
                arguments: slot.arguments.isEmpty ? "{}" : slot.arguments)
            return isCut && !call.hasReadableArguments ? nil : call
        }
    }

    /// The slot a fragment belongs to; opens one where a new call begins.
    private mutating func slot(index: Int?, id: String, name: String) -> Int {
        let known = index.map { slotByIndex[$0] } ?? slots.indices.last
        if let known {
            let slot = slots[known]
            let hasOtherID = !id.isEmpty && !slot.id.isEmpty && id != slot.id
            // Without an id a name opens a call once the one before is whole.
            let isNextCall =
                id.isEmpty && !name.isEmpty && index == nil && !slot.arguments.isEmpty
                && ToolCall(id: "", name: "", arguments: slot.arguments).hasReadableArguments
            if !hasOtherID, !isNextCall { return known }
        }
        slots.append(Slot(id: "", name: "", arguments: ""))
        if let index { slotByIndex[index] = slots.count - 1 }
        return slots.count - 1
    }

    /// Some servers repeat the name with every fragment, some send it in
    /// pieces before the arguments begin.
    private mutating func add(name: String, to position: Int) {
        let known = slots[position].name
        if name.isEmpty || name == known { return }
        if known.isEmpty {
            slots[position].name = name
        } else if slots[position].arguments.isEmpty {
            slots[position].name += name
        }
    }
}
