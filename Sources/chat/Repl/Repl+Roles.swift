import AgentCore
import Persistence
import TerminalKit

/// The role of the conversation: a named system text that is kept with it.
extension Repl {
    func changeRole(_ words: [String]) async throws {
        guard let name = words.first else {
            try await pickRole()
            return
        }
        try await setRole(name)
    }

    private func pickRole() async throws {
        let current = await session.preferences.role
        let roles = services.roles.all
        if canErase {
            let none = PickerItem(
                id: "none", title: current == nil ? "● none" : "  none",
                detail: "the built-in text")
            let items = roles.map { role in
                PickerItem(
                    id: role.name, title: (role.name == current ? "● " : "  ") + role.name,
                    detail: RoleText.summary(role), searchText: role.text)
            }
            let request = PickerRequest(heading: "Role", items: [none] + items)
            if let name = await terminal.pick(request) { try await setRole(name) }
            return
        }
        await show(
            roles.map { role in
                StyledLine([
                    .init(role.name == current ? "  ● " : "    "), .init(role.name, .accent),
                    .init("  \(RoleText.summary(role))", .dim),
                ])
            } + [
                StyledLine(
                    "  /role NAME takes one, /role none goes back · yours: \(services.roles.folder)/NAME.md",
                    .dim)
            ])
    }

    func setRole(_ name: String) async throws {
        let before = await session.system
        if name == "none" {
            try await session.change { ($0.role, $0.system) = (nil, nil) }
            await tell("no role", .success)
        } else {
            let role = try services.roles.required(name)
            try await session.change { preferences in
                (preferences.role, preferences.system) = (role.name, role.system)
                preferences.effort = role.effort ?? preferences.effort
            }
            await tell("role: \(role.name)", .success)
            await show(role.problems.map { StyledLine("  not understood: \($0)", .warning) })
            if let model = role.model {
                try await switchModel(
                    ProviderName(rawValue: model).map { ProviderChoice.Selection(provider: $0) }
                        ?? ProviderChoice.Selection(model: model))
            }
        }
        if await session.hasHistory, await session.system != before {
            await tell(
                "The prompt cache starts anew: the next message is read at the full price.", .dim)
        }
    }

    /// Said when a conversation is opened whose role has been edited since.
    func showRole() async {
        let preferences = await session.preferences
        guard let name = preferences.role else { return }
        let now = services.roles.role(name)
        var text = "  role: \(name)"
        if now == nil {
            text += "; it does not exist any more, and the conversation keeps its text"
        } else if now?.system != preferences.system {
            text +=
                "; its text has changed since, this conversation keeps its own · /role \(name) takes the new one"
        }
        await show([StyledLine(text, .dim)])
    }
}

/// Roles as people see them in a list. Pure.
enum RoleText {
    static func summary(_ role: NamedRole) -> String {
        var words = [
            role.model, role.effort.map { "effort \($0.rawValue)" },
            role.temperature.map { "temperature \($0)" },
        ].compactMap(\.self)
        let line = role.text.split(separator: "\n").first.map(String.init) ?? ""
        words.append(DisplayWidth.cut(HostileText.line(line), to: 60))
        return words.joined(separator: " · ")
    }
}
