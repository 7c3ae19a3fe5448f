/// Places tools behind the `find_tools` result that gave them, so that the list at the head,
/// and with it the prompt cache, stays as it was. Pure.
///
/// The stored results decide, so that later requests have the same place.
struct LateTools {
    let head: [Tool]
    /// The tools behind a message, by its index.
    private(set) var behind: [Int: [Tool]] = [:]

    /// - Parameter first: number of tools that the conversation began with.
    init(_ tools: [Tool], first: Int, in messages: [Message]) {
        var late: Set<String> = []
        for (index, message) in messages.enumerated() {
            for case .toolResult(let result) in message.parts
            where result.name == FindTools.toolName && !result.isError {
                let names = FindTools.names(givenBy: result.text)
                behind[index, default: []] += tools.dropFirst(first).filter {
                    names.contains($0.name) && late.insert($0.name).inserted
                }
            }
        }
        head = tools.filter { !late.contains($0.name) }
    }
}
