import AgentCore
import TestSupport
import XCTest

@testable import chat
@testable import TerminalKit

final class HelpTextTests: XCTestCase {
    private func text(_ lines: [StyledLine]) -> String {
        let style = Style(usesColor: false, usesUnicode: true)
        return lines.map { style.text($0) + "\n" }.joined()
    }

    func testTheHelpPages() throws {
        let rig = try ChatRig()
        var commands = rig.services.registry.servers.flatMap(\.commands)
        commands.append(ConversationsCommand(services: rig.services).command)
        commands.append(ModelsCommand(services: rig.services).command)
        commands.append(
            KeysCommand(ring: rig.services.keyRing, doors: .unattended(rig.services)).command)
        commands.append(UsageCommand(services: rig.services).command)
        commands.append(ConfigCommand(services: rig.services, editor: .unattended).command)
        let help = HelpText(commands: commands)
        // What is typed is never broken.
        let usages = Set(
            commands.flatMap { command in
                command.verbs.map { "  chat \(command.name) \($0.name) \($0.usage)" }
            } + SlashCommand.allCases.map { "  /\($0.rawValue) \($0.usage)" })
        var pages = text(help.overview()) + "\n" + text(help.slashCommands())
        for command in commands { pages += "\n" + text(help.page(command, prefix: "chat ")) }
        try GoldenFile.check(pages, "help.txt")
        for line in pages.split(separator: "\n") {
            XCTAssertLessThanOrEqual(line.count, usages.contains(String(line)) ? 110 : 80)
        }
        // In half a window the words stand below one another.
        let narrow = HelpText(commands: commands, columns: 40).slashCommands()
        for line in narrow where !usages.contains(line.text) {
            XCTAssertLessThanOrEqual(line.text.count, 40, line.text)
        }
    }
}
