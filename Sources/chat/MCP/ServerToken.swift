import AgentCore

/// Asks for the token of a tool server at a hidden prompt and keeps it in the key ring, for
/// that server's origin alone.
struct ServerToken {
    let ring: KeyRing

    func keep(
        _ server: String, _ origin: KeyOrigin, _ words: CommandArguments
    ) async throws -> CommandOutput {
        if words.has("--remove") {
            let isGone = try await ring.removeToken(of: server)
            return CommandOutput(
                lines: [
                    isGone
                        ? StyledLine("✓ removed the token of \(server)", .success)
                        : StyledLine("There was no token of \(server).", .dim)
                ])
        }
        guard let typed = try await words.interaction.ask("Token for \(server) (hidden): ", true),
            !typed.isEmpty
        else { throw UsageError("No token was given.", hint: "chat mcp key asks at a terminal.") }
        let text: String
        do {
            text = try KeyText.clean(typed)
        } catch {
            throw UsageError("That is not a token. \(error.sentence)")
        }
        let (source, fellBack) = try await ring.store(
            StoredKey(name: .server(server), origin: origin, secret: Secret(text)))
        var output = CommandOutput(
            lines: [
                StyledLine(
                    "✓ kept in the \(source.description), for \(origin.description) alone",
                    .success)
            ])
        if let sentence = fellBack?.sentence { output.notices.append(sentence) }
        output.remarks = [StyledLine("Try it: chat mcp check \(server)", .hint)]
        return output
    }
}
