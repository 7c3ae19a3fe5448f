/// Finds addresses on the web, with a scheme or without, and handles after the name of a
/// site. Pure.
///
/// Every address counts, as it may belong to a person. Names of products and companies that look
/// like an address (`Node.js`, `Booking.com`) stay.
struct LinkPattern {
    private let text: ScannedText
    private let labels: LabelScan

    init(_ text: ScannedText, _ labels: LabelScan) {
        self.text = text
        self.labels = labels
    }

    func ranges() -> [Range<Int>] {
        var found: [Range<Int>] = []
        var end = 0
        for index in text.units.indices where index >= end {
            let range: Range<Int>? =
                switch text.ascii(index) {
                case 0x3A: schemed(index)
                case 0x2E: bare(index)
                default: nil
                }
            if let range {
                found.append(range)
                end = range.upperBound
            }
        }
        return found + handles()
    }

    // MARK: - Addresses

    /// https://…, also "https: //".
    private func schemed(_ colon: Int) -> Range<Int>? {
        var start = colon
        while text.isWord(start - 1) || [0x2B, 0x2E].contains(text.ascii(start - 1)),
            colon - start < 12
        {
            start -= 1
        }
        while start < colon, !text.isLetter(start) { start += 1 }
        guard start < colon else { return nil }
        if text.ascii(colon + 1) == 0x2F, text.ascii(colon + 2) == 0x2F {
            let end = addressEnd(colon + 3)
            return end > colon + 4 ? start..<end : nil
        }
        let scheme = text.text(start..<colon)
        guard scheme == "mailto" || scheme == "tel" || scheme == "skype",
            !text.has(.blank, colon + 1)
        else { return nil }
        let end = addressEnd(colon + 1)
        return end > colon + 4 ? start..<end : nil
    }

    private func addressEnd(_ start: Int) -> Int {
        var end = start
        var open = 0
        while end < text.count, !text.has(.blank, end) {
            let unit = text.ascii(end)
            if [0x3C, 0x3E, 0x22, 0x60, 0x7C, 0x7B, 0x7D, 0x5C].contains(unit)
                || text.units[end] == 0xBB
            {
                break
            }
            if unit == 0x28 || unit == 0x5B { open += 1 }
            if unit == 0x29 || unit == 0x5D {
                if open == 0 { break }
                open -= 1
            }
            end += 1
        }
        while end > start,
            [0x2E, 0x2C, 0x3A, 0x3B, 0x21, 0x3F, 0x27, 0x2A, 0x5F].contains(text.ascii(end - 1))
        {
            // A handle may end with an underscore.
            if text.ascii(end - 1) == 0x5F, text.isWord(end - 2) { break }
            end -= 1
        }
        return end
    }

    /// An address without a scheme around the point: github.com/ida, www.idaberg.eu, ida.dev.
    private func bare(_ point: Int) -> Range<Int>? {
        guard text.isWord(point - 1), text.isWord(point + 1) else { return nil }
        var start = point
        while text.isWord(start - 1)
            || [0x2D, 0x5F].contains(text.ascii(start - 1)) && text.isWord(start - 2)
        {
            start -= 1
        }
        if text.ascii(start - 1) == 0x40 || text.ascii(start - 1) == 0x2E { return nil }
        var pieces = [start..<point]
        var index = point + 1
        while true {
            var end = index
            while text.isWord(end) || text.ascii(end) == 0x2D && text.isWord(end + 1) { end += 1 }
            pieces.append(index..<end)
            guard text.ascii(end) == 0x2E, text.isWord(end + 1) else { break }
            index = end + 1
        }
        guard let top = pieces.last, text.ascii(top.upperBound) != 0x40 else { return nil }
        let domain = text.text(top)
        let host = text.text(start..<top.upperBound)
        let hasPath =
            text.ascii(top.upperBound) == 0x2F && text.isWord(top.upperBound + 1)
            || text.ascii(top.upperBound) == 0x2F
                && [0x40, 0x7E].contains(text.ascii(top.upperBound + 1))
        if host.hasPrefix("www.") { return start..<addressEnd(top.upperBound) }
        guard RedactionWords.domains.contains(domain),
            pieces[0].contains(where: { text.isLetter($0) }),
            pieces.allSatisfy({ !$0.isEmpty })
        else { return nil }
        if !hasPath {
            if RedactionWords.brands.contains(host) { return nil }
            guard isPlausible(pieces, domain) else { return nil }
        }
        return start..<addressEnd(top.upperBound)
    }

    /// Whether words joined by points are a domain, unlike "e.g", "U.S", "main.py", "End.In the",
    /// ".NET".
    private func isPlausible(_ pieces: [Range<Int>], _ domain: String) -> Bool {
        guard let top = pieces.last else { return false }
        let name = pieces[pieces.count - 2]
        // "ASP.NET", and a sentence that lacks its blank: "done.In".
        if text.has(.upper, top.lowerBound), !text.has(.upper, top.lowerBound + 1) { return false }
        if domain == "net", text.has(.upper, top.lowerBound) { return false }
        if name.count == 1, pieces.count == 2 { return false }
        if RedactionWords.fileEndings.contains(domain), pieces.count == 2 {
            // ida.me and ida.is, but not "run.in" or "setup.py".
            guard ["me", "at", "be", "it", "in", "us", "net", "app", "to", "id"].contains(domain),
                name.count >= 4 || domain == "net", !text.has(.upper, top.lowerBound)
            else { return false }
        }
        return true
    }

    // MARK: - Handles

    /// Labels that are also words: the text after them is a handle only if it looks like
    /// one.
    private static let plainLabels: Set<String> = [
        "web", "website", "homepage", "portfolio", "blog", "line", "line id", "x", "signal",
        "medium",
        "threads", "strona", "sito", "sito web", "sitio web", "site web", "webseite", "discord",
    ]

    /// "Twitter: @ida_berg", "GitHub: idaberg".
    private func handles() -> [Range<Int>] {
        labels.hits(.handle).compactMap { hit in
            let (start, hasColon) = labels.value(behind: hit)
            let isMarked = text.ascii(start) == 0x40
            let first = isMarked ? start + 1 : start
            var end = first
            while text.isWord(end)
                || [0x2E, 0x5F, 0x2D, 0x2F].contains(text.ascii(end)) && text.isWord(end + 1)
            { end += 1 }
            guard end - first >= 3, text.ascii(end) != 0x40,
                hasColon || isMarked || (first..<end).contains(where: { text.ascii($0) == 0x5F })
            else { return nil }
            if isMarked { return start..<end }
            let hasSign = (first..<end).contains {
                text.isDigit($0) || [0x5F, 0x2D, 0x2E, 0x2F].contains(text.ascii($0))
            }
            let behind = text.skippingSpace(end)
            let isAlone =
                behind >= text.count || text.has(.newline, behind)
                || [0x7C, 0x2C, 0x3B, 0x29, 0x3E].contains(text.ascii(behind)) || behind - end > 1
                || behind > end && text.ascii(behind) == 0x2D
                || [0xB7, 0xBB, 0x2022].contains(text.units[behind])
            let isLower = !(first..<end).contains { text.has(.upper, $0) }
            let isSite = !Self.plainLabels.contains(text.text(hit.start..<hit.end))
            return isAlone && (hasSign || isSite && isLower && end - first >= 4)
                ? first..<end : nil
        }
    }
}
