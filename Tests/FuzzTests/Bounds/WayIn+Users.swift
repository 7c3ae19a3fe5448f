import Foundation
import TestSupport

@testable import AgentCore
@testable import Base
@testable import CalendarFiles
@testable import ChatKit
@testable import DateLanguage
@testable import ICalendar
@testable import Library
@testable import Outside
@testable import Routines
@testable import TerminalKit
@testable import chat

/// From the keyboard, the clipboard, and what is kept for the user.
extension WayIn {
    static let fromUsers = [
        WayIn(
            "paste", KeyDecoder.pasteLimit, growth: 10,
            refusals: [
                Refusal(KeyDecoder.pasteLimit) { pasted(letters(KeyDecoder.pasteLimit + 1)) }
            ]
        ) { _ = pasted($0) },
        WayIn(
            "clipboard", InputFiles.textLimitInBytes, Quantities.bytes(InputFiles.textLimitInBytes),
            "an image \(Quantities.bytes(InputFiles.limitInBytes))", growth: 10,
            refusals: [
                Refusal(InputFiles.textLimitInBytes) {
                    await error {
                        try await clipboard("text/plain", letters(InputFiles.textLimitInBytes + 1))
                    }
                },
                Refusal(InputFiles.limitInBytes) {
                    await error {
                        try await clipboard("image/png", letters(InputFiles.limitInBytes + 1))
                    }
                },
            ]
        ) { try await clipboard("text/plain", $0) },
        WayIn(
            "image", InputFiles.limitInBytes,
            "\(Quantities.bytes(AttachmentLimits(for: vendor(.messages)).imageBytes)) for Claude",
            "\(Quantities.bytes(AttachmentLimits(for: vendor(.responses)).imageBytes)) for others",
            "\(FileConverter.pixelLimit / 1_000_000) million pixels", growth: 4,
            refusals: [
                Refusal(Quantities.grouped(FileConverter.pixelLimit)) {
                    await error { throw AttachmentFailure(path: "a", reason: .notSizedDown) }
                }
            ]
        ) { bytes in
            for head in ["\u{89}PNG\r\n\u{1A}\n", "GIF89a", "RIFF0000WEBPVP8 "] {
                _ = ImageHeader(Array(head.utf8) + bytes)
            }
            _ = ImageHeader([0xFF, 0xD8, 0xFF] + bytes)
        },
        // The rest is part of the title: see `testTimesAreFoundUpToTheirLimit`.
        WayIn("words about a time", DateParser.lengthLimit, growth: 1_000) { bytes in
            try FuzzTarget.dates.run(bytes)
            try FuzzTarget.fields.run(bytes)
        },
        WayIn(
            "title and notes of a reminder or an event", 4 * ItemActions.notesLimit,
            "\(ItemActions.titleLimit) and \(Quantities.grouped(ItemActions.notesLimit)) characters",
            growth: 40,
            refusals: [
                Refusal("\(ItemActions.titleLimit) characters") {
                    await error {
                        try item(
                            "e" + String(repeating: "\u{301}", count: ItemActions.titleLimit), "")
                    }
                },
                Refusal("\(ItemActions.notesLimit) characters") {
                    await error {
                        try item(
                            "t", "e" + String(repeating: "\u{301}", count: ItemActions.notesLimit))
                    }
                },
            ]
        ) { bytes in try item("t", string(bytes)) },
        WayIn(
            "text to keep in the library", LibraryCommand.limitInBytes,
            Quantities.bytes(LibraryCommand.limitInBytes),
            "\(Quantities.bytes(LibraryServer.textLimit)) from a model", growth: 10,
            refusals: [
                Refusal(LibraryCommand.limitInBytes) {
                    let limit = LibraryCommand.limitInBytes
                    return try await file(of: limit + 1) { path in
                        let descriptor = open(path, O_RDONLY)
                        defer { close(descriptor) }
                        return await error {
                            _ = try await LibraryAssembly.input(limit: limit, from: descriptor)
                        }
                    }
                },
                Refusal(LibraryServer.textLimit) {
                    await error {
                        _ = try kept(letters(LibraryServer.textLimit + 1))
                    }
                },
            ]
        ) { _ = try kept($0) },
        WayIn(
            "routine", RoutineBook.fileLimit, Quantities.bytes(RoutineBook.fileLimit),
            "\(Quantities.bytes(RoutineGates.textLimit)) of each text that it watches", growth: 60,
            refusals: [
                Refusal(RoutineBook.fileLimit) {
                    await error { try await routine(letters(RoutineBook.fileLimit)) }
                },
                Refusal(RoutineGates.textLimit) {
                    string(
                        RoutineGates.attachment(
                            "a", string(letters(RoutineGates.textLimit + 1))
                        ).bytes)
                },
            ]
        ) { try await routine($0) },
    ]

