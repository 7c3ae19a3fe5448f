import Base

/// Reports what the built-in proofreading noticed but did not correct, and what
/// it could not check: a few lines for stderr, everything for `--json`. Pure.
struct ProofreadingReport: Sendable {
    private struct Entry {
        /// The kind in one word, for programs.
        var kind: String
        /// Counted from 1, in the whole text; nil if it concerns all of it.
        var line: Int?
        var text = ""
        var suggestions: [String] = []
        var sentence: String
    }

    private var entries: [Entry] = []

    /// Maximum number of lines; more would push the result out of sight.
    static let shown = 5

    /// - Parameters:
    ///   - text: the text before the proofread part.
    ///   - language: as given by the user.
    init(
        _ result: WritingResult, behind text: String, language: String?,
        _ packages: PackageManager = .here
    ) {
        guard let proofreading = result.proofreading else { return }
        let bytes = Array(result.original.utf8)
        var line = 1 + Self.lineBreaks(text.utf8)
        var place = 0
        for remark in proofreading.remarks {
            let start = min(max(remark.range.lowerBound, place), bytes.count)
            line += Self.lineBreaks(bytes[place..<start])
            place = start
            entries.append(Self.entry(remark, line))
        }
        if proofreading.language == nil { entries.append(Self.unknownLanguage(language)) }
        if let missing = proofreading.missingSpelling {
            entries.append(Self.unchecked(missing, packages))
        }
    }

    private static func entry(_ remark: ProofreadingRemark, _ line: Int) -> Entry {
        var short = remark
        short.text = DisplayWidth.cut(remark.text, to: 40)
        var entry = Entry(kind: "sign", line: line, text: remark.text, sentence: short.sentence)
        if case .unknownWord(let suggestions) = remark.kind {
            entry.kind = "word"
            entry.suggestions = suggestions
        }
        return entry
    }

    private static func lineBreaks(_ bytes: some Sequence<UInt8>) -> Int {
        bytes.count { $0 == 0x0A }
    }

    private static func unknownLanguage(_ named: String?) -> Entry {
        Entry(
            kind: "language",
            sentence: named == nil
                ? "The language was not recognised; --language en or de names it."
                : "Without a model only English and German are proofread.")
    }

    private static func unchecked(_ missing: Speller.Missing, _ packages: PackageManager) -> Entry {
        let (reason, line) =
            switch missing {
            case .program: ("no hunspell", packages.line(forOneOf: ["hunspell"]))
            case .dictionary("de"):
                (
                    "no German dictionary",
                    packages == .apt ? "sudo apt install hunspell-de-de" : nil
                )
            case .dictionary:
                ("no English dictionary", packages.line(forOneOf: ["hunspell"]))
            }
        let remedy = line.map { ": \($0)" } ?? "."
        return Entry(kind: "spelling", sentence: "Spelling not checked, \(reason)\(remedy)")
    }

    // MARK: - Shown

    /// One line for each of the first few places, then the number of further ones;
    /// and one for remarks about the whole text.
    var lines: [StyledLine] {
        let (places, whole) = (entries.filter { $0.line != nil }, entries.filter { $0.line == nil })
        let some = places.prefix(Self.shown)
        var lines = some.map { entry in
            StyledLine("  line \(entry.line ?? 1): \(entry.sentence)", .dim)
        }
        if places.count > some.count {
            let more = Quantities.grouped(places.count - some.count)
            lines.append(StyledLine("  … and \(more) more", .dim))
        }
        return lines + whole.map { StyledLine("  \($0.sentence)", .dim) }
    }

    /// An array of objects: `kind` (`word`, `sign`, `language`, `spelling`), `line`
    /// and `text` if there is one, `suggestions` for a word, and `sentence`.
    var json: JSONValue {
        .array(
            entries.map { entry in
                var object = JSONObject([.init("kind", .string(entry.kind))])
                if let line = entry.line {
                    object["line"] = .integer(Int64(line))
                    object["text"] = .string(entry.text)
                }
                if entry.kind == "word" {
                    object["suggestions"] = .array(entry.suggestions.map { .string($0) })
                }
                object["sentence"] = .string(entry.sentence)
                return .object(object)
            })
    }
}
