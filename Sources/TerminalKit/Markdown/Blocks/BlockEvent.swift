/// A change that a line makes to the structure of the text. Both a tree and a stream of lines are
/// built from these events.
package enum BlockEvent: Equatable, Sendable {
    case open(Container)
    /// The innermost container ends; for a list, whether empty lines separate its items.
    case close(isLoose: Bool)
    /// An empty line outside of code.
    case blank
    /// The item just opened is a task.
    case task(isDone: Bool)

    /// A text line of a paragraph without its indentation; the first opens it.
    case paragraphLine([UInt8])
    case paragraphEnd
    /// The open paragraph has turned out to be a heading.
    case paragraphIsHeading(level: Int)

    case heading(level: Int, [UInt8])
    case rule

    case codeOpen(info: [UInt8])
    case codeLine([UInt8])
    case codeEnd

    case htmlLine([UInt8])
    case htmlEnd

    /// The last line of the open paragraph has turned out to be the head of a table.
    case tableOpen([TableRow.Alignment])
    case tableRow([UInt8])
    case tableEnd

    package enum Container: Equatable, Sendable {
        case quote
        case list(ListKind)
        case item
    }

    package struct ListKind: Equatable, Sendable {
        /// `-`, `+`, `*`, or the character after the number.
        var marker: UInt8
        var start: Int?
    }
}
