import Foundation
import TestSupport

@testable import Base
@testable import ChatKit
@testable import Documents
@testable import Library
@testable import Persistence
@testable import Privacy
@testable import Sound
@testable import Texts
@testable import chat

/// From files that the user names, and from pipes.
extension WayIn {
    static let fromFiles = [
        WayIn(
            "piped or attached text", InputFiles.textLimitInBytes,
            Quantities.bytes(InputFiles.textLimitInBytes),
            Quantities.bytes(InputFiles.limitInBytes),
            growth: 60,
            refusals: [
                Refusal(InputFiles.textLimitInBytes) {
                    await error { try attached(letters(InputFiles.textLimitInBytes + 1)) }
                },
                Refusal(InputFiles.limitInBytes) {
                    try await file(of: InputFiles.limitInBytes + 1) { path in
                        await error { _ = try InputFiles.load(path) }
                    }
                },
            ]
        ) { try attached($0) },
        WayIn(
            "text to read aloud", InputFiles.textLimitInBytes, growth: 400,
            refusals: [
                Refusal(InputFiles.textLimitInBytes) {
                    await error { try SayCommand.check(InputFiles.textLimitInBytes + 1) }
                }
            ]
        ) { _ = SpokenSentence.sentences(ofText: string($0)) },
        WayIn(
            "text of a book, a story or a document", DocumentReader.textLimit,
            Quantities.bytes(DocumentReader.textLimit),
            "\(Quantities.bytes(DocumentReader.lineLimit)) a line",
            Quantities.bytes(DocumentReader.fileLimit), growth: 120,
            refusals: [
                Refusal(DocumentReader.textLimit) {
                    await error { try await read(repeated("a\n", DocumentReader.textLimit + 2)) }
                },
                Refusal(DocumentReader.lineLimit) {
                    await error { try await read(letters(DocumentReader.lineLimit + 1)) }
                },
                Refusal(DocumentReader.fileLimit) {
                    try await file(of: DocumentReader.fileLimit + 1) { path in
                        await error {
                            _ = try await DocumentReader(variables: [:]).read(
                                path: path, shown: "a")
                        }
                    }
                },
            ]
        ) { try await read($0) },
        WayIn(
            "text to redact", PrivacyAssembly.textLimit, growth: 60,
            refusals: [
                Refusal(PrivacyAssembly.textLimit) {
                    let limit = PrivacyAssembly.textLimit
                    return try await file(of: limit + 1) { path in
                        await error {
                            _ = try await PrivacyAssembly.contents(path, shown: "a", limit: limit)
                        }
                    }
                }
            ]
        ) { bytes in
            var map = RedactionMap()
            _ = Redactor(PersonalData()).redact(string(bytes), into: &map)
        },
        WayIn(
            "text to proofread or rewrite", WritingFile.limit, growth: 300,
            refusals: [
                Refusal(WritingFile.limit) {
                    await error {
                        _ = try WritingFile.encoding(of: letters(WritingFile.limit + 1), "a")
                    }
                }
            ]
        ) { bytes in
            var run = ProofreadingRun(string(bytes), language: "en", ownWords: OwnWords())
            try run.applyRules()
        },
        WayIn(
            "résumé or advert", ResumeFile.textLimit, Quantities.bytes(ResumeFile.textLimit),
            "a PDF \(Quantities.bytes(ResumeFile.pdfLimit))",
            "\(Quantities.grouped(ResumeReader.limit)) characters", growth: 60,
            refusals: [
                Refusal("\(ResumeReader.limit)") {
                    ResumeError(.tooLong(ResumeReader.limit + 1)).diagnostic.what
                },
                Refusal(ResumeFile.textLimit) {
                    await error { try await resume(letters(ResumeFile.textLimit + 1)) }
                },
                Refusal(ResumeFile.pdfLimit) {
                    try await file(of: ResumeFile.pdfLimit + 1) { path in
                        let handle = FileHandle(forWritingAtPath: path)
                        try handle?.write(contentsOf: Data("%PDF-1.7\n".utf8))
                        return await error { _ = try ResumeFile.bytes(path, shown: "a") }
                    }
                },
            ]
        ) { try await resume($0) },
        WayIn(
            "archive (backup, EPUB)", 1 << 20, Quantities.bytes(ZipReader.Limits().total),
            "\(ZipReader.Limits().ratio) times", Quantities.grouped(ZipReader.Limits().members),
            growth: 40,
            refusals: [
                Refusal("100 times") {
                    // Our own writer stays below the limit of readers.
                    var limits = ZipReader.Limits()
                    limits.ratio = 100
                    return unreadable(archive([UInt8](repeating: 0, count: 4 << 20)), limits)
                },
                Refusal(1 << 20) {
                    var limits = ZipReader.Limits()
                    limits.total = 1 << 20
                    return unreadable(archive(letters(1 << 20 + 1), .stored), limits)
                },
                Refusal("1 members") {
                    var limits = ZipReader.Limits()
                    limits.members = 1
                    let two = ZipWriter.bytes { writer in
                        for name in ["a", "b"] { try? writer.add(name, [], method: .stored) }
                    }
                    return unreadable(two, limits)
                },
            ]
        ) { bytes in
            let zip = try ZipReader(ArchiveSource(archive(bytes)))
            for member in zip.members { _ = try zip.bytes(of: member) }
        },
        WayIn(
            "export to import", ImportCommand.limitInBytes, growth: 60,
            refusals: [
                Refusal(ImportCommand.limitInBytes) {
                    try await file(of: ImportCommand.limitInBytes + 1) { path in
                        await error { _ = try ImportCommand.bytes(path) }
                    }
                }
            ]
        ) { bytes in
            let text = JSONValue.string(string(bytes))
            var claude = ClaudeExport()
            let read = try JSONParser.parse(
                JSONWriter.bytes(["chat_messages": [["sender": "human", "text": text]]]))
            _ = claude.read(read)
        },
        WayIn(
            "configuration", Settings.limitInBytes, Quantities.bytes(Settings.limitInBytes),
            "instructions \(Quantities.bytes(UserInstructions.limitInBytes))",
            "a prompt \(Quantities.bytes(PromptBook.limitInBytes))", growth: 60,
            refusals: [
                Refusal(Settings.limitInBytes) {
                    await error {
                        _ = try Settings.parse(letters(Settings.limitInBytes + 1), file: "c")
                    }
                },
                Refusal(UserInstructions.limitInBytes) {
                    UserInstructions(.failure(.tooLarge), path: "i").problem ?? "no error"
                },
                Refusal(PromptBook.limitInBytes) {
                    try await file(of: PromptBook.limitInBytes + 1) { path in
                        let book = PromptBook(.init(folder: "/nowhere", builtIn: []))
                        return await error { _ = try await book.read(path) }
                    }
                },
            ]
        ) { bytes in
            _ = try? JSON5.parse(bytes)
            _ = try JSON5.parse(
                Array("{a: ".utf8) + JSONWriter.bytes(.string(string(bytes))) + Array("}".utf8))
        },
        // Above it a recording is sent in pieces.
        WayIn(
            "recording", VoiceSettings().transcription.limitInBytes,
            "\(VoiceSettings().transcription.limitInBytes / 1_000_000) MB", growth: 6
        ) { bytes in
            let format = PCMFormat(rate: 16_000, channels: 1)
            let wave = WaveHeader.bytes(format, dataBytes: bytes.count) + bytes
            var meter = LoudnessMeter(try WaveHeader.read(wave, fileBytes: wave.count))
            meter.add(bytes)
        },
    ]

    private static func repeated(_ text: String, _ size: Int) -> [UInt8] {
        Array(String(repeating: text, count: size / text.utf8.count).utf8)
    }

    private static func attached(_ bytes: [UInt8]) throws {
        _ = try InputFiles.loaded(bytes, path: "a.txt", name: "a.txt")
    }

    private static func read(_ bytes: [UInt8]) async throws {
        _ = try await DocumentReader(variables: [:]).read(bytes, ending: "md", shown: "a.md")
    }

    private static func resume(_ bytes: [UInt8]) async throws {
        let content = try await ResumeFile.content(
            bytes, shown: "a", extension: "txt", pdf: PDFText(variables: [:]))
        _ = ResumeReader.read(String(content.text.prefix(ResumeReader.limit)))
    }

    private static func archive(_ bytes: [UInt8], _ method: ZipMember.Method = .deflated) -> [UInt8]
    {
        ZipWriter.bytes { writer in try? writer.add("a", bytes, method: method) }
    }

    private static func unreadable(_ bytes: [UInt8], _ limits: ZipReader.Limits) -> String {
        do throws(ArchiveError) {
            _ = try ZipReader(ArchiveSource(bytes), limits: limits)
            return "no error"
        } catch { return error.diagnostic.what }
    }
}
