import AgentCore
import XCTest

@testable import chat

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
        var pages = text(help.overview()) + "\n" + text(help.slashCommands())
        for command in commands { pages += "\n" + text(help.page(command, prefix: "chat ")) }
        try GoldenFile.check(pages, "help.txt")
        for line in pages.split(separator: "\n") {
            XCTAssertLessThanOrEqual(line.count, 110, String(line))
        }
    }
}
