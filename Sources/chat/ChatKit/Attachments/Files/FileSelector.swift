import Base

/// Finds and reads the files of folders and patterns on a queue that may block.
package actor FileSelector: QueuedActor {
    private let own: [String]
    package nonisolated let executor = QueueExecutor(label: "chat.selection")

    /// - Parameter paths: folders of `chat` itself, which are left out.
    package init(_ paths: Paths) { own = paths.own }

    /// - Throws: `AttachmentFailure`, `CancellationError`.
    package func select(_ kind: FileSelection.Kind, path: String, shown: String) throws
        -> FileSelection
    {
        try FileSelection(kind, path: path, shown: shown, own: own)
    }

    /// Reads the files. Files that a model cannot read are left out; a missing or unreadable file
    /// is an error.
    ///
    /// - Throws: `AttachmentFailure`, `CancellationError`.
    package func load(
        _ selection: FileSelection
    ) throws -> (files: [InputFiles.Loaded], leftOut: [String]) {
        var files: [InputFiles.Loaded] = []
        var leftOut: [String] = []
        for file in selection.files {
            try Task.checkCancellation()
            do throws(AttachmentFailure) {
                files.append(try InputFiles.load(file.path, shown: file.path, name: file.name))
            } catch {
                switch error.reason {
                case .unknownType, .unsupported, .empty, .brokenImage, .textTooLarge:
                    leftOut.append(file.name)
                default: throw error
                }
            }
        }
        return (files, leftOut)
    }
}
