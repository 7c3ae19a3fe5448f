import AgentCore
import Base

/// The reason why a server gave no answer. Never contains arguments; the server's text is
/// untrusted, and the token sent to it is removed.
package struct MCPClientError: Error, Sendable, Equatable {
    package enum Reason: Error, Sendable, Equatable {
        /// The server supports none of our revisions, but these.
        case unsupportedVersion([String])
        /// The server answered with an error.
        case refused(JSONRPCError)
        /// The answer violates the protocol; described in our own text.
        case invalidAnswer(String)
        /// The server did not answer within the timeout.
        case silent(Duration)
        /// The connection has ended: its exit status and the end of its error output.
        case ended(status: String, complaint: String)
        case couldNotStart(SubprocessError)
        /// A message exceeded the limit, in bytes.
        case tooLarge(limit: Int)
        /// The server keeps sending unrequested messages.
        case floods
        /// An HTTP status, with the server's text.
        case status(Int, ServerText?)
        /// The server no longer knows our session, and has not processed the request.
        case sessionGone
        /// The server requires OAuth, which we do not support.
        case wantsSignIn(hadToken: Bool)
        case transport(TransportError)
        /// `${NAME}` in its configuration has no value.
        case missingVariable(String)
        /// The server's configuration refers to a variable that contains a key of ours.
        case ownKey(String)
    }

    /// The name that the user gave the server.
    package var server: String
    package var reason: Reason

    package init(_ server: String, _ reason: Reason) {
        self.server = server
        self.reason = reason
    }
}

extension MCPClientError: DescribedError {
    package var diagnostic: Diagnostic {
        let check = "chat mcp check \(server) tries again"
        func failed(
            _ what: String, todo: String? = nil, exit: ExitCode = .failure
        ) -> Diagnostic {
            Diagnostic("The server \(server) \(what)", todo: todo, exit: exit, namesCommands: true)
        }
        switch reason {
        case .unsupportedVersion(let versions):
            let own = Diagnostic.said(versions.prefix(4).joined(separator: ", "))
            return failed(
                "supports only protocol revisions that chat does not\(own).",
                todo: "chat supports \(MCPProtocol.versions.joined(separator: ", "))")
        case .refused(let error):
            return failed("reported an error\(Diagnostic.said(error.message)).")
        case .invalidAnswer(let what): return failed("sent an invalid answer: \(what).")
        case .silent(let limit):
            return failed(
                "did not answer within \(Diagnostic.wait(limit.inSeconds)).", todo: check)
        case .ended(let status, let complaint):
            return failed("has ended (\(status))\(Diagnostic.said(complaint)).", todo: check)
        case .couldNotStart(let error):
            let what = error.diagnostic
            return Diagnostic(
                "The server \(server) could not be started. \(what.what)",
                todo: what.todo ?? "Check its command line.", exit: what.exit,
                namesCommands: true)
        case .tooLarge(let limit):
            return failed("sent a message of more than \(Quantities.bytes(limit)).")
        case .floods: return failed("kept sending messages without end and was stopped.")
        case .status(let code, let said):
            return failed("answered with HTTP \(code)\(Diagnostic.said(said?.text)).")
        case .sessionGone: return failed("has ended the session.", todo: check)
        case .wantsSignIn(let hadToken):
            return failed(
                hadToken
                    ? "does not accept the token."
                    : "requires a sign-in (OAuth), which chat does not support.",
                todo: "With a token: chat mcp key \(server)", exit: .needsKeyOrNetwork)
        case .transport(let error):
            let what = error.diagnostic
            return Diagnostic(
                "The server \(server) cannot be reached. \(what.what)", todo: what.todo,
                exit: what.exit)
        case .missingVariable(let name):
            return failed(
                "needs the environment variable \(name), which is not set.",
                todo: "export \(name)=…", exit: .usage)
        case .ownKey(let name):
            return failed(
                "asks for \(name), which chat does not pass to other programs.",
                todo: "Give it its own key, in a variable with another name.", exit: .refused)
        }
    }
}
