import AgentCore
import FoundationEssentials
import Glibc

/// Finding files: every one is looked at, those that may be wanted are read.
///
///     few files, or no filter    read all
///     many                       stat all → the index says which need not be
///                                read → read the others → teach the index
///
/// With and without an index the answer is the same. What is given out was
/// read from its file just now.
extension CalendarStore {
    /// Below this reading all files takes less time than asking the index
    /// (measured: at 1,000 files 10 ms without it and 4 ms with it).
    static let indexThreshold = 1_000

    /// In the order of collections and file names.
    package func files(_ selection: Selection = Selection()) throws -> Files {
        let filter = Filter(selection)
        let folders = try collections().map { ($0, try directory($0.path).names()) }
        let count = folders.reduce(0) { $0 + $1.1.count }
        var result = Files()
        for (collection, names) in folders where !names.isEmpty {
            let isIndexed = filter.isSelective && count >= indexThreshold
            guard isIndexed, let index,
                let entries = index.entries(of: collection.path, words: filter.words)
            else {
                try read(names, of: collection, filter, into: &result)
                continue
            }
            try read(names, of: collection, filter, entries, index, into: &result)
        }
        return result
    }

    /// A selection in the form in which many files are compared with it.
    struct Filter: Sendable {
        let selection: Selection
        let words: [String]

        init(_ selection: Selection) {
            self.selection = selection
            words = FileFacts.words(selection.text)
        }

        var isSelective: Bool { selection != Selection() }

        /// The text of a huge file is left to whoever reads it: folding ten
        /// megabytes of hostile text takes several times as much memory.
        func wants(_ facts: FileFacts, size: Int64, _ text: @autoclosure () -> String) -> Bool {
            facts.mayMatch(selection)
                && (words.isEmpty || size > Self.textLimit || FileFacts.holds(text(), words))
        }

        static let textLimit: Int64 = 1 << 20
    }

    private enum Found: Sendable {
        case file(File)
        case problem(Problem)
    }

    private func read(
        _ names: [String], of collection: Collection, _ filter: Filter, into result: inout Files
    ) throws {
        let directory = directory(collection.path)
        let found = try CalendarReader(directory: directory).map(names) {
            index, outcome -> Found? in
            switch outcome {
            case .gone: return nil
            case .problem(let reason):
                return .problem(Problem(path: directory.full(names[index]), reason: reason))
            case .file(let content, let etag):
                if filter.isSelective,
                    !filter.wants(
                        FileFacts(content), size: etag.identity.size, FileFacts.text(content))
                {
                    return nil
                }
                return .file(
                    File(
                        path: directory.full(names[index]), collection: collection,
                        content: content, etag: etag))
            }
        }
        Self.add(found, to: &result)
    }

    private static func add(_ found: [Found?], to result: inout Files) {
        for case let found? in found {
            switch found {
            case .file(let file): result.files.append(file)
            case .problem(let problem): result.problems.append(problem)
            }
        }
    }

    /// What reading one file gave: what is wanted of it, what is to be known.
    private struct ParsedPhrase: Sendable {
        var found: Found?
        var update: CalendarIndex.Update?
    }

    private func read(
        _ names: [String], of collection: Collection, _ filter: Filter,
        _ entries: [CalendarIndex.Entry], _ index: CalendarIndex, into result: inout Files
    ) throws {
        let directory = directory(collection.path)
        let began = environment.now()
        let current = try CalendarReader(directory: directory).stamps(names)
        var wanted: [String] = []
        // nil: the index knows the file already.
        var stamps: [CalendarIndex.Stamp?] = []
        var gone: [String] = []
        var next = 0
        for (name, stamp) in zip(names, current) {
            while next < entries.count, VDirectory.precedes(entries[next].name, name) {
                gone.append(entries[next].name)
                next += 1
            }
            if next < entries.count, !VDirectory.precedes(name, entries[next].name) {
                let entry = entries[next]
                next += 1
                if entry.stamp == stamp {
                    guard entry.facts.mayMatch(filter.selection), entry.hasWords
                    else { continue }
                    wanted.append(name)
                    stamps.append(nil)
                    continue
                }
            }
            wanted.append(name)
            stamps.append(stamp)
        }
        gone += entries[next...].map(\.name)
        let (reads, readStamps) = (wanted, stamps)
        let readings = try CalendarReader(directory: directory).map(reads) {
            number, outcome -> ParsedPhrase in
            let path = directory.full(reads[number])
            switch outcome {
            case .gone: return ParsedPhrase()
            case .problem(let reason):
                return ParsedPhrase(found: .problem(Problem(path: path, reason: reason)))
            case .file(let content, let etag):
                let facts = FileFacts(content)
                var reading = ParsedPhrase()
                var text: String?
                // Only what was the same file before and after the look.
                if let stamp = readStamps[number], stamp.identity == etag.identity,
                    stamp.identity.size <= Filter.textLimit
                {
                    let folded = FileFacts.text(content)
                    text = folded
                    reading.update = CalendarIndex.Update(
                        name: reads[number], stamp: stamp, facts: facts, text: folded)
                }
                if filter.wants(
                    facts, size: etag.identity.size, text ?? FileFacts.text(content))
                {
                    reading.found = .file(
                        File(path: path, collection: collection, content: content, etag: etag))
                }
                return reading
            }
        }
        index.update(
            collection.path, readings.compactMap(\.update), gone: gone, read: began)
        Self.add(readings.map(\.found), to: &result)
    }
}
