import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// What arrives, read by Python's `email`, which knows nothing of us.
final class UploadedFormTests: XCTestCase {
    func testFilesOfEveryKindArriveByteForByte() async throws {
        let folder = try TemporaryFolder()
        let makers: [(AudioKind, String, [String])] = [
            (.wav, "espeak-ng", ["espeak-ng", "-w", "OUT", "Buy milk tomorrow."]),
            (.flac, "sox", ["sox", "a.wav", "-r", "16000", "OUT"]),
            (.ogg, "sox", ["sox", "a.wav", "OUT"]),
            (.mp3, "ffmpeg", ["ffmpeg", "-loglevel", "error", "-i", "a.wav", "OUT"]),
            (.m4a, "ffmpeg", ["ffmpeg", "-loglevel", "error", "-i", "a.wav", "OUT"]),
            (.webm, "ffmpeg", ["ffmpeg", "-loglevel", "error", "-i", "a.wav", "OUT"]),
        ]
        for (kind, package, command) in makers {
            let path = folder.path("a." + kind.fileExtension)
            try Self.run(
                command.map { $0 == "OUT" ? path : $0 == "a.wav" ? folder.path($0) : $0 },
                package: package)
            let file = try OpenFile(path)
            let rig = try UploadRig(.json("buy milk"))
            defer { rig.server.stop() }
            try await rig.transcribe(
                audio: [.file(file, offset: 0, count: file.size)], kind: kind)
            let parts = try XCTUnwrap(Self.forms(of: rig.server.uploads.map(\.request)).first)
            let sound = try XCTUnwrap(parts.last)
            XCTAssertEqual(parts.map(\.name), ["model", "response_format", "file"])
            XCTAssertEqual(sound.filename, "audio." + kind.fileExtension)
            XCTAssertEqual(sound.type, kind.mediaType)
            XCTAssertEqual(sound.body, Data(try folder.read("a." + kind.fileExtension)))
            XCTAssertGreaterThan(sound.body.count, 1_000)
        }
    }

