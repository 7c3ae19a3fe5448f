import AgentCore
import Base
import ChatKit

/// `chat doctor`: checks the installation, and prints commands that install missing
/// programs. Sends nothing over the network unless `--online` is given; changes nothing.
package struct DoctorCommand {
    static let noun = ProgramNoun.doctor.rawValue
    let services: Services

    var command: Command {
        Command(
            name: Self.noun, summary: "what works here, what is missing, and what installs it",
            verbs: [
                Verb(
                    "check", "check everything",
                    options: [.init("--online", "ask the providers as well")],
                    json: "area level text remedy"
                ) { try await check(isOnline: $0.has("--online")) }
            ])
    }

    private func check(isOnline: Bool) async throws -> CommandOutput {
        let checkup = Checkup(services: services)
        var findings = checkup.program()
        findings += await checkup.configuration()
        findings += await checkup.conversations()
        findings += await checkup.models(isOnline: isOnline)
        findings += await checkup.capabilities()
        findings += await checkup.voice()
        findings += await checkup.calendar()
        findings += checkup.terminal() + checkup.helpers()
        var output = CommandOutput(lines: Finding.lines(findings), json: Finding.json(findings))
        if findings.contains(where: { $0.level == .broken }) { output.outcome = .failure }
        return output
    }
}
