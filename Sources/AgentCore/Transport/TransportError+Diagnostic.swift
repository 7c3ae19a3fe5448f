import Base

/// Sentences for the user about failures of the network.
extension TransportError: DescribedError {
    package var diagnostic: Diagnostic { Diagnostic(self, isLocalServer: false) }
}

extension Diagnostic {
    /// - Parameters:
    ///   - isLocalServer: whether the user starts the server, so that it may not be running.
    ///   - isMessage: whether the request and the response belong to a conversation.
    package init(_ error: TransportError, isLocalServer: Bool, isMessage: Bool = true) {
        let host = error.host
        let network = isMessage ? "Check the network; your message is kept." : "Check the network."
        let goOn = isMessage ? "What arrived is kept. Ask again to go on." : "Try again."
        switch error.reason {
        case .badURL:
            self.init(
                "\"\(host)\" is not a valid address.",
                todo: "chat config shows the base URL and where it comes from.",
                exit: .needsKeyOrNetwork)
        case .nameNotResolved:
            self.init(
                "The name \(Self.name(ofHost: host)) could not be resolved.", todo: network,
                exit: .needsKeyOrNetwork)
        case .connectionRefused:
            self.init(
                "\(host) refused the connection.",
                todo: isLocalServer
                    ? "Is the local server running? Ollama starts with: ollama serve" : network,
                exit: .needsKeyOrNetwork)
        case .connectTimeout:
            self.init(
                "\(host) did not answer in time.", todo: network, exit: .needsKeyOrNetwork)
        case .unreachable:
            self.init("\(host) cannot be reached.", todo: network, exit: .needsKeyOrNetwork)
        case .tls:
            self.init(
                "No secure connection to \(host): \(error.detail).",
                todo: "Nothing was sent. A proxy or a wrong clock can cause this.",
                exit: .needsKeyOrNetwork)
        case .certificatesMissing:
            self.init(
                "There are no CA certificates to check \(host) with, so nothing was sent: "
                    + "\(error.detail).", exit: .needsKeyOrNetwork,
                programs: ["ca-certificates"])
        case .proxy:
            self.init(
                "The proxy failed: \(error.detail).",
                todo: "Check https_proxy and no_proxy.", exit: .needsKeyOrNetwork)
        case .idleTimeout:
            self.init(
                "\(host) went silent.", todo: goOn)
        case .totalTimeout:
            self.init("\(host) took too long.", todo: network, exit: .needsKeyOrNetwork)
        case .connectionLost:
            self.init(
                "The connection to \(host) broke.",
                todo: error.afterResponse ? goOn : network)
        case .tooLarge:
            self.init(
                "\(host) sent more than chat accepts: \(error.detail).",
                todo: isMessage ? "What arrived is kept." : nil)
        case .protocolViolation:
            self.init(
                "\(host) does not speak HTTP as expected: \(error.detail).",
                todo: "chat config shows the base URL and where it comes from.")
        case .unsupportedEncoding:
            self.init(
                "\(host) compressed its answer with \(error.detail), although chat did not ask for it.",
                todo: "A proxy may do that. chat config shows the base URL and where it comes from."
            )
        case .bodyUnreadable:
            self.init("A file to send could not be read: \(error.detail).")
        case .forbiddenAddress:
            self.init(
                "\(host) is not on the public internet (\(error.detail) address); nothing was "
                    + "sent.", exit: .refused)
        case .libraryMissing:
            self.init(
                "libcurl could not be loaded, so no server can be reached: \(error.detail).",
                todo: "Install it: apt install libcurl4. Everything local works without it.",
                exit: .missingProgram)
        case .notRecorded:
            self.init(
                "Nothing was sent to \(host), since it could not be recorded: \(error.detail)",
                todo: "Fix that and try again. chat keys check and chat models still work.")
        case .other:
            self.init("The connection to \(host) failed: \(error.detail).", todo: network)
        }
    }

    /// The error of a request to the server of one capability; `network` is the advice for
    /// connection failures.
    package init(_ error: TransportError, network: String) {
        self.init(error, isLocalServer: false)
        // The advice for an answer does not fit a failed request.
        switch error.reason {
        case .tls, .certificatesMissing, .proxy, .badURL, .protocolViolation,
            .unsupportedEncoding, .bodyUnreadable, .forbiddenAddress, .libraryMissing,
            .notRecorded:
            break
        case .nameNotResolved, .connectionRefused, .connectTimeout, .unreachable, .idleTimeout,
            .totalTimeout, .connectionLost, .tooLarge, .other:
            todo = network
            exit = .needsKeyOrNetwork
        }
    }

    /// A server's text, to be appended to our sentence.
    package static func said(_ message: ServerText?) -> String { said(message?.text) }

    /// An address in a setting that cannot be used.
    package init(badAddress text: String, setting: String) {
        self.init(
            "\"\(text)\" cannot be used as an address (\(setting)).",
            todo: "Plain http is allowed only on this machine, unless allow_http names the host.",
            exit: .needsKeyOrNetwork)
    }

    /// The instruction to set a key for a server of one capability.
    package static func keyLine(host: String) -> String {
        host.isEmpty || host.hasPrefix("api.openai.com")
            ? "chat keys set openai" : "Its key comes from key_command: chat config edit"
    }

    /// The host without the port, which is not part of its name.
    private static func name(ofHost host: String) -> Substring {
        guard let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber)
        else { return host[...] }
        return host[..<colon]
    }
}