    func testPiecesOfAFileArriveInTheirOrder() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let file = try OpenFile(try folder.write(bytes, to: "a.wav"))
        let rig = try UploadRig(.json("words"))
        defer { rig.server.stop() }
        let header = [UInt8](repeating: 9, count: 44)
        try await rig.transcribe(audio: [
            .bytes(header), .file(file, offset: 50_000, count: 50_000), .bytes([]),
            .file(file, offset: 3, count: 20_000),
        ])
        let parts = try XCTUnwrap(Self.forms(of: rig.server.uploads.map(\.request)).first)
        XCTAssertEqual(
            parts.last?.body, Data(header + bytes[50_000...] + bytes[3..<20_003]))
    }

    /// Row U1: forty names that try to say something else.
    func testNoNameOfAFileLeavesTheMachine() async throws {
        let folder = try TemporaryFolder()
        let rig = try UploadRig(.json("words"))
        defer { rig.server.stop() }
        XCTAssertEqual(Set(Self.hostileNames).count, 40)
        var marks: [String] = []
        for (number, name) in Self.hostileNames.enumerated() {
            // A mark that would be found wherever a piece of the name went.
            let mark = "NAME\(number)X"
            let marked = String(name.prefix(20)) + mark + String(name.dropFirst(20))
            let fitting = marked.utf8.count <= 255 ? marked : name
            marks.append(fitting == marked ? mark : fitting)
            let file = try OpenFile(try folder.write([1, 2, UInt8(number)], to: fitting))
            try await rig.transcribe(audio: [.file(file, offset: 0, count: file.size)], kind: .mp3)
        }
        let requests = rig.server.uploads.map(\.request)
        let forms = try Self.forms(of: requests)
        XCTAssertEqual(forms.count, 40)
        for (number, parts) in forms.enumerated() {
            let name = Self.hostileNames[number]
            XCTAssertEqual(parts.map(\.name), ["model", "response_format", "file"], name)
            XCTAssertEqual(parts.last?.filename, "audio.mp3", name)
            XCTAssertEqual(parts.last?.type, "audio/mpeg", name)
            XCTAssertEqual(parts.last?.body, Data([1, 2, UInt8(number)]), name)
            let request = requests[number]
            let sent =
                request.path + request.headers.map { "\($0.name): \($0.value)\n" }.joined()
                + request.bodyText
            XCTAssertFalse(sent.contains(marks[number]), name)
            XCTAssertFalse(sent.contains(folder.path), name)
        }
    }

    func testHostileValuesArriveAsOnePartEach() async throws {
        let rig = try UploadRig(.json("words"))
        defer { rig.server.stop() }
        for value in Self.hostileValues {
            try await rig.transcribe(
                TranscriptionOptions(model: value, language: value, prompt: value))
        }
        let forms = try Self.forms(of: rig.server.uploads.map(\.request))
        XCTAssertEqual(forms.count, Self.hostileValues.count)
        for (value, parts) in zip(Self.hostileValues, forms) {
            XCTAssertEqual(
                parts.map(\.name), ["model", "response_format", "language", "prompt", "file"])
            let texts = parts.filter { ["model", "language", "prompt"].contains($0.name) }
            XCTAssertEqual(texts.map(\.body), Array(repeating: Data(value.utf8), count: 3), value)
            XCTAssertEqual(parts.last?.body, Data(UploadRig.sound))
        }
    }

    // MARK: -

    private static let hostileNames: [String] = {
        var names = [
            "a\"b.mp3", "\"", "a\"; name=\"model", "a\"; filename=\"b.exe", "a\\", "a\\\"b",
            "a\r\nX-Evil: 1", "a\r\n\r\nbody", "a\rb", "a\nb", "\n", "--boundary", "--boundary--",
            "\r\n--boundary\r\n", "; name=\"model\"", "name=model", "%22", "%0D%0A", "%00", "a%b",
            "'", "a'b.wav", "`id`", "$(id)", "a;b&c|d", "-rf", "--", "-", " ", " a ", "a\tb",
            "naïve 🎙.m4a", "👩‍👩‍👧‍👦", "\u{202E}gpj.mp3", "سلام.mp3", "日本語.ogg", "\u{7F}\u{1B}[31m",
            "a\u{200B}b", "\u{FEFF}a",
        ]
        names.append(String(repeating: "x", count: 251) + ".mp3")
        return names
    }()

    private static let hostileValues = [
        "\"", "a\"; name=\"file\"; filename=\"x", "a\r\nContent-Type: text/html\r\n\r\nx",
        "\r\n--boundary--\r\n", "--", "\n", "\r", " ", "\t", "a\u{0}b", "%22", "\\", "🎙",
        "\u{202E}", String(repeating: "long ", count: 20_000),
        "\r\nContent-Disposition: form-data; name=\"stream\"\r\n\r\ntrue",
    ]

    private struct Part {
        var name: String
        var filename: String?
        var type: String
        var body: Data
    }

    /// One run of Python for all of them.
    private static func forms(of requests: [RecordedRequest]) throws -> [[Part]] {
        let folder = try TemporaryFolder()
        var arguments: [String] = []
        for (number, request) in requests.enumerated() {
            arguments.append(try folder.write(request.body, to: "body-\(number)"))
            arguments.append(try XCTUnwrap(request[header: "content-type"]))
        }
        let lines = try Python.run(
            """
            import sys, json, base64
            from email.parser import BytesParser
            from email.policy import HTTP
            for path, content_type in zip(sys.argv[1::2], sys.argv[2::2]):
                head = "MIME-Version: 1.0\\r\\nContent-Type: " + content_type + "\\r\\n\\r\\n"
                body = open(path, "rb").read()
                form = BytesParser(policy=HTTP).parsebytes(head.encode() + body)
                assert form.is_multipart() and not form.defects, form.defects
                assert not form.preamble and not form.epilogue
                parts = []
                for part in form.iter_parts():
                    assert not part.defects, part.defects
                    assert part.get_content_disposition() == "form-data"
                    parts.append({
                        "name": part.get_param("name", header="content-disposition"),
                        "filename": part.get_filename(), "type": part.get_content_type(),
                        "body": base64.b64encode(part.get_payload(decode=True)).decode()})
                print(json.dumps(parts))
            """, arguments: arguments)
        return try lines.split(separator: "\n").map { line in
            let parts = try XCTUnwrap(try JSONParser.parse([UInt8](line.utf8)).arrayValue)
            return try parts.map { part in
                Part(
                    name: try XCTUnwrap(part["name"]?.stringValue),
                    filename: part["filename"]?.stringValue,
                    type: try XCTUnwrap(part["type"]?.stringValue),
                    body: try XCTUnwrap(Data(base64Encoded: part["body"]?.stringValue ?? "")))
            }
        }
    }

    private static func run(_ command: [String], package: String) throws {
        let program = try TestMachine.find(command[0], package: package)
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, "\(command)")
    }
}
