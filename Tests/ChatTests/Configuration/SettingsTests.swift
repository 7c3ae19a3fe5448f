import AgentCore
import XCTest

@testable import chat

final class SettingsTests: XCTestCase {
    private func settings(
        _ variables: [String: String] = [:], flags: Settings.Flags = .init(),
        file: Configuration = Configuration()
    ) throws -> Settings {
        let paths = try Paths(variables: ["CHAT_HOME": "/c"], account: { "/" })
        return try Settings(flags: flags, variables: variables, configuration: file, paths: paths)
    }

    func testFlagComesBeforeVariableBeforeFileBeforeDefault() throws {
        var file = Configuration()
        XCTAssertEqual(try settings().model, Setting(value: nil, source: .standard))
        file.model = "file"
        XCTAssertEqual(
            try settings(file: file).model, Setting(value: "file", source: .configuration))
        let variables = ["CHAT_MODEL": "variable"]
        XCTAssertEqual(
            try settings(variables, file: file).model,
            Setting(value: "variable", source: .environment("CHAT_MODEL")))
        XCTAssertEqual(
            try settings(variables, flags: .init(model: "flag"), file: file).model,
            Setting(value: "flag", source: .flag("--model")))
        XCTAssertEqual(
            try settings(["CHAT_MODEL": ""], file: file).model.source, .configuration)
    }

    func testTheLocalURLComesFromTheFileThenTheVariablesThenOllamasOwn() throws {
        var variables = ["OLLAMA_HOST": "0.0.0.0"]
        XCTAssertEqual(
            try settings().server(.local).url,
            Setting(value: "http://127.0.0.1:11434/v1", source: .standard))
        XCTAssertEqual(
            try settings(variables).server(.local).url,
            Setting(value: "http://127.0.0.1:11434/v1", source: .environment("OLLAMA_HOST")))
        variables["OPENAI_BASE_URL"] = "http://h:1/v1"
        XCTAssertEqual(
            try settings(variables).server(.local).url,
            Setting(value: "http://h:1/v1", source: .environment("OPENAI_BASE_URL")))
        var file = Configuration()
        file.servers[.local] = .init(baseURL: "http://g:2/v1")
        XCTAssertEqual(
            try settings(variables, file: file).server(.local).url,
            Setting(value: "http://g:2/v1", source: .configuration))
    }

    func testAnOllamaHostIsMadeRight() {
        let table: [(String, String?)] = [
            ("127.0.0.1", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080/v1"),
            ("nas", "http://nas:11434/v1"), ("nas:80", "http://nas/v1"),
            ("http://nas:11434/", "http://nas:11434/v1"), ("https://nas", "https://nas/v1"),
            ("[::]:11434", "http://127.0.0.1:11434/v1"), ("[::1]", "http://[::1]:11434/v1"),
            ("a b", nil), ("ftp://nas", nil),
        ]
        for (host, url) in table { XCTAssertEqual(Settings.ollama(host), url, host) }
    }

    func testABaseURLThatIsNoneIsAnErrorThatNamesTheVariable() {
        XCTAssertThrowsError(try settings(["OPENAI_BASE_URL": "example.com"])) {
            XCTAssertEqual(
                $0 as? ConfigurationError,
                ConfigurationError(
                    reason: .wrongVariable(
                        name: "OPENAI_BASE_URL",
                        accepted: "a URL that begins with https:// or http://")))
        }
    }

    func testAKeyCommandIsBoundToTheFilesOwnBaseURL() {
        var file = Configuration()
        file.servers[.openai] = .init(baseURL: "https://o.example/v1", keyCommand: ["a"])
        file.servers[.claude] = .init(keyCommand: ["b"])
        file.servers[.local] = .init(keyCommand: ["c"])
        XCTAssertEqual(
            file.keyCommands.mapValues(\.origin.description),
            [
                .openai: "https://o.example", .claude: "https://api.anthropic.com",
                .local: "http://127.0.0.1:11434",
            ])
    }

    func testTheListingHasEverySettingOnce() throws {
        let names = try settings().listing.map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
        XCTAssertEqual(names.count, 42)
        XCTAssertEqual(try settings().calendars.value, ["/c/calendars"])
    }
}
