import Dispatch
import Synchronization
import TerminalKit

/// The names in folders for the list that opens while the user types, read on a separate queue so
/// that a slow (network) folder delays no key. `FileNames` reads; this class caches, for as long as
/// a word is being typed.
package final class FolderNames: Sendable {
    /// A file or a folder, prepared for the search.
    struct Entry: Sendable {
        var name: FileNames.Name
        /// The last path component, with a slash for a folder.
        var label: String
        var match: FuzzyName
        var isHidden: Bool { label.hasPrefix(".") }
    }

    private struct State {
        var read: [String: [Entry]] = [:]
        /// The folder to read next; replaces an earlier request.
        var wanted: String?
        var isReading = false
        /// The folder just read, which is requested again because of that.
        var fresh: String?
        var onChange: @Sendable () -> Void = {}
    }

    /// Number of cached folders.
    private static let limit = 16
    /// Maximum number of names in a folder: all of them are searched before each redraw.
    private static let nameLimit = 5_000

    private let files: FileNames
    private let queue = DispatchQueue(label: "chat.completion")
    private let state = Mutex(State())

    init(files: FileNames) { self.files = files }

    /// Sets a callback, called on another thread each time a folder's contents have
    /// changed.
    package func onChange(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onChange = body }
    }

    /// The contents of the folder when last read; nil if unknown.
    ///
    /// - Parameter isFirst: whether nothing follows it yet; then the folder is read again.
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

    /// Waits until everything requested has been read, for tests.
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
