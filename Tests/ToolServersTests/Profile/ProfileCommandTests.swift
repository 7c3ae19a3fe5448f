import AgentCore
import Base
import Privacy
import Synchronization
import TestSupport
import XCTest

@testable import Library

final class ProfileCommandTests: XCTestCase {
    /// A profile in a folder of its own, and what the user answers.
    private final class Rig: Sendable {
        let folder: TemporaryFolder
        let file: ProfileFile
        let answers = Mutex<[String]>([])
        let asked = Mutex<[String]>([])
        let isMeant = Mutex(false)

        init() throws {
            folder = try TemporaryFolder()
            file = ProfileFile(path: folder.path("profile.json"))
        }

        var server: ProfileServer {
            ProfileServer(
                ProfileServer.Dependencies(
                    file: file,
                    entries: { [folder] path in
                        try await ProfileImport.entries(
                            inFile: folder.path(path), shown: path, variables: [:])
                    }, readInput: { _ in Array("12 Elm Street\nSpringfield\n".utf8) }))
        }

        func run(_ words: String...) async throws -> CommandOutput {
            var interaction = Interaction()
            interaction.ask = { question, isHidden in
                XCTAssertFalse(isHidden)
                self.asked.withLock { $0.append(question) }
                return self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            }
            interaction.confirm = { _, question in
                self.asked.withLock { $0.append(question) }
                return self.isMeant.withLock { $0 }
            }
            return try await server.commands[0].run(words, interaction)
        }
    }

    private func text(_ output: CommandOutput) -> [String] {
        output.lines.map(\.text) + output.remarks.map(\.text) + output.notices
    }

    private func assert(
        _ output: CommandOutput, says lines: [String], line: UInt = #line
    ) {
        XCTAssertEqual(text(output), lines, line: line)
    }

    func testASetWithoutAValueAsksForIt() async throws {
        let rig = try Rig()
        rig.answers.withLock { $0 = ["Ida Svensson", "ida@example.org"] }
        assert(try await rig.run("set", "name"), says: ["✓ name: I••• S•••"])
        assert(try await rig.run("set", "email"), says: ["✓ e-mail: i•••@•••.org"])
        XCTAssertEqual(rig.asked.withLock { $0 }, ["Name: ", "E-mail: "])
        let error = await failure { try await rig.run("set", "phone") }
        XCTAssertEqual(error?.what, "There is no terminal to ask for the phone.")
        XCTAssertEqual(error?.todo, "chat profile set phone - < FILE")
        assert(try await rig.run("set", "address", "-"), says: ["✓ address: •••"])
        let profile = try await rig.file.read()
        XCTAssertEqual(profile.first(.address), "12 Elm Street\nSpringfield")
    }

    func testShowMasksAndRevealsOnlyWhenAsked() async throws {
        let rig = try Rig()
        assert(
            try await rig.run(),
            says: [
                "No profile yet.", "Begin with: chat profile set name",
                "Or from a JSON Resume: chat profile import resume.json",
            ])
        _ = try await rig.run("set", "name", "Ida", "Svensson")
        _ = try await rig.run("add", "name", "Ida Lindqvist")
        _ = try await rig.run("set", "phone", "+46 8 123 456")
        let masked = try await rig.run("show", "--json")
        XCTAssertEqual(
            masked.lines.map(\.text),
            ["name   1  I••• S•••", "       2  I••• L•••", "phone     ••• 56"])
        XCTAssertEqual(masked.json?["name"], ["I••• S•••", "I••• L•••"])
        XCTAssertEqual(masked.json?["revealed"], false)
        let whole = text(masked).joined() + JSONWriter.string(masked.json ?? .null)
        for literal in ["Ida", "Svensson", "Lindqvist", "123"] {
            XCTAssertFalse(whole.contains(literal), literal)
        }
        let revealed = try await rig.run("show", "--reveal")
        XCTAssertEqual(
            revealed.lines.map(\.text),
            ["name   1  Ida Svensson", "       2  Ida Lindqvist", "phone     +46 8 123 456"])
        XCTAssertEqual(revealed.json?["phone"], ["+46 8 123 456"])
    }

