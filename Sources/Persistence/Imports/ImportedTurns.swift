import AgentCore
import Base
import FoundationEssentials

/// Builds turns from a sequence of messages, as other programs store them: a user's message
/// opens a turn, the following ones belong to it.
struct ImportedTurns {
    private let provider: ProviderName
    /// The time of messages without one.
    private var time: Date
    private var turns: [StoredTurn] = []

    init(provider: ProviderName, start: Date) {
        self.provider = provider
        time = start
    }

    mutating func user(_ text: String, attachments: [Attachment] = [], time: Date?) {
        let message = Message(
            role: .user,
            parts: attachments.map(Part.attachment) + (text.isEmpty ? [] : [.text(text)]))
        if message.parts.isEmpty { return }
        self.time = time ?? self.time
        // Two in a row are one question: neither got an answer of its own.
        if let last = turns.indices.last, turns[last].turn.messages.allSatisfy({ $0.role == .user })
        {
            turns[last].turn.messages[0].parts += message.parts
            return
        }
        turns.append(
            StoredTurn(
                id: TurnID(0), turn: Turn(status: .done, messages: [message]), provider: provider,
                model: "", started: self.time, ended: self.time, note: nil, isPartial: false,
                times: [self.time]))
    }

    mutating func assistant(_ text: String, time: Date?, model: String) {
        guard !text.isEmpty else { return }
        // An answer without a question gets a placeholder.
        if turns.isEmpty { user("(no question)", time: time) }
        self.time = time ?? self.time
        let last = turns.count - 1
        let message = Message(
            role: .assistant, parts: [.text(text)],
            origin: ModelOrigin(provider: provider, format: .none, model: model))
        turns[last].turn.messages.append(message)
        turns[last].times.append(self.time)
        turns[last].ended = self.time
        turns[last].model = model
    }

    /// The turns; one without an answer is marked.
    func finished() -> [StoredTurn] {
        turns.map { stored in
            var stored = stored
            if stored.turn.messages.count == 1 { stored.turn.status = .interrupted }
            return stored
        }
    }
}

/// Counts of the parts of an export that are not imported, by kind: nothing is dropped
/// uncounted.
package struct LeftOut: Equatable {
    package enum Kind: CaseIterable {
        case otherBranch, tool, thinking, hidden, citation, unknown
    }

    private var counts: [Kind: Int] = [:]

    package init() {}

    package subscript(kind: Kind) -> Int {
        get { counts[kind] ?? 0 }
        set { counts[kind] = newValue == 0 ? nil : newValue }
    }

    package var total: Int { counts.values.reduce(0, +) }

    package static func += (sum: inout LeftOut, more: LeftOut) {
        for kind in Kind.allCases { sum[kind] += more[kind] }
    }

    /// Nil if everything was imported.
    package var notice: String? {
        if total == 0 { return nil }
        let parts = Kind.allCases.filter { self[$0] > 0 }.map { kind in
            let number = self[kind]
            return switch kind {
            case .otherBranch: Quantities.count(number, "message") + " on other branches"
            case .tool:
                Quantities.count(number, "call or result", plural: "calls and results")
                    + " of tools"
            case .thinking: Quantities.count(number, "piece") + " of thinking"
            case .hidden: Quantities.count(number, "hidden message")
            case .citation: Quantities.count(number, "citation mark")
            case .unknown:
                Quantities.count(number, "entry", plural: "entries") + " not understood"
            }
        }
        return "Left out: \(parts.joined(separator: ", "))."
    }
}
