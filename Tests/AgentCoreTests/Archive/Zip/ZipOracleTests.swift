import Base
import Foundation
import TestSupport
import XCTest

/// The same archives by other programs: Python's zipfile and Info-ZIP, in both
/// directions.
final class ZipOracleTests: XCTestCase {
    private let contents: [(name: String, bytes: [UInt8])] =
        [("plain.txt", Array("hello\n".utf8)), ("dir/naïve 田中.txt", ArchiveSamples.text)]
        + ArchiveSamples.all.enumerated().map { ("s/\($0).bin", $1) }

    private func run(_ program: String, _ arguments: [String], in folder: String) throws -> (
        status: Int32, output: String
    ) {
        let path = try TestMachine.find(program, package: program)
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = TestMachine.apart(["LC_ALL": "C.UTF-8", "TZ": "UTC"])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// Ours, the long one in pieces.
    private func archive(in folder: TemporaryFolder) throws {
        let date = Date(timeIntervalSince1970: 1_700_000_001)
        try folder.write(
            try ZipWriter.bytes { writer in
                for (name, bytes) in contents { try writer.add(name, bytes, modified: date) }
                var rest = ArchiveSamples.text[...]
                try writer.add("pieces", modified: date) {
                    defer { rest = rest.dropFirst(100) }
                    return Array(rest.prefix(100))
                }
            }, to: "ours.zip")
    }

    private func check(_ folder: TemporaryFolder, _ name: String) throws {
        let file = try OpenFile(folder.path(name))
        let reader = try ZipReader(ArchiveSource(file))
        for (name, bytes) in contents {
            let member = try XCTUnwrap(reader.member(name), name)
            XCTAssertEqual(try reader.bytes(of: member), bytes, name)
        }
    }

    func testInfoZipUnpacksOurs() throws {
        let folder = try TemporaryFolder()
        try archive(in: folder)
        let test = try run("unzip", ["-t", "ours.zip"], in: folder.path)
        XCTAssertEqual(test.status, 0, test.output)
        let unpacked = try run("unzip", ["-q", "ours.zip", "-d", "out"], in: folder.path)
        XCTAssertEqual(unpacked.status, 0, unpacked.output)
        for (name, bytes) in contents { XCTAssertEqual(try folder.read("out/" + name), bytes) }
        XCTAssertEqual(try folder.read("out/pieces"), ArchiveSamples.text)
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path("out/plain.txt"))
        XCTAssertEqual(facts[.posixPermissions] as? Int, 0o600)
        XCTAssertEqual(
            facts[.modificationDate] as? Date, Date(timeIntervalSince1970: 1_700_000_001))
    }

