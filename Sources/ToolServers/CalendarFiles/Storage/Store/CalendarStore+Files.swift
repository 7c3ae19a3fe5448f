import Base
import FoundationEssentials
import Glibc

/// Finds files: checks every one, and reads those that may match.
///
///     few files, or no filter    read all
///     many                       the index says which need not be read → stat
///                                these → read the others → teach the index
///
/// The result is the same with and without an index. Everything returned was
/// just read from its file.
extension CalendarStore {
    /// Number of files below which reading all of them takes less time than asking the index
    /// (measured: at 1,000 files 10 ms without it and 4 ms with it).
    static let indexThreshold = 1_000

    /// Ordered by collection and file name.
    package func files(_ selection: Selection = Selection()) throws -> Files {
        let found = try files(selection) { $0 }
        return Files(files: found.values, problems: found.problems)
    }

    /// A value made from each file, for callers that need nothing else. It is made while reading,
    /// on all cores, so that even with ten thousand files their contents are not all in memory.
    ///
    /// - Parameter make: called on several threads.
    package func files<Value: Sendable>(
        _ selection: Selection, _ make: @escaping @Sendable (File) -> Value
    ) throws -> (values: [Value], problems: [Problem]) {
        let filter = Filter(selection)
        let folders = try collections().map { ($0, try directory($0.path).names()) }
        let count = folders.reduce(0) { $0 + $1.1.count }
        var result: (values: [Value], problems: [Problem]) = ([], [])
        for (collection, names) in folders where !names.isEmpty {
            let isIndexed = filter.isSelective && count >= indexThreshold
            let entries =
                isIndexed ? index?.entries(of: collection.path, words: filter.words) : nil
            try read(names, of: collection, filter, known: entries, make, into: &result)
        }
        return result
    }

    /// A selection prepared for comparison with many files.
    struct Filter: Sendable {
        let selection: Selection
        let words: [String]

        init(_ selection: Selection) {
            self.selection = selection
            words = FileFacts.words(selection.text)
        }

        var isSelective: Bool { selection != Selection() }

        /// The text of a huge file is checked by its reader: folding ten
        /// megabytes of hostile text takes several times as much memory.
        func wants(_ facts: FileFacts, size: Int64, _ text: @autoclosure () -> String) -> Bool {
            facts.mayMatch(selection)
                && (words.isEmpty || size > Self.textLimit || FileFacts.holds(text(), words))
        }

        static let textLimit: Int64 = 1 << 20
    }

    /// The result of reading one file: the wanted value, and its facts for the index.
    private struct FileReading<Value: Sendable>: Sendable {
        var value: Value?
        var problem: Problem?
        var update: CalendarIndex.Update?
    }

    /// - Parameter entries: the cached entries; nil without an index.
    private func read<Value: Sendable>(
        _ names: [String], of collection: Collection, _ filter: Filter,
        known entries: [CalendarIndex.Entry]?, _ make: @escaping @Sendable (File) -> Value,
        into result: inout (values: [Value], problems: [Problem])
    ) throws {
        let directory = directory(collection.path)
        let reader = CalendarReader(directory: directory, teachesIndex: entries != nil)
        let began = environment.now()
        let (candidates, gone) = Self.candidates(names, entries ?? [], filter.selection)
        let readings = try reader.map(candidates) { name, outcome -> FileReading<Value>? in
            let path = directory.full(name)
            switch outcome {
            case .skipped: return nil
            case .problem(let reason):
                return FileReading(problem: Problem(path: path, reason: reason))
            case .file(let content, let etag, let stamp):
                let file = File(path: path, collection: collection, content: content, etag: etag)
                guard filter.isSelective else { return FileReading(value: make(file)) }
                let facts = FileFacts(content)
                var reading = FileReading<Value>()
                var text: String?
                if let stamp, stamp.identity.size <= Filter.textLimit {
                    let folded = FileFacts.text(content)
                    text = folded
                    reading.update = CalendarIndex.Update(
                        name: name, stamp: stamp, facts: facts, text: folded)
                }
                if filter.wants(facts, size: etag.identity.size, text ?? FileFacts.text(content)) {
                    reading.value = make(file)
                }
                return reading
            }
        }
        if entries != nil {
            index?.update(
                collection.path, readings.compactMap(\.update), gone: gone, read: began)
        }
        result.values += readings.compactMap(\.value)
        result.problems += readings.compactMap(\.problem)
    }

    /// The files with what the index knows of each, and the rows of deleted files. Names and
    /// entries are in the same order.
    private static func candidates(
        _ names: [String], _ entries: [CalendarIndex.Entry], _ selection: Selection
    ) -> (files: [CalendarReader.Candidate], gone: [String]) {
        var gone: [String] = []
        var place = 0
        let files = names.map { name in
            while place < entries.count, VDirectory.precedes(entries[place].name, name) {
                gone.append(entries[place].name)
                place += 1
            }
            guard place < entries.count, !VDirectory.precedes(name, entries[place].name) else {
                return CalendarReader.Candidate(name: name)
            }
            defer { place += 1 }
            return CalendarReader.Candidate(
                name: name, known: entries[place].stamp,
                mayMatch: entries[place].facts.mayMatch(selection) && entries[place].hasWords)
        }
        return (files, gone + entries[place...].map(\.name))
    }
}
