import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Library
import Outside
import Persistence
import TerminalKit

/// Files sent with the next message: `/attach`, `@path`, and paths dropped on the terminal.
struct AttachmentController: ReplController {
    let context: ReplContext

    /// Queues files. Without arguments shows the queue; `clear` empties it.
    func attach(_ arguments: [String]) async throws {
        if arguments == ["clear"] {
            let count = next.queue.count
            next.queue.clear()
            await show([
                StyledLine(
                    count == 0
                        ? "  Nothing was attached."
                        : "  \(Quantities.count(count, "file")) less with the next message.", .dim)
            ])
            return
        }
        if arguments.isEmpty, next.queue.count == 0 {
            await tell("Nothing is attached. /attach FILE, or @FILE in a message.", .dim)
            return
        }
        // All or none: a missing file would go unnoticed.
        var loaded: [InputFiles.Loaded] = []
        let groups = try await selections(arguments)
        guard try await mayAttach(arguments.compactMap { groups[$0] }) else {
            return await tell("Nothing was attached.", .dim)
        }
        for word in arguments {
            if let group = groups[word] {
                loaded += try await load(group)
            } else {
                loaded.append(try await load(word))
            }
        }
        try await queueUp(loaded)
    }

    /// Queues a file without a path, such as one from the clipboard.
    func attach(_ file: InputFiles.Loaded) async throws { try await queueUp([file]) }

    private func queueUp(_ loaded: [InputFiles.Loaded]) async throws {
        var queue = next.queue
        for file in loaded {
            if try await mayGo(file) {
                queue.add(file)
            } else {
                await tell("\(file.name) was not attached.", .dim)
            }
        }
        let lines =
            try await prepared(queue.files).map(\.line)
            + queue.transcripts.map { AttachmentLine.text($0.attachment(for: "")) }
        next.queue = queue
        await show(AttachmentLine.short(lines).map { StyledLine("  + \($0)", .dim) })
        if !lines.isEmpty {
            await tell("with the next message · /attach clear", .dim)
        }
    }

    /// Loads a file, or an item of the library if there is no such file.
    private func load(_ word: String) async throws -> InputFiles.Loaded {
        let path = mentions.expanded(word)
        if FileMentions.isItem(word), !mentions.isFile(path), let id = ItemID(word) {
            let item = try await services.library.liveItem(id, named: word)
            return try InputFiles.loaded(try await services.disclosure.disclosed(item))
        }
        return try InputFiles.load(path, shown: word)
    }

    /// The items that a message names with `@i12`, `@l12` or `@s12`; unknown numbers
    /// and items in the trash are left out.
    private func items(in text: String) async throws -> [LibraryItem] {
        var items: [LibraryItem] = []
        for name in mentions.items(in: text) {
            guard let id = ItemID(name), let item = try await services.library.item(id),
                item.trashed == nil, ItemID.names(item.kind, name)
            else { continue }
            items.append(item)
        }
        return items
    }

    /// The result of handling a line that was dropped on the terminal.
    enum Dropped {
        /// The text is an ordinary message: not a path, or the path of a text.
        case message
        case attached
        /// The user agreed to this capability command.
        case command([String])
        case declined
    }

    /// Queues an image or PDF whose path is the whole line. Nothing is sent: the user still
    /// has to type the question. If a capability can use the file, asks first.
    func attachDropped(_ line: String) async throws -> Dropped {
        let dropped = mentions.onlyPaths(line)
        guard let mention = dropped.first,
            !next.queue.said.contains(where: { $0.trimmingSpace() == line.trimmingSpace() })
        else { return .message }
        if dropped.count > 1 {
            // Paths alone are not a question.
            try await attach(dropped.map(\.shown))
            return .attached
        }
        if let offer = services.capabilities.lazy.compactMap({ $0.offer(mention.path) }).first {
            if await confirms(HostileText.line(offer.question)) { return .command(offer.command) }
            await tell(offer.declined, .dim)
            return .declined
        }
        let file = try InputFiles.load(mention.path, shown: mention.shown)
        switch file.kind {
        case .image, .pdf: break
        // The path of a text file is more often part of the message.
        case .text, .unsupported, .unknown: return .message
        }
        try await attach([mention.shown])
        return .attached
    }

