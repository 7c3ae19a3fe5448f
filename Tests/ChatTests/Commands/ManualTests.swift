import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// What the manual shows to be typed is what the tables of the commands take.
final class ManualTests: XCTestCase {
    /// Each line of code that begins with `chat`, and each `chat …` within a
    /// line, by the page it stands on; what follows several spaces is another
    /// line or a remark.
    private func lines() throws -> [(page: String, words: [String])] {
        let folder = URL(fileURLWithPath: #filePath + "/../../../../docs/manual").standardized
        let pages = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        var lines: [(page: String, words: [String])] = []
        for page in pages where page.pathExtension == "md" {
            let text = try String(contentsOf: page, encoding: .utf8)
                .replacing("<(chat", with: "  chat").replacing(")", with: " ")
            var code = text.components(separatedBy: "\n")
            for (index, span) in text.components(separatedBy: "`").enumerated() where index % 2 == 1
            {
                code.append(span)
            }
            for line in code.flatMap({ $0.components(separatedBy: "  ") }) {
                let line = line.drop { $0 == " " || $0 == "$" }
                guard line.hasPrefix("chat "), !line.contains("\n") else { continue }
                lines.append((page.lastPathComponent, line.split(separator: " ").map(String.init)))
            }
        }
        return lines
    }

    private func commands() throws -> [Command] {
        let folder = try TemporaryFolder()
        let variables = ["CHAT_HOME": folder.path]
        let app = App(variables: variables, environment: .system(variables: variables))
        let services = try app.services(for: .help(topic: []))
        return App.commands(services)
    }

    func testTheManualNamesEveryVerbAndNoOptionThatIsNotThere() throws {
        let commands = try commands()
        var missing = Set(commands.flatMap { command in command.verbs.map(command.line) })
        for (page, words) in try lines() {
            guard let command = commands.first(where: { $0.name == words.dropFirst().first }) else {
                continue
            }
            // `set|check|list`: several at once.
            let names = (words.dropFirst(2).first ?? "").split(separator: "|").map(String.init)
            for verb in command.verbs where names.contains(verb.name) {
                missing.remove(command.line(verb))
            }
            let found = names.first.flatMap { command.named(in: [$0]) }
            let isVerb = words.count > 2 && words[2].allSatisfy { $0.isLowercase || $0 == "-" }
            if found == nil, isVerb, words[2].first != "-", !command.takesWordsWithoutVerb {
                XCTFail("\(page): chat \(command.name) has no \(words[2])")
            }
            let verb = found?.verb ?? command.verbs[0]
            missing.remove(command.line(verb))
            for part in words {
                let name = part.drop { $0 == "[" }.prefix { $0 == "-" || $0.isLetter }
                guard name.hasPrefix("--"), name.count > 2, name != "--help" else { continue }
                XCTAssertNotNil(
                    verb.option(String(name))
                        ?? (name == "--json" || name == "--yes"
                            ? Verb.Option("--json", "") : nil),
                    "\(page): chat \(command.line(verb)) has no \(name)")
            }
        }
        XCTAssertEqual(missing.sorted(), [], "not in the manual")
    }

    /// The sessions of the first five minutes stand on the screens that the end-to-end tests record.
    func testTheFirstFiveMinutesAreWhatTheProgramShows() throws {
        let root = URL(fileURLWithPath: #filePath + "/../../../..").standardized
        let golden = root.appendingPathComponent("Tests/EndToEndTests/Golden")
        let screens = try ["newcomer", "planner", "chat", "recovery"].map {
            try String(contentsOf: golden.appendingPathComponent($0 + ".txt"), encoding: .utf8)
        }.joined(separator: "\n")
            // The tests set a local server, so that none of this machine is found.
            .replacing(
                " The local server that you set, http://127.0.0.1:PORT/v1,\n  does not answer.",
                with: ""
            ).components(separatedBy: "\n")
        let page = try String(
            contentsOf: root.appendingPathComponent("docs/manual/index.md"), encoding: .utf8)
        let part = try XCTUnwrap(page.components(separatedBy: "five-minutes:begin").last)
        let sessions = part.components(separatedBy: "```").enumerated().filter {
            $0.offset % 2 == 1 && $0.element.contains("\n> ") && !$0.element.contains("⏰")
        }.flatMap { $0.element.components(separatedBy: "\n") }.filter { !$0.isEmpty }
        XCTAssertGreaterThan(sessions.count, 30)
        for line in sessions {
            let shown = line.replacing(#/\d\.\d s$/#, with: "N.N s")
                .replacing(#/· \d\d:\d\d$/#, with: "· NN:NN")
            XCTAssertTrue(screens.contains(shown), line)
        }
    }
}
