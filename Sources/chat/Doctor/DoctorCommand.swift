import AgentCore

/// `chat doctor`: what works here, what is missing, and the line that installs
/// it. Sends nothing over the network unless `--online` is given; changes nothing.
struct DoctorCommand {
    let services: Services

    var command: Command {
        Command(
            name: "doctor", summary: "what works here, what is missing, and what installs it",
            verbs: [
                Command.Verb(
                    "check", usage: "[--online] [--json]",
                    summary: "look at everything; --online asks the providers as well")
            ]
        ) { invocation in try await check(invocation) }
    }

    private func check(_ invocation: CommandInvocation) async throws -> CommandOutput {
        var isOnline = false
        for word in invocation.arguments {
            guard word == "--online" else {
                throw UsageError("doctor does not know \"\(word)\".", hint: "chat doctor --online")
            }
            isOnline = true
        }
        let checkup = Checkup(services: services)
        var findings = checkup.program() + checkup.configuration()
        findings += await checkup.conversations()
        findings += await checkup.models(isOnline: isOnline)
        findings += await checkup.voice()
        findings += await checkup.calendar()
        findings += checkup.terminal() + checkup.helpers()
        var output = CommandOutput(lines: Finding.lines(findings), json: Finding.json(findings))
        if findings.contains(where: { $0.level == .broken }) { output.outcome = .failed }
        return output
    }
}