    func testImportTakesWhatBasicsSaysAndKeepsWhatWasThere() async throws {
        let rig = try Rig()
        try rig.folder.write(
            Array(
                """
                {"basics": {"name": "Ida Svensson", "label": "Developer", "email": "ida@example.org",
                 "phone": "08-123 456", "url": "https://ida.example", "summary": "Ships.",
                 "location": {"address": "Storgatan 5", "postalCode": "111 22", "city": "Stockholm",
                   "countryCode": "SE"},
                 "profiles": [{"network": "GitHub", "username": "idasv"}, {"network": "Mystery"}]},
                 "work": [{"name": "Acme"}], /* a comment */}
                """.utf8), to: "resume.json")
        _ = try await rig.run("set", "email", "i@work.example")
        let output = try await rig.run("import", "resume.json")
        XCTAssertEqual(
            output.lines.map { $0.text.trimmingSpace() },
            [
                "✓ name     I••• S•••",
                "✓ e-mail   i•••@•••.org    added; letters still use the first one",
                "✓ phone    ••• 56", "✓ address  •••", "✓ link     •••/•••",
                "✓ link     github.com/•••",
            ])
        let profile = try await rig.file.read()
        XCTAssertEqual(profile.values(of: .email), ["i@work.example", "ida@example.org"])
        XCTAssertEqual(profile.first(.address), "Storgatan 5\n111 22 Stockholm")
        XCTAssertEqual(profile.values(of: .url), ["https://ida.example", "github.com/idasv"])
        XCTAssertEqual(profile.values(of: .employer), [])
        assert(try await rig.run("import", "resume.json"), says: ["All of it is already there."])
    }

    func testAFileThatIsNoResumeIsSaidWithItsPlace() async throws {
        let rig = try Rig()
        try rig.folder.write(Array("{\n \"basics\": {]\n}".utf8), to: "r.json")
        let broken = await failure { try await rig.run("import", "r.json") }
        XCTAssertEqual(
            broken?.what,
            "The résumé is not valid JSON: line 2, column 13: \(broken?.what.split(separator: ": ").last ?? "")"
        )
        try rig.folder.write(Array("{\"work\": []}".utf8), to: "r.json")
        let empty = await failure { try await rig.run("import", "r.json") }
        XCTAssertEqual(empty?.what, "r.json does not say who you are.")
    }

    func testRemoveAsksAndTakesANumber() async throws {
        let rig = try Rig()
        for email in ["a@example.org", "b@example.net"] {
            _ = try await rig.run("add", "email", email)
        }
        let refused = try await rig.run("remove")
        XCTAssertEqual(refused.outcome, .refused)
        XCTAssertEqual(text(refused), ["Nothing was removed; --yes removes 2 e-mails."])
        rig.isMeant.withLock { $0 = true }
        assert(try await rig.run("remove", "email", "2"), says: ["✓ removed: e-mail b•••@•••.net"])
        assert(try await rig.run("remove"), says: ["✓ removed: 1 e-mail"])
        XCTAssertEqual(
            rig.asked.withLock { $0 },
            [
                "Remove from your profile: 2 e-mails? This cannot be undone.",
                "Remove from your profile: e-mail b•••@•••.net? This cannot be undone.",
                "Remove from your profile: 1 e-mail? This cannot be undone.",
            ])
        assert(try await rig.run("remove", "--yes"), says: ["There is nothing to remove."])
    }

    func testTheModelLearnsOnlyWhichFieldsAreSet() async throws {
        let rig = try Rig()
        _ = try await rig.run("set", "name", "Ida Svensson")
        let tools = rig.server.listTools()
        XCTAssertEqual(tools.map(\.name), ["profile_status"])
        XCTAssertEqual(tools.map(\.toolClass), [.read])
        let output = try await rig.server.callTool("profile_status", arguments: JSONObject())
        XCTAssertEqual(
            output.text,
            "{\"name\":true,\"email\":false,\"phone\":false,\"address\":false,\"url\":false,"
                + "\"birth-date\":false,\"identifier\":false,\"employer\":false}")
    }
}
