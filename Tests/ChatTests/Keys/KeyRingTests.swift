import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit

final class KeyRingTests: XCTestCase {
    private let other = KeyOrigin("https://other.example")!  // a constant that parses

    private func ring(
        _ home: TemporaryHome, _ variables: [String: String],
        commands: [ProviderName: KeyCommand] = [:], mayPrompt: Bool = true,
        serviceLimit: Duration = .seconds(20)
    ) -> KeyRing {
        KeyRing(
            variables: variables, commands: commands,
            service: SecretService(
                variables: variables, mayPrompt: mayPrompt,
                limits: .init(time: serviceLimit, grace: .milliseconds(50))),
            file: home.keyFile)
    }

    private func command(_ words: String..., origin: KeyOrigin = openAI) -> KeyCommand {
        KeyCommand(words: words, origin: origin)!  // `words` is not empty here
    }

    func testEachSourceGivesWayToTheOneAbove() async throws {
        let home = try TemporaryHome(self)
        var variables = try home.variables(secretTool: TemporaryHome.tool)
        let printed = "sk-from-command-000000"
        let commands = [ProviderName.openai: command("echo", printed)]

        try home.keyFile.update { _ in
            [StoredKey(name: .openai, origin: openAI, secret: Secret("sk-from-file-00000000"))]
        }
        let file = try await ring(home, variables).lookup(.openai, origin: openAI)
        XCTAssertEqual(
            file,
            KeyLookup(
                key: Secret("sk-from-file-00000000"), source: .file(path: home.keyFile.path),
                failures: []))

        // What the service holds is put there by hand: storing through the
        // ring would clear the file.
        try await SecretService(variables: variables, mayPrompt: true).store(
            StoredKey(name: .openai, origin: openAI, secret: Secret("sk-from-service-00000")))
        let service = try await ring(home, variables).lookup(.openai, origin: openAI)
        XCTAssertEqual(
            service,
            KeyLookup(key: Secret("sk-from-service-00000"), source: .secretService, failures: []))

        let byCommand = try await ring(home, variables, commands: commands).lookup(
            .openai, origin: openAI)
        XCTAssertEqual(
            byCommand,
            KeyLookup(key: Secret(printed), source: .command(program: "echo"), failures: []))

        unlink(home.path + "/calls")
        variables["OPENAI_API_KEY"] = canary
        let environment = try await ring(home, variables, commands: commands).lookup(
            .openai, origin: openAI)
        XCTAssertEqual(
            environment,
            KeyLookup(
                key: Secret(canary), source: .environment(variable: "OPENAI_API_KEY"), failures: [])
        )
        XCTAssertNil(home.mode("calls"), "a program was run although the environment has the key")
    }

    func testNoKeyGoesToAnotherOriginThanItsOwn() async throws {
        let home = try TemporaryHome(self)
        var variables = try home.variables(secretTool: TemporaryHome.tool)
        variables["OPENAI_API_KEY"] = canary
        let key = StoredKey(name: .openai, origin: openAI, secret: Secret(canary))
        try home.keyFile.update { _ in [key] }
        try await SecretService(variables: variables, mayPrompt: true).store(key)
        let command = command("touch", home.path + "/ran")

        let lookup = try await ring(home, variables, commands: [.openai: command])
            .lookup(.openai, origin: other)
        XCTAssertEqual(
            lookup,
            KeyLookup(
                key: nil, source: nil,
                failures: [
                    .boundElsewhere(openAI, .environment(variable: "OPENAI_API_KEY")),
                    .boundElsewhere(openAI, .command(program: "touch")),
                    .boundElsewhere(openAI, .secretService),
                    .boundElsewhere(openAI, .file(path: home.keyFile.path)),
                ]))
        XCTAssertNil(home.mode("ran"))
    }

