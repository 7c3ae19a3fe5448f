import TestSupport

/// Random documents from a grammar of constructs, with stray marks in between.
struct RandomMarkdown {
    var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func document() -> String {
        let count = number(1, 6)
        return blocks(0, count).joined(separator: "\n") + "\n"
    }

    /// Marks and words in any order.
    mutating func soup() -> String {
        let tokens = [
            "*", "**", "_", "~~", "`", "```", "[", "]", "(", ")", "![", "](", "<", ">", "&", ";",
            "#",
            "-", "+", "1.", "=", "|", "\\", "\n", "\n\n", " ", "    ", "\t", "a", "word", "é", "中",
            "👩‍🚀", "e\u{301}", "\u{202E}", "http://", "www.", "&#", "&amp;", "<!--", "-->", "[x]",
            ":",
            "\u{0}", "|-|", "---",
        ]
        return (0..<number(1, 60)).map { _ in pick(tokens) }.joined()
    }

    private mutating func number(_ low: Int, _ high: Int) -> Int {
        Int.random(in: low...high, using: &random)
    }

    private mutating func pick<T>(_ all: [T]) -> T { all[number(0, all.count - 1)] }

    private mutating func word() -> String {
        if random.once(in: 20) {
            return pick(["1.", "-", ">", "#tag", "|", "~", "`", "*", "_", "["])
        }
        return pick([
            "alpha", "beta", "gamma", "foo", "x", "snake_case_name", "3.14", "C++", "été", "中文",
            "a.b", "I/O", "\"quoted\"", "don't", "🙂", "&amp;", "&copy;", "5 * 3", "(see)",
            "\\*esc\\*",
        ])
    }

    private mutating func text(_ count: Int) -> String {
        (0..<count).map { _ in word() }.joined(separator: " ")
    }

    private mutating func inline(_ depth: Int = 0) -> String {
        var parts: [String] = []
        for _ in 0..<number(1, 4) { parts.append(inlinePart(depth)) }
        return parts.joined(separator: random.once(in: 6) ? "" : " ")
    }

    private mutating func inlinePart(_ depth: Int) -> String {
        if depth > 2 { return text(number(1, 3)) }
        switch number(0, 14) {
        case 0: return "*" + inline(depth + 1) + "*"
        case 1: return "**" + inline(depth + 1) + "**"
        case 2: return "_" + inline(depth + 1) + "_"
        case 3: return "`" + pick(["code", "a b", "x*y", "``", "<b>", "a&amp;b"]) + "`"
        case 4:
            let target = pick(["/url", "http://e.com/a_b", "</a b>", "/u \"title\"", "/p(a)"])
            return "[" + inline(depth + 1) + "](" + target + ")"
        case 5: return "~~" + text(2) + "~~"
        case 6:
            return pick([
                "<http://a.b/c>", "https://example.com/x?a=b", "![img](/i.png)", "<a@b.co>",
                "[ref]",
                "[foo][ref]", "***both***", "__init__", "<b>", "\\\\",
            ])
        case 7: return depth == 0 ? pick(["  \nhard", "\\\nhard", "\nsoft"]) : "z"
        default: return text(number(1, 4))
        }
    }

    private mutating func lines(_ depth: Int = 0) -> [String] {
        inline(depth).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private mutating func blocks(_ depth: Int, _ count: Int) -> [String] {
        var out: [String] = []
        for index in 0..<count {
            if index > 0, !random.once(in: 7) { out.append("") }
            out += block(depth)
        }
        return out.isEmpty ? ["x"] : out
    }

    private mutating func block(_ depth: Int) -> [String] {
        switch number(0, 11) {
        case 0: return [String(repeating: "#", count: number(1, 6)) + " " + inline(1)]
        case 1: return lines(1) + [pick(["---", "===", "-"])]
        case 2: return [pick(["---", "***", "_ _ _"])]
        case 3: return fence()
        case 4: return (0..<number(1, 3)).map { _ in "    " + pick(["code", "  more", "<x>"]) }
        case 5 where depth < 3: return quote(depth)
        case 6 where depth < 3, 7 where depth < 3: return list(depth)
        case 8: return table()
        case 9:
            return pick([
                ["[ref]: /ref"], ["[ref]: <http://r.x> \"T\""], ["[a b]: /u", "'title'"],
                ["<div>", "*html*", "</div>"], ["text <b>bold</b> end"],
            ])
        default: return lines()
        }
    }

    private mutating func fence() -> [String] {
        let mark = pick(["```", "~~~", "````"])
        let inside = (0..<number(0, 4)).map { _ in
            pick(["let x = 1", "    indented", "", "# no", "- no", "*a*"])
        }
        let open = mark + pick(["", "swift", "py x"])
        return [open] + inside + (random.once(in: 9) ? [] : [mark])
    }

    private mutating func quote(_ depth: Int) -> [String] {
        let inside = blocks(depth + 1, number(1, 3))
        return inside.map { line in
            random.once(in: 14) ? line : (random.once(in: 9) ? ">" : "> ") + line
        }
    }

    private mutating func list(_ depth: Int) -> [String] {
        let bullet = pick(["- ", "* ", "+ ", "", "-   "])
        let (first, mark) = pick([(1, ". "), (2, ") "), (10, ". ")])
        var out: [String] = []
        for index in 0..<number(1, 4) {
            let marker = bullet.isEmpty ? String(first + index) + mark : bullet
            let inside = blocks(depth + 1, pick([1, 1, 1, 2, 3]))
            let task = depth == 0 && random.once(in: 7) ? pick(["[ ] ", "[x] "]) : ""
            out.append(marker + task + inside[0])
            for line in inside.dropFirst() {
                let indent = String(repeating: " ", count: marker.count)
                out.append(line.isEmpty || random.once(in: 20) ? line : indent + line)
            }
            if random.once(in: 3) { out.append("") }
        }
        return out
    }

    private mutating func table() -> [String] {
        let count = number(1, 4)
        func joined(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        var out = [joined((0..<count).map { _ in pick(["h", "**b**", "中文", "*i*"]) })]
        let rule = (0..<count).map { _ in pick(["---", ":--", "--:", ":-:"]) }
        out.append("|" + rule.joined(separator: "|") + "|")
        for _ in 0..<number(0, 4) {
            let width = max(1, count + pick([0, 0, 0, -1, 1]))
            let cells = (0..<width).map { _ in pick(["a\\|b", "", "`a`", "**b**", "é 中", "x y"]) }
            out.append(joined(cells))
        }
        return out
    }
}
