import Foundation
import TestSupport
import Texts
import XCTest

@testable import ChatKit

final class RoleTests: XCTestCase {
    func testWhatTheToolsNeedGoesWithEveryRole() {
        let role = Prompt(name: "r", text: "Be kind to {{name}}.", source: .file)
        XCTAssertTrue(
            role.system.hasPrefix("Be kind to {{name}}.\n\nWhen the user speaks of reminders"))
        XCTAssertTrue(SystemText.standard.hasSuffix(SystemText.tools))
        XCTAssertTrue(SystemText.standard.contains("shows it as text. When the user speaks"))
    }

    func testRolesOfTheConfigurationAndOfFilesArePrompts() async throws {
        let rig = try ChatRig(
            configuration: #"{ "roles": { "terse": "One sentence.", "a": { "system": "A." } } }"#)
        try FileManager.default.createDirectory(
            atPath: rig.folder.path + "/roles", withIntermediateDirectories: false)
        try rig.folder.write(Array("Filed.".utf8), to: "roles/a.md")
        let prompts = rig.services.prompts
        let terse = try await prompts.prompt("terse")
        XCTAssertEqual(terse?.text, "One sentence.")
        XCTAssertEqual(terse?.source, .configuration)
        let a = try await prompts.prompt("a")
        XCTAssertEqual(a?.text, "Filed.")
        for name in ["shell", "tutor"] {
            let prompt = try await prompts.prompt(name)
            XCTAssertEqual(prompt?.source, .builtIn, name)
        }
        await rig.services.close()
    }
}