    func testAKeyOfTheEnvironmentGoesWithItsBaseURLOnly() async throws {
        let home = try TemporaryHome(self)
        let local = KeyOrigin("http://localhost:8080")!  // a constant that parses
        let table: [(ProviderName, [String: String], KeyOrigin, Bool)] = [
            (.openai, ["OPENAI_API_KEY": canary], openAI, true),
            (.openai, ["OPENAI_API_KEY": canary], other, false),
            (
                .openai, ["OPENAI_API_KEY": canary, "OPENAI_BASE_URL": "https://other.example/v1"],
                other, true
            ),
            (
                .openai, ["OPENAI_API_KEY": canary, "OPENAI_BASE_URL": "https://other.example/v1"],
                openAI, false
            ),
            (.openai, ["OPENAI_API_KEY": canary, "OPENAI_BASE_URL": "nonsense"], openAI, false),
            (.openai, ["OPENAI_API_KEY": ""], openAI, false),
            (.claude, ["OPENAI_API_KEY": canary], openAI, false),
            (.local, ["OPENAI_API_KEY": canary], openAI, false),
            (.local, ["OPENAI_API_KEY": canary], local, false),
            (
                .local, ["OPENAI_API_KEY": canary, "OPENAI_BASE_URL": "http://localhost:8080/v1"],
                local, true
            ),
        ]
        for (name, variables, origin, isFound) in table {
            let lookup = try await ring(home, variables).lookup(name, origin: origin)
            XCTAssertEqual(lookup.key != nil, isFound, "\(name) \(variables.keys) \(origin)")
        }
    }

    func testStoringUsesTheServiceAndLeavesNoCopyInTheFile() async throws {
        let home = try TemporaryHome(self)
        var variables = try home.variables(secretTool: TemporaryHome.tool)
        variables["ANTHROPIC_API_KEY"] = "sk-ant-secret-variable"
        let key = StoredKey(name: .openai, origin: openAI, secret: Secret(canary))
        try home.keyFile.update { _ in [key] }
        let ring = ring(home, variables)
        let (source, fellBack) = try await ring.store(key)
        XCTAssertEqual(source, .secretService)
        XCTAssertNil(fellBack)
        XCTAssertEqual(try home.keyFile.read(), [])
        let lookup = try await ring.lookup(.openai, origin: openAI)
        XCTAssertEqual(lookup.key, Secret(canary))
        // The key travels on stdin, and the tool gets no key of ours.
        XCTAssertFalse(try home.read("calls").contains("canary"))
        XCTAssertFalse(try home.read("tool-environment").contains("sk-ant-secret"))

        let removed = try await ring.remove(.openai)
        XCTAssertEqual(removed.from, [.secretService])
        let after = try await ring.lookup(.openai, origin: openAI)
        XCTAssertEqual(after, KeyLookup(key: nil, source: nil, failures: []))
    }

    func testAServiceThatFailsLeadsToTheFileAndSaysWhy() async throws {
        let table: [(String?, Bool, SecretService.Failure)] = [
            (nil, true, .absent),
            (nil, false, .absent),
            ("echo 'secret-tool: the collection is locked' >&2; exit 1", true, .locked),
            ("echo 'secret-tool: no' >&2; exit 1", true, .failed),
            ("kill -SEGV $$", true, .failed),
            ("exec sleep 1000", true, .timedOut),
        ]
        for (script, mayPrompt, failure) in table {
            let home = try TemporaryHome(self)
            var variables = try home.variables(secretTool: script)
            // A real tool of the machine must not be reached.
            variables["PATH"] = home.path + "/bin" + (script == nil ? "" : ":" + TestMachine.path)
            let ring = ring(home, variables, mayPrompt: mayPrompt, serviceLimit: .milliseconds(500))
            let key = StoredKey(name: .openai, origin: openAI, secret: Secret(canary))
            let (source, fellBack) = try await ring.store(key)
            XCTAssertEqual(source, .file(path: home.keyFile.path))
            XCTAssertEqual(fellBack, failure)
            let lookup = try await ring.lookup(.openai, origin: openAI)
            XCTAssertEqual(lookup.key, Secret(canary))
            XCTAssertEqual(
                lookup.failures, failure == .absent ? [] : [.secretService(failure)])
        }
    }

