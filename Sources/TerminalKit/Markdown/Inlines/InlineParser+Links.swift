/// Parses brackets: links and images, inline and by reference.
extension InlineParser {
    mutating func openBracket(isImage: Bool) {
        at += 1
        if !brackets.isEmpty { brackets[brackets.count - 1].hasBracketAfter = true }
        appendRange(bytes[(isImage ? at - 2 : at - 1)..<at]) { .text($0) }
        brackets.append(
            Bracket(
                piece: out.pieces.count - 1, isImage: isImage, position: at,
                delimiterBottom: delimiters.count - 1))
    }

    mutating func closeBracket() {
        let close = at
        at += 1
        guard let opener = brackets.last else {
            at = close
            return literal()
        }
        guard opener.isActive else {
            brackets.removeLast()
            at = close
            return literal()
        }
        if let link = inlineTarget() ?? referenceTarget(opener, close: close) {
            finishLink(opener, link)
        } else {
            brackets.removeLast()
            at = close
            literal()
        }
    }

    private mutating func finishLink(_ opener: Bracket, _ target: LinkReferences.Target) {
        let index = out.links.count
        out.links.append(
            InlineText.Link(url: target.url, title: target.title, isImage: opener.isImage))
        append(.closeLink(index))
        out.pieces[opener.piece] = .openLink(index)
        delimiters.match(above: opener.delimiterBottom)
        delimiters.drop(above: opener.delimiterBottom)
        brackets.removeLast()
        // Links do not nest.
        guard !opener.isImage else { return }
        var outer = brackets.count - 1
        while outer >= 0 {
            if !brackets[outer].isImage {
                guard brackets[outer].isActive else { break }
                brackets[outer].isActive = false
            }
            outer -= 1
        }
    }

    /// `(address "title")` right after the bracket.
    private mutating func inlineTarget() -> LinkReferences.Target? {
        guard at < bytes.count, bytes[at] == UInt8(ascii: "(") else { return nil }
        let start = LinkSyntax.skipSpace(bytes, at + 1)
        switch LinkSyntax.destination(bytes, at: start) {
        case .none: return nil
        case .unfinished: return cutTarget(bytes[min(start, bytes.count)...])
        case .found(let url, let urlEnd):
            let address = LinkSyntax.unescaped(bytes[url])
            let titleStart = LinkSyntax.skipSpace(bytes, urlEnd)
            guard titleStart < bytes.count else { return cutTarget(bytes[url]) }
            if bytes[titleStart] == UInt8(ascii: ")") {
                at = titleStart + 1
                return LinkReferences.Target(url: address, title: nil)
            }
            guard titleStart > urlEnd else { return nil }
            switch LinkSyntax.title(bytes, at: titleStart) {
            case .none: return nil
            case .unfinished: return cutTarget(bytes[url])
            case .found(let title, let titleEnd):
                let end = LinkSyntax.skipSpace(bytes, titleEnd)
                guard end < bytes.count else { return cutTarget(bytes[url]) }
                guard bytes[end] == UInt8(ascii: ")") else { return nil }
                at = end + 1
                return LinkReferences.Target(
                    url: address, title: LinkSyntax.unescaped(bytes[title]))
            }
        }
    }

    /// The target of a link if the text ends within the parentheses.
    private mutating func cutTarget(_ url: ArraySlice<UInt8>) -> LinkReferences.Target? {
        out.isOpen = true
        guard isOptimistic else { return nil }
        at = bytes.count
        return LinkReferences.Target(url: LinkSyntax.unescaped(url), title: nil)
    }

    private mutating func referenceTarget(
        _ opener: Bracket, close: Int
    ) -> LinkReferences.Target? {
        guard !references.isEmpty else {
            return nil
        }
        if case .found(let label, let end) = LinkSyntax.label(bytes, at: at), !label.isEmpty {
            guard let target = references[bytes[label]] else { return nil }
            at = end
            return target
        }
        guard !opener.hasBracketAfter, close - opener.position <= 1000,
            let target = references[bytes[opener.position..<close]]
        else { return nil }
        if at + 1 < bytes.count, bytes[at] == UInt8(ascii: "["), bytes[at + 1] == UInt8(ascii: "]")
        {
            at += 2
        }
        return target
    }
}