    /// The files to send with a message: the queue and the files it names, in a form its
    /// model can read. Nil if the user declines one. A message that is sent again keeps its
    /// files unchanged.
    func filesToSend(with message: OutgoingMessage) async throws -> [Attachment]? {
        do {
            return try await files(for: message)
        } catch is KeptBack {
            await tell("Not sent. Up brings your message back.", .dim)
            return nil
        } catch let failure as AttachmentFailure {
            // Put the message back into the line for correction.
            next.draft = LineDraft(restored: message.line)
            next.replaces = message.replacing
            throw failure
        }
    }

    /// The user declined to send a file.
    private struct KeptBack: Error {}

    private func askToSend(_ file: InputFiles.Loaded) async throws {
        guard try await mayGo(file) else { throw KeptBack() }
    }

    private func files(for message: OutgoingMessage) async throws -> [Attachment] {
        let (text, old) = (message.typed, message.replacing)
        var files = next.queue.files
        let known = Set((old?.attachments ?? []).map(\.name))
        // Dictated words are never file names.
        let said = next.queue.said.flatMap { mentions.find(in: $0) }
        let items = try await items(in: text)
        let groups = try await selections(in: text, besides: next.queue.said)
        var misses = mentions.misses(in: text).filter { miss in
            !(groups.chosen.contains { $0.shown == miss.mention.shown })
                && !(miss.kind == .item && items.contains { $0.id == ItemID(miss.mention.shown) })
                && !known.contains(Self.name(of: miss.mention))
                && !next.queue.said.contains { $0.contains("@" + miss.mention.shown) }
        }
        misses += groups.misses
        if let path = misses.first(where: { $0.kind == .path })?.mention {
            // It cannot be read: the error says why.
            _ = try InputFiles.load(path.path, shown: path.shown)
        }
        for mention in mentions.find(in: text) where !said.contains(mention) {
            if files.contains(where: { $0.path == mention.shown }) { continue }
            if known.contains(Self.name(of: mention)) { continue }
            let file = try InputFiles.load(mention.path, shown: mention.shown)
            try await askToSend(file)
            files.append(file)
        }
        guard try await mayAttach(groups.chosen) else { throw KeptBack() }
        for group in groups.chosen {
            for file in try await load(group)
            where !known.contains(file.name) && !files.contains(where: { $0.path == file.path }) {
                files.append(file)
            }
        }
        for item in items {
            let file = try InputFiles.loaded(try await services.disclosure.disclosed(item))
            let isSaid = next.queue.said.contains {
                $0.contains("@\(item.id)") || $0.contains("@\(item.kind.id(item.id))")
            }
            if isSaid || known.contains(file.name)
                || files.contains(where: { $0.path == file.path })
            {
                continue
            }
            try await askToSend(file)
            files.append(file)
        }
        let prepared = try await prepared(files)
        let words = next.queue.transcripts.map { $0.attachment(for: message.plain.text) }
        await show(AttachmentLine.misses(misses).map { StyledLine("  \($0)", .warning) })
        await show(
            AttachmentLine.short(prepared.map(\.line) + words.map(AttachmentLine.text)).map {
                StyledLine("  + \($0)", .dim)
            })
        return prepared.map(\.attachment) + words + message.kept
    }

    private static func name(of mention: FileMentions.Mention) -> String {
        mention.path.split(separator: "/").last.map(String.init) ?? mention.path
    }

    var mentions: FileMentions {
        func kind(_ path: String) -> mode_t? {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
        }
        return FileMentions(
            home: services.variables["HOME"],
            isFile: { path in kind(path).map { $0 != S_IFDIR } ?? false },
            isFolder: { kind($0) == S_IFDIR })
    }

    private func prepared(
        _ files: [InputFiles.Loaded]
    ) async throws -> [AttachmentLoader.Prepared] {
        if files.isEmpty { return [] }
        return try await stoppable(saying: "making the files fit") { [session, options] in
            try await session.prepare(files, options.global)
        }
    }

    /// Asks once about a file that seems to contain keys.
    private func mayGo(_ file: InputFiles.Loaded) async throws -> Bool {
        guard next.queue.needsQuestion(file) else { return true }
        await tell("\(file.path) seems to contain a key or passwords.", .warning)
        guard await confirms("Send it to the model all the same?") else { return false }
        next.queue.approve(file)
        return true
    }
}
