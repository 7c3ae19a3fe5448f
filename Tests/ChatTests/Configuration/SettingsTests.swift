import AgentCore
import Base
import XCTest

@testable import ChatKit

final class SettingsTests: XCTestCase {
    private func settings(
        _ variables: [String: String] = [:], flags: Settings.Flags = .init(),
        file: String = "{}"
    ) throws -> Settings {
        let paths = try Paths(variables: ["CHAT_HOME": "/c"], account: { "/" })
        return try Settings.parse(Array(file.utf8), file: "/c/config.json")
            .applying(flags: flags, variables: variables, paths: paths)
    }

    private func model(
        _ variables: [String: String] = [:], flag: String? = nil, file: String = "{}"
    ) throws -> String {
        let settings = try settings(variables, flags: .init(model: flag), file: file)
        return "\(settings.model ?? "none"): \(settings.source(of: "model").description)"
    }

    func testFlagComesBeforeVariableBeforeFileBeforeDefault() throws {
        let file = #"{"model": "file"}"#
        XCTAssertEqual(try model(), "none: default")
        XCTAssertEqual(try model(file: file), "file: config.json")
        let variables = ["CHAT_MODEL": "variable"]
        XCTAssertEqual(try model(variables, file: file), "variable: environment CHAT_MODEL")
        XCTAssertEqual(try model(variables, flag: "flag", file: file), "flag: flag --model")
        XCTAssertEqual(try model(["CHAT_MODEL": ""], file: file), "file: config.json")
    }

    func testTheLocalURLComesFromTheFileThenTheVariablesThenOllamasOwn() throws {
        func local(_ variables: [String: String] = [:], file: String = "{}") throws -> String {
            let settings = try settings(variables, file: file)
            let source = settings.source(of: "local.base_url").description
            return "\(settings[server: .local].baseURL) \(source)"
        }
        var variables = ["OLLAMA_HOST": "0.0.0.0"]
        XCTAssertEqual(try local(), "http://127.0.0.1:11434/v1 default")
        XCTAssertEqual(
            try local(variables), "http://127.0.0.1:11434/v1 environment OLLAMA_HOST")
        variables["OPENAI_BASE_URL"] = "http://h:1/v1"
        XCTAssertEqual(try local(variables), "http://h:1/v1 environment OPENAI_BASE_URL")
        XCTAssertEqual(
            try local(variables, file: #"{"local": {"base_url": "http://g:2/v1"}}"#),
            "http://g:2/v1 config.json")
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

    func testABaseURLThatIsNoneIsAnErrorThatNamesTheVariable() throws {
        let error = ConfigurationError(
            reason: .wrongVariable(
                name: "OPENAI_BASE_URL", accepted: "a URL that begins with https:// or http://"))
        XCTAssertEqual(
            try settings(["OPENAI_BASE_URL": "example.com"]).broken,
            [
                BrokenSetting(error, part: "openai.base_url"),
                BrokenSetting(error, part: "local.base_url"),
            ])
    }

    func testAKeyCommandIsBoundToTheFilesOwnBaseURL() {
        let file = """
            {"openai": {"base_url": "https://o.example/v1", "key_command": ["a"]},
             "claude": {"key_command": ["b"]}, "local": {"key_command": ["c"]}}
            """
        let variables = [
            "OPENAI_BASE_URL": "https://x.example/v1", "ANTHROPIC_BASE_URL": "https://y.example",
        ]
        XCTAssertEqual(
            try settings(variables, file: file).keyCommands.mapValues(\.origin.description),
            [
                .openai: "https://o.example", .claude: "https://api.anthropic.com",
                .local: "http://127.0.0.1:11434",
            ])
    }

    func testTheListingHasEverySettingOnce() throws {
        let names = try settings().listing.map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
        // Of each provider the base URL and the model.
        XCTAssertEqual(names.count, 51 + 2 * ProviderName.named.count)
        XCTAssertEqual(try settings().calendars, ["/c/calendars"])
    }
}
