/// The files that wait for the next message, as they were when they were
/// attached. Values; nothing is read or shown here.
struct AttachmentQueue {
    private(set) var files: [InputFiles.Loaded] = []
    /// Paths of files that look secret and that the user wants to send.
    private var approved: Set<String> = []

    /// A file that is queued already is taken anew.
    mutating func add(_ file: InputFiles.Loaded) {
        files.removeAll { $0.path == file.path }
        files.append(file)
    }

    mutating func clear() { self = AttachmentQueue() }

    mutating func approve(_ file: InputFiles.Loaded) { approved.insert(file.path) }

    func needsQuestion(_ file: InputFiles.Loaded) -> Bool {
        !approved.contains(file.path)
            && SecretFile.looksSecret(path: file.path, bytes: file.bytes)
    }
}
