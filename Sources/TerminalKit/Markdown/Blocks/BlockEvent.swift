/// What a line did to the structure of the text. A tree and a stream of lines
/// are both made of these.
package enum BlockEvent: Equatable, Sendable {
    case open(Container)
    /// The innermost container ends; of a list, whether empty lines part it.
    case close(isLoose: Bool)
    /// An empty line outside of code.
    case blank
    /// The item just opened is a task.
    case task(isDone: Bool)

    /// Every text line of a paragraph without its indentation; the first opens it.
    case paragraphLine([UInt8])
    case paragraphEnd
    /// The open paragraph was a heading all along.
    case paragraphIsHeading(level: Int)

    case heading(level: Int, [UInt8])
    case rule

    case codeOpen(info: [UInt8])
    case codeLine([UInt8])
    case codeEnd

    case htmlLine([UInt8])
    case htmlEnd

    /// The last line of the open paragraph was the head of a table.
    case tableOpen([TableRow.Alignment])
    case tableRow([UInt8])
    case tableEnd

    package enum Container: Equatable, Sendable {
        case quote
        case list(ListKind)
        case item
    }

    package struct ListKind: Equatable, Sendable {
        /// `-`, `+`, `*`, or what follows the number.
        var marker: UInt8
        var start: Int?
    }
}