    func testWeReadWhatInfoZipPacks() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("in"), withIntermediateDirectories: false)
        for sub in ["dir", "s"] {
            try FileManager.default.createDirectory(
                atPath: folder.path("in/" + sub), withIntermediateDirectories: false)
        }
        for (name, bytes) in contents { try folder.write(bytes, to: "in/" + name) }
        for level in ["-0", "-1", "-9"] {
            let packed = try run(
                "zip", ["-q", level, "-r", "../theirs\(level).zip", "."],
                in: folder.path("in"))
            XCTAssertEqual(packed.status, 0, packed.output)
            try check(folder, "theirs\(level).zip")
        }
        // A pipe: sizes behind, zip64.
        let piped = try run(
            "zip", ["-q", "-fz", "-r", "../large.zip", "."], in: folder.path("in"))
        XCTAssertEqual(piped.status, 0, piped.output)
        try check(folder, "large.zip")
        let link = try run("ln", ["-s", "/etc/passwd", "in/link"], in: folder.path)
        XCTAssertEqual(link.status, 0)
        _ = try run("zip", ["-q", "-y", "-r", "../link.zip", "."], in: folder.path("in"))
        XCTAssertThrowsError(try check(folder, "link.zip")) {
            XCTAssertEqual(($0 as? ArchiveError)?.reason, .link)
        }
        _ = try run(
            "zip", ["-q", "-P", "secret", "locked.zip", "plain.txt"], in: folder.path("in"))
        XCTAssertThrowsError(try check(folder, "in/locked.zip")) {
            XCTAssertEqual(($0 as? ArchiveError)?.reason, .encrypted)
        }
    }

    func testPythonReadsOursAndWeReadWhatItWrites() throws {
        let folder = try TemporaryFolder()
        try archive(in: folder)
        for (number, content) in contents.enumerated() {
            try folder.write(content.bytes, to: "\(number)")
        }
        let answers = try PythonOracle.run(
            """
            import sys, zipfile
            folder, names = sys.stdin.readline().strip(), sys.stdin.read().splitlines()
            read = lambda n: open(f'{folder}/{n}', 'rb').read()
            with zipfile.ZipFile(folder + '/ours.zip') as z:
                print(z.testzip())
                print(all(z.read(name) == read(n) for n, name in enumerate(names)))
                print(z.getinfo('plain.txt').date_time)
            for method in (0, 8):
                with zipfile.ZipFile(f'{folder}/theirs-{method}.zip', 'w', method) as z:
                    for n, name in enumerate(names): z.writestr(name, read(n))
            with zipfile.ZipFile(f'{folder}/theirs-64.zip', 'w', 8) as z:
                for n, name in enumerate(names):
                    with z.open(name, 'w', force_zip64=True) as f: f.write(read(n))
            import io
            class Pipe(io.RawIOBase):
                def __init__(self, f): self.f = f
                def writable(self): return True
                def write(self, b): return self.f.write(b)
                def flush(self): self.f.flush()
            with open(f'{folder}/theirs-pipe.zip', 'wb') as f:
                with zipfile.ZipFile(Pipe(f), 'w', 8) as z:
                    for n, name in enumerate(names): z.writestr(name, read(n))
            def bad(file, name, mode=0o100600):
                with zipfile.ZipFile(f'{folder}/{file}.zip', 'w') as z:
                    info = zipfile.ZipInfo('x'); info.filename = name
                    info.external_attr = mode << 16; info.create_system = 3
                    z.writestr(info, b'x')
            bad('up', '../x'); bad('root', '/x'); bad('drive', 'c:x'); bad('link', 'x', 0o120777)
            with zipfile.ZipFile(f'{folder}/bomb.zip', 'w', 8) as z: z.writestr('x', bytes(9000000))
            with zipfile.ZipFile(f'{folder}/many.zip', 'w') as z:
                for n in range(70000): z.writestr(f'd/{n}', b'')
            """, needs: "python3", input: [folder.path] + contents.map(\.name))
        XCTAssertEqual(answers, ["None", "True", "(2023, 11, 14, 22, 13, 20)"])
        for kind in ["0", "8", "64", "pipe"] { try check(folder, "theirs-\(kind).zip") }
        let refused: [(String, ArchiveError.Reason)] = [
            ("up", .unsafeName), ("root", .unsafeName), ("drive", .unsafeName), ("link", .link),
            ("bomb", .bomb(ratio: 200)),
        ]
        for (file, reason) in refused {
            XCTAssertThrowsError(try check(folder, file + ".zip"), file) {
                XCTAssertEqual(($0 as? ArchiveError)?.reason, reason, file)
            }
        }
        let many = try ZipReader(ArchiveSource(try OpenFile(folder.path("many.zip"))))
        XCTAssertEqual(many.members.count, 70_000)
    }

    func testPythonReadsOursWithMoreMembersThanTheOldRecordsCount() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            try ZipWriter.bytes { writer in
                for number in 0..<66_000 {
                    try writer.add("\(number)", [1], method: .stored)
                }
            }, to: "many.zip")
        let answers = try PythonOracle.run(
            """
            import sys, zipfile
            z = zipfile.ZipFile(sys.stdin.readline().strip())
            print(len(z.namelist()), z.read('65999'))
            """, needs: "python3", input: [folder.path("many.zip")])
        XCTAssertEqual(answers, ["66000 b'\\x01'"])
        let reader = try ZipReader(ArchiveSource(try OpenFile(folder.path("many.zip"))))
        XCTAssertEqual(reader.members.count, 66_000)
    }
}