    private static func vendor(_ format: WireFormat) -> ModelOrigin {
        ModelOrigin(provider: .claude, format: format, model: "m")
    }

    private static func pasted(_ bytes: [UInt8]) -> String {
        var keys = KeyDecoder()
        keys.feed(Array("\u{1B}[200~".utf8) + bytes + Array("\u{1B}[201~".utf8))
        while let key = keys.next() {
            if case .paste(let text) = key { return String(text.suffix(100)) }
        }
        return "no paste"
    }

    private static func kept(_ bytes: [UInt8]) throws -> String? {
        try LibraryServer.text(JSONObject([.init("text", .string(string(bytes)))]))
    }

    /// Reads it from a program that stands in for the desktop's.
    private static func clipboard(_ type: String, _ bytes: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        let content = try folder.write(bytes, to: "content")
        let script = """
            #!/bin/sh
            case "$*" in
            *--list-types) echo '\(type)' ;;
            *) exec /bin/cat '\(content)' ;;
            esac
            """
        let program = try folder.write(Array(script.utf8), to: "wl-paste")
        guard chmod(program, 0o755) == 0 else { throw CocoaError(.fileWriteUnknown) }
        let reader = ClipboardReader(
            variables: ["PATH": folder.path, "WAYLAND_DISPLAY": "x"])
        _ = try await reader.read()
    }

    private static func item(_ title: String, _ notes: String) throws {
        var edit = ItemEdit(title: title)
        edit.notes = .set(notes)
        let environment = Environment.system(variables: [:])
        let store = CalendarStore(
            roots: [], trash: "/nowhere/trash", environment: environment)
        _ = try ItemActions(store: store, environment: environment).checked(edit, isNew: true)
    }

    private static func routine(_ prompt: [UInt8]) async throws {
        let folder = try TemporaryFolder()
        let book = RoutineBook(
            folder: folder.path("routines"), state: folder.path("state"),
            environment: .system(variables: [:]))
        let routine = Routine(
            id: "00000000-0000-4000-8000-000000000001", name: "r", prompt: string(prompt),
            start: CivilDateTime(secondsAsUTC: 0), rule: try RecurrenceRule(parsing: "FREQ=DAILY"),
            provider: "p", host: "h", model: "m")
        try await book.save(routine, command: nil, verb: "created")
        _ = try await book.entries()
        await book.close()
    }
}

/// From folders that the model may read.
extension WayIn {
    static let fromFolders = [
        WayIn(
            "file that a model reads", LineWindow.limitInBytes,
            "\(LineWindow.limitInBytes / 1_000) KB at once",
            "\(Quantities.grouped(LineWindow.lineLimitInBytes)) bytes a line", growth: 40,
            refusals: [
                Refusal(Quantities.grouped(LineWindow.lineLimitInBytes + 1)) {
                    window(letters(LineWindow.lineLimitInBytes + 1)).joined()
                }
            ]
        ) { _ = window($0) },
        WayIn(
            "`.gitignore` of a folder", IgnoreRules.limitInBytes, growth: 200,
            refusals: [
                Refusal(IgnoreRules.limitInBytes) {
                    try await file(of: IgnoreRules.limitInBytes + 1, ".gitignore") { path in
                        let folder = String(path.dropLast("/.gitignore".count))
                        let found = try FolderWalk.run(folder, own: []) { _ in .goOn }
                        return found.skipped.text ?? "no error"
                    }
                }
            ]
        ) { bytes in
            var rules = IgnoreRules()
            rules.add(string(bytes), in: "")
            _ = rules.leavesOut("Sources/chat/App.swift", isFolder: false)
        },
    ]

    private static func window(_ bytes: [UInt8]) -> [String] {
        var window = LineWindow(first: 1, count: .max)
        window.take(bytes)
        window.finish()
        return window.lines
    }
}
