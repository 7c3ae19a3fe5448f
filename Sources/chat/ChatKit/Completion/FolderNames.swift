import Dispatch
import Synchronization
import TerminalKit

/// The names in folders for the list that opens while one types, read on a
/// queue of their own: a folder that answers slowly, on a network for example,
/// holds up no key. `FileNames` reads; this remembers, for as long as a word is
/// typed.
package final class FolderNames: Sendable {
    /// A file or a folder, prepared for the search.
    struct Entry: Sendable {
        var name: FileNames.Name
        /// Its last part, with a slash for a folder.
        var label: String
        var match: FuzzyName
        var isHidden: Bool { label.hasPrefix(".") }
    }

    private struct State {
        var read: [String: [Entry]] = [:]
        /// To be read next; an earlier one is not needed any more.
        var wanted: String?
        var isReading = false
        /// Has just been read, and is asked for again because of that.
        var fresh: String?
        var onChange: @Sendable () -> Void = {}
    }

    /// Folders that are remembered.
    private static let limit = 16
    /// Names of a folder: all of them are searched before each drawing.
    private static let nameLimit = 5_000

    private let files: FileNames
    private let queue = DispatchQueue(label: "chat.completion")
    private let state = Mutex(State())

    init(files: FileNames) { self.files = files }

    /// Called on another thread each time a folder was found to be another than it
    /// was known to be.
    package func onChange(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = body }
    }

    /// What was in the folder when it was last read; nil while that is not known.
    ///
    /// - Parameter isFirst: nothing is typed after it yet: it is read again.
    func entries(in folder: String, isFirst: Bool) -> [Entry]? {
        let (known, starts) = state.withLock { state in
            let known = state.read[folder]
            let isFresh = state.fresh == folder
            state.fresh = nil
            guard known == nil || isFirst && !isFresh else { return (known, false) }
            state.wanted = folder
            defer { state.isReading = true }
            return (known, !state.isReading)
        }
        if starts { queue.async { [self] in readWanted() } }
        return known
    }

    /// Everything that is wanted has been read, for who wants to see it done.
    func settle() { queue.sync {} }

    private func readWanted() {
        while let folder = next() {
            let entries = files.names(in: folder, limit: Self.nameLimit).map { name in
                let label = String(name.path.dropFirst(folder.count))
                return Entry(name: name, label: label, match: FuzzyName(label))
            }
            let tell: (@Sendable () -> Void)? = state.withLock { state in
                let before = state.read[folder]
                if before?.map(\.label) == entries.map(\.label) { return nil }
                if state.read.count >= Self.limit { state.read = [:] }
                (state.read[folder], state.fresh) = (entries, folder)
                return state.onChange
            }
            tell?()
        }
    }

    private func next() -> String? {
        state.withLock { state in
            defer { state.wanted = nil }
            if state.wanted == nil { state.isReading = false }
            return state.wanted
        }
    }
}
