import Base

/// Assembles tool calls from the fragments of Chat Completions chunks.
///
/// Written for what servers really send: whole calls in one fragment, no
/// index, an index that starts at 1 or is always 0, no id, a repeated or
/// empty name, arguments as an object instead of a string.
struct ChatToolCalls: Sendable {
    private struct Slot {
        var call = ReceivedCall()
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
        if slots[position].call.id.isEmpty { slots[position].call.id = id }
        add(name: name, to: position)
        switch function["arguments"] {
        case .string(let piece): slots[position].call.append(arguments: piece)
        case .object(let object):
            slots[position].call.replace(arguments: JSONWriter.string(.object(object)))
        default: break
        }
        if slots[position].isAnnounced || slots[position].call.name.isEmpty { return nil }
        slots[position].isAnnounced = true
        return slots[position].call.name
    }

    /// The calls in order. Those of an answer that was cut count only if
    /// their arguments are whole: an empty text may be the beginning of one.
    mutating func finished(isCut: Bool) -> [ToolCall] {
        // An id is made once, so that asking again gives the same calls.
        for position in slots.indices where slots[position].call.id.isEmpty {
            slots[position].call.id = newID()
        }
        return slots.compactMap { slot in
            if slot.call.name.isEmpty { return nil }
            if isCut, !slot.call.hasArguments || !slot.call.isWhole { return nil }
            return slot.call.call(id: newID())
        }
    }

    /// The slot a fragment belongs to; opens one where a new call begins.
    private mutating func slot(index: Int?, id: String, name: String) -> Int {
        let known = index.map { slotByIndex[$0] } ?? slots.indices.last
        if let known {
            let call = slots[known].call
            let hasOtherID = !id.isEmpty && !call.id.isEmpty && id != call.id
            // Without an id a name opens a call once the one before is whole.
            let isNextCall =
                id.isEmpty && !name.isEmpty && index == nil && call.hasArguments && call.isWhole
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
