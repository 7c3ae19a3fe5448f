import Base
import ChatKit
import Library
import Persistence
import TerminalKit

/// The parsed arguments of `/keep`. Pure.
///
///     /keep                        the last answer, as a draft
///     /keep 2                      its second code block
///     /keep as idea Tea cups       as an idea of that title
struct KeepRequest: Equatable {
    /// Number of the code block, from 1.
    var block: Int?
    var kind = ItemKind.draft
    var title: String?

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        if let first = rest.first, let number = Int(first) {
            guard number > 0 else { throw Self.usage("Code blocks are counted from 1.") }
            block = number
            rest = rest.dropFirst()
        }
        if rest.first == "as" {
            rest = rest.dropFirst()
            switch rest.popFirst() {
            case "idea": kind = .idea
            case "draft": kind = .draft
            case let other:
                throw Self.usage(
                    other.map { "An answer cannot be kept as \"\(KeyShape.shown($0))\"." }
                        ?? "/keep as needs a kind.")
            }
        }
        let title = rest.joined(separator: " ").trimmingSpace()
        self.title = title.isEmpty ? nil : title
    }

    private static func usage(_ problem: String) -> UsageError {
        UsageError(problem, hint: "/keep [N] [as idea|draft] [TITLE]")
    }

    /// The answer, or its code block.
    func part(of answer: String) throws(UsageError) -> String {
        guard let block else { return answer }
        return try MarkdownCode.block(block, of: answer)
    }
}

extension MarkdownCode {
    /// The text of a code block of an answer, counted from 1.
    static func block(_ number: Int, of answer: String) throws(UsageError) -> String {
        let blocks = blocks(in: answer)
        guard blocks.indices.contains(number - 1) else {
            let count = Quantities.count(blocks.count, "code block")
            throw UsageError("The last answer has \(blocks.isEmpty ? "no code block" : count).")
        }
        return blocks[number - 1].text
    }
}
