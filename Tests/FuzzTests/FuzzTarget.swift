/// One way in for text of others, as a function of bytes: what the fuzzer runs with inputs of
/// its own (`make fuzz`), and the tests with a sample of the corpus and with pathological texts.
struct FuzzTarget: Sendable {
    /// Also the folder of its corpus.
    let name: String
    /// - Throws: `Broken` where what always holds does not. What the text does wrong is no error.
    let run: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ run: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.run = run
    }

    struct Broken: Error { let what: String }

    static func demand(_ claim: Bool, _ what: String) throws {
        if !claim { throw Broken(what: what) }
    }

    static let all = [
        allowList, answers, books, calendars, claims, configuration, dates, deflate, events, fields,
        globs, imports, json, keys, markdown, messages, pages, quotations, redaction, rules, sounds,
        words, zips, zones,
    ]
}
