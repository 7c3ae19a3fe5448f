import Base
import ChatKit
import Persistence
import TerminalKit
import Texts

/// The role of the conversation: a prompt used as its system text and stored with it.
struct RoleController: ReplController {
    let context: ReplContext
    let models: ModelController

    /// `/role [NAME]`
    func change(to name: String?) async throws {
        guard let name else {
            try await pickRole()
            return
        }
        try await setRole(name)
    }

    private func pickRole() async throws {
        let current = await session.preferences.role
        let roles = try await services.prompts.all()
        if canErase {
            let none = PickerItem(
                id: "none", title: current == nil ? "● none" : "  none",
                detail: "the built-in text")
            let request = PickerRequest(
                heading: "Role", items: [none] + roles.map { Self.item($0, current: current) })
            if let name = await terminal.pick(request, services.environment) {
                try await setRole(name)
            }
            return
        }
        await show(
            Self.lines(roles, current: current) + [
                StyledLine(
                    "  /role NAME selects one, /role none goes back · yours: /prompt new NAME", .dim
                )
            ])
    }

    /// One row of the picker, marked if it is the current one.
    static func item(_ prompt: Prompt, current: String? = nil) -> PickerItem {
        PickerItem(
            id: prompt.name,
            title: (prompt.name == current ? "● " : "  ") + HostileText.line(prompt.name),
            detail: HostileText.line(prompt.line), searchText: prompt.text)
    }

    static func lines(_ prompts: [Prompt], current: String? = nil) -> [StyledLine] {
        StyledLine.table(
            prompts.map { prompt in
                [
                    .init((prompt.name == current ? "● " : "  ") + prompt.name, .accent),
                    .init(prompt.line, .dim),
                ]
            }, columns: 1, indent: "  ")
    }

    func setRole(_ name: String) async throws {
        let before = await session.system
        if name == "none" {
            try await session.change { ($0.role, $0.system) = (nil, nil) }
            await tell("no role", .success)
        } else {
            let role = try await services.prompts.required(name)
            try await session.change { preferences in
                (preferences.role, preferences.system) = (role.name, role.system)
                preferences.effort = role.effort ?? preferences.effort
            }
            await tell("role: \(role.name)", .success)
            await showProblems(of: role)
            if let model = role.model { try await models.use(model) }
        }
        if await session.hasHistory, await session.system != before,
            await !session.appendsSystem
        {
            await tell(
                "The prompt cache starts over: the next message is charged at the full price.", .dim
            )
        }
    }

    func showProblems(of prompt: Prompt) async {
        await show(prompt.problems.map { StyledLine("  not understood: \($0)", .warning) })
        if prompt.hasUntrustedText {
            await tell(
                "It may contain untrusted text, so tools that change something ask first: "
                    + "/prompt show \(prompt.name)", .warning)
        }
    }

    /// Reports that the role has been edited since the conversation was last open.
    func showCurrent() async {
        let preferences = await session.preferences
        guard let name = preferences.role else { return }
        let now = await session.role
        var text = "  role: \(name)"
        if now == nil {
            text += "; it does not exist any more, and the conversation keeps its text"
        } else if now?.system != preferences.system {
            text +=
                "; its text has changed since; this conversation keeps the old one · /role \(name) uses the new one"
        }
        await show([StyledLine(text, .dim)])
    }
}
