import Base
import XCTest

@testable import ChatKit

final class PathsTests: XCTestCase {
    func testTheFoldersFollowXDG() throws {
        let home = try TemporaryHome(self).path
        let standard = try Paths(variables: ["HOME": home + "/"], account: { nil })
        XCTAssertEqual(standard.configuration, home + "/.config/chat/config.json")
        XCTAssertEqual(standard.keys, home + "/.config/chat/keys.json")
        XCTAssertEqual(standard.database, home + "/.local/share/chat/chat.db")
        XCTAssertEqual(standard.trash, home + "/.local/share/chat/trash")
        XCTAssertEqual(standard.log, home + "/.local/state/chat/log")
        XCTAssertEqual(standard.expanded("~/x"), home + "/x")

        let moved = try Paths(
            variables: ["HOME": home, "XDG_CONFIG_HOME": "/a", "XDG_DATA_HOME": "relative"],
            account: { nil })
        XCTAssertEqual(moved.configuration, "/a/chat/config.json")
        XCTAssertEqual(moved.database, home + "/.local/share/chat/chat.db")
    }

    func testChatHomePutsEverythingUnderOneFolder() throws {
        let paths = try Paths(
            variables: ["CHAT_HOME": "/c/", "XDG_DATA_HOME": "/d"], account: { nil })
        XCTAssertEqual(
            [paths.configuration, paths.database, paths.calendars, paths.trash, paths.history],
            ["/c/config.json", "/c/chat.db", "/c/calendars", "/c/trash", "/c/state/history"])
    }

    func testWithoutAHomeTheAccountHelpsAndElseItIsAnError() throws {
        let home = try TemporaryHome(self).path
        for variables in [[:], ["HOME": ""]] {
            XCTAssertEqual(
                try Paths(variables: variables, account: { home }).home, home)
            XCTAssertThrowsError(
                try Paths(variables: variables, account: { "/nonexistent/y" })
            ) {
                XCTAssertEqual($0 as? ConfigurationError, ConfigurationError(reason: .noHome))
            }
        }
    }

    func testAHomeThatIsNoFolderIsAnErrorAndNeverTheHomeOfTheAccount() throws {
        let home = try TemporaryHome(self).path
        for wrong in ["x", "../x", "/nonexistent/x", "/dev/null"] {
            XCTAssertThrowsError(try Paths(variables: ["HOME": wrong], account: { home })) {
                XCTAssertEqual(
                    $0 as? ConfigurationError, ConfigurationError(reason: .unusableHome(wrong)))
            }
            let paths = try Paths(
                variables: ["HOME": wrong, "CHAT_HOME": "/c"], account: { home })
            XCTAssertEqual(paths.database, "/c/chat.db")
        }
    }

    func testARelativeChatHomeIsAnErrorAndNeverTheRealHome() throws {
        let home = try TemporaryHome(self).path
        XCTAssertThrowsError(try Paths(variables: ["HOME": home, "CHAT_HOME": "rel"])) {
            XCTAssertEqual(
                ($0 as? ConfigurationError)?.diagnostic.what, "CHAT_HOME must be an absolute path.")
        }
        let paths = try Paths(variables: ["HOME": home, "CHAT_HOME": ""])
        XCTAssertEqual(paths.dataFolder, home + "/.local/share/chat")
    }
}
