import AgentCore
import Foundation
import XCTest

@testable import ChatKit

final class KeyFileTests: XCTestCase {
    private let key = StoredKey(name: .openai, origin: openAI, secret: Secret(canary))

    private func error(_ file: KeyFile) -> KeyFileError? {
        do {
            _ = try file.read()
            return nil
        } catch { return error }
    }

    func testAKeyComesBackAndTheFileIsPrivateFromItsCreation() throws {
        let home = try TemporaryHome(self)
        let old = umask(0)
        defer { umask(old) }
        let file = KeyFile(path: home.path + "/a/b/keys.json", uuid: { "u" })
        try file.update { _ in [key] }
        XCTAssertEqual(try file.read(), [key])
        XCTAssertEqual(home.mode("a"), 0o700)
        XCTAssertEqual(home.mode("a/b"), 0o700)
        XCTAssertEqual(home.mode("a/b/keys.json"), 0o600)
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: home.path + "/a/b"), ["keys.json"])
    }

    func testNoFileIsNoKeysAndMakesNothing() throws {
        let home = try TemporaryHome(self)
        XCTAssertEqual(try home.keyFile.read(), [])
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: home.path), [])
    }

    func testEveryModeThatLetsOthersInIsRefusedWithTheExactLine() throws {
        for mode: mode_t in [0o644, 0o660, 0o640, 0o604, 0o606, 0o610, 0o666, 0o777] {
            let home = try TemporaryHome(self)
            try home.keyFile.update { _ in [key] }
            chmod(home.keyFile.path, mode)
            let error = error(home.keyFile)
            XCTAssertEqual(error?.reason, .readableByOthers, String(mode, radix: 8))
            XCTAssertEqual(error?.sentence.hasSuffix(": chmod 600 \(home.keyFile.path)"), true)
            XCTAssertThrowsError(try home.keyFile.update { _ in [] })
            XCTAssertEqual(home.mode("keys.json"), mode)
        }
    }

    func testAFolderThatOthersMayWriteIsRefused() throws {
        for mode: mode_t in [0o777, 0o770, 0o702, 0o1777] {
            let home = try TemporaryHome(self)
            try home.keyFile.update { _ in [key] }
            chmod(home.path, mode)
            defer { chmod(home.path, 0o700) }
            let error = error(home.keyFile)
            XCTAssertEqual(error?.reason, .folderWritableByOthers(home.path))
            XCTAssertEqual(error?.sentence.hasSuffix(": chmod 700 \(home.path)"), true)
            XCTAssertThrowsError(try home.keyFile.update { _ in [] })
        }
    }

    func testASymbolicLinkIsRefusedAndItsTargetUntouched() throws {
        let home = try TemporaryHome(self)
        try home.write("victim", "victim")
        symlink(home.path + "/victim", home.keyFile.path)
        XCTAssertEqual(error(home.keyFile)?.reason, .symbolicLink)
        XCTAssertThrowsError(try home.keyFile.update { _ in [key] })
        XCTAssertEqual(try home.read("victim"), "victim")
    }

    func testAPipeOrAFolderInItsPlaceIsRefusedAtOnce() throws {
        let home = try TemporaryHome(self)
        mkfifo(home.keyFile.path, 0o600)
        XCTAssertEqual(error(home.keyFile)?.reason, .notAFile)
        unlink(home.keyFile.path)
        mkdir(home.keyFile.path, 0o700)
        XCTAssertEqual(error(home.keyFile)?.reason, .notAFile)
    }

    func testAFileOfAnotherUserIsRefused() throws {
        try XCTSkipUnless(geteuid() == 0, "only root can give a file away")
        let home = try TemporaryHome(self)
        try home.keyFile.update { _ in [key] }
        chown(home.keyFile.path, 65534, 65534)
        XCTAssertEqual(error(home.keyFile)?.reason, .otherOwner)
        chown(home.keyFile.path, 0, 0)
        chown(home.path, 65534, 65534)
        defer { chown(home.path, 0, 0) }
        XCTAssertEqual(error(home.keyFile)?.reason, .folderOfOtherOwner(home.path))
    }

    func testBrokenTextIsAnErrorThatDoesNotShowIt() throws {
        for text in [
            "", "{", "[]", "{\"version\":1}", "{\"version\":1,\"keys\":[{\"key\":\"\(canary)\"}]}",
        ] {
            let home = try TemporaryHome(self)
            try home.write("keys.json", text)
            let error = error(home.keyFile)
            XCTAssertNotNil(error, text)
            XCTAssertFalse("\(String(reflecting: error)) \(error?.sentence ?? "")".contains(canary))
        }
        let home = try TemporaryHome(self)
        try home.write("keys.json", "{\"version\":2,\"keys\":[]}")
        XCTAssertEqual(error(home.keyFile)?.reason, .otherVersion)
    }

    func testAPathWithASpaceIsQuotedInTheLineThatMendsIt() {
        let error = KeyFileError(reason: .readableByOthers, path: "/a b/it's")
        XCTAssertTrue(error.sentence.hasSuffix("chmod 600 \"/a b/it's\""), error.sentence)
    }
}