    /// Without a terminal no dialogue may be raised, which `store` does for a
    /// locked collection.
    func testWithoutATerminalItIsStoredInTheServiceWhereThatIsUnlocked() async throws {
        let table: [(String?, String?, SecretService.Failure?)] = [
            ("echo '   variant       boolean false'", nil, nil),
            ("echo '   variant       boolean true'", nil, .locked),
            (nil, "echo 'b false'", nil),
            (nil, "echo 'b true'", .locked),
            ("echo no >&2; exit 1", "exit 1", .failed),
            (nil, nil, .lockUnknown),
            ("exec sleep 1000", nil, .timedOut),
        ]
        for (send, busctl, failure) in table {
            let home = try TemporaryHome(self)
            var variables = try home.variables(secretTool: TemporaryHome.tool)
            for tool in ["cat", "tr", "mkdir", "env", "sleep"] {
                let path = try XCTUnwrap(
                    ["/usr/bin/", "/bin/"].map { $0 + tool }.first { access($0, X_OK) == 0 })
                symlink(path, home.path + "/bin/" + tool)
            }
            for (name, script) in [("dbus-send", send), ("busctl", busctl)] {
                guard let script else { continue }
                try home.write(
                    "bin/\(name)", "#!/bin/sh\necho \"$*\" >>\"$HOME/asked\"\n\(script)\n",
                    mode: 0o755)
            }
            // The machine's own tools must not be asked.
            variables["PATH"] = home.path + "/bin"
            let limit = Duration.milliseconds(failure == .timedOut ? 500 : 20_000)
            let ring = ring(home, variables, mayPrompt: false, serviceLimit: limit)
            let key = StoredKey(name: .openai, origin: openAI, secret: Secret(canary))
            let (source, fellBack) = try await ring.store(key)
            XCTAssertEqual(fellBack, failure)
            XCTAssertEqual(
                source, failure == nil ? .secretService : .file(path: home.keyFile.path))
            if send != nil || busctl != nil {
                XCTAssert(
                    try home.read("asked").contains("/org/freedesktop/secrets/aliases/default"))
            }
        }
    }

    func testWithoutASessionBusNothingIsRun() async throws {
        let home = try TemporaryHome(self)
        var variables = try home.variables(secretTool: TemporaryHome.tool)
        variables["DBUS_SESSION_BUS_ADDRESS"] = nil
        variables["XDG_RUNTIME_DIR"] = home.path
        let lookup = try await ring(home, variables).lookup(.openai, origin: openAI)
        XCTAssertEqual(lookup, KeyLookup(key: nil, source: nil, failures: []))
        XCTAssertNil(home.mode("calls"))
    }

    func testItemsOfALockedCollectionAreReported() async throws {
        let home = try TemporaryHome(self)
        let variables = try home.variables(
            secretTool: """
                echo "[/1]"; echo "label = x"; echo "secret = "
                printf 'attribute.application = chat\\nattribute.key = openai\\n' >&2
                echo "attribute.origin = https://api.openai.com" >&2
                """)
        let lookup = try await ring(home, variables).lookup(.openai, origin: openAI)
        XCTAssertEqual(
            lookup, KeyLookup(key: nil, source: nil, failures: [.secretService(.locked)]))
    }

    func testTheServiceIsAskedOnceInAProgram() async throws {
        let home = try TemporaryHome(self)
        let ring = ring(home, try home.variables(secretTool: TemporaryHome.tool))
        for _ in 0..<3 { _ = try await ring.lookup(.claude, origin: openAI) }
        XCTAssertEqual(try home.read("calls"), "search --all application chat\n")
    }

    func testEveryFailureOfAKeyCommandIsToldApart() async throws {
        let home = try TemporaryHome(self)
        let table: [(KeyCommand, KeyCommand.Failure)] = [
            (command("no-such-program"), .programNotFound("no-such-program")),
            (command("sh", "-c", "exit 3"), .failed("sh", .exited(3))),
            (command("true"), .noKey("true", .empty)),
            (command("echo", "two words"), .noKey("echo", .controlCharacter)),
        ]
        for (command, failure) in table {
            let lookup = try await ring(
                home, TestMachine.variables, commands: [.openai: command]
            ).lookup(.openai, origin: openAI)
            XCTAssertEqual(
                lookup, KeyLookup(key: nil, source: nil, failures: [.command(failure)]))
        }
        do {
            _ = try await command("sleep", "1000").key(
                variables: TestMachine.variables, limits: .init(time: .milliseconds(100)))
            XCTFail("no limit")
        } catch let failure as KeyCommand.Failure {
            XCTAssertEqual(failure, .timedOut("sleep"))
        }
    }

    func testAnUnsafeFileIsReportedAndNotUsed() async throws {
        let home = try TemporaryHome(self)
        try home.keyFile.update { _ in
            [StoredKey(name: .openai, origin: openAI, secret: Secret(canary))]
        }
        chmod(home.keyFile.path, 0o644)
        let lookup = try await ring(home, [:]).lookup(.openai, origin: openAI)
        XCTAssertEqual(
            lookup,
            KeyLookup(
                key: nil, source: nil,
                failures: [.file(KeyFileError(reason: .readableByOthers, path: home.keyFile.path))])
        )
    }
}
