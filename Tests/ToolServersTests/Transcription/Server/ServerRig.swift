import AgentCore
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import ToolServers

/// A transcription server over a temporary folder.
final class ServerRig: Sendable {
    let rig: JobRig
    let transcriber: ScriptedTranscriber
    private let told = Mutex<[ToolProgress]>([])
    private let offered: TranscriptionOptions.Times

    init(
        offered: TranscriptionOptions.Times = .words,
        _ script: @escaping @Sendable (Int, TranscriptionUpload) -> ScriptedTranscriber.Act = {
            _, _ in .hear
        }
    ) throws {
        rig = try JobRig()
        transcriber = ScriptedTranscriber(script)
        self.offered = offered
    }

    var folder: String { rig.folder.path }
    var progress: [ToolProgress] { told.withLock { $0 } }

    func server(limit: Int = 30_000) -> TranscriptionServer {
        var settings = VoiceSettings.Transcription()
        settings.limitInBytes = limit
        let doors = TranscriptionServer.Doors(
            settings: settings, server: "here:80", folder: rig.jobs, home: folder,
            environment: rig.environment, timesOffered: { [offered] _ in offered },
            workingFolder: { [folder] in folder },
            transcriber: { [transcriber] in transcriber })
        return TranscriptionServer(doors)
    }

    func run(
        _ words: String..., verb: String = "file", isConfirmed: Bool = false
    ) async throws -> CommandOutput {
        let command = try XCTUnwrap(server().commands.first)
        var call = CommandInvocation(verb: verb, arguments: words, isConfirmed: isConfirmed)
        call.interaction.emit = Emitter { [self] shown in told.withLock { $0.append(shown) } }
        return try await command.run(call)
    }

    func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0 != "state" }
            .sorted()
    }

    func read(_ name: String) throws -> String {
        String(decoding: try rig.folder.read(name), as: UTF8.self)
    }
}

extension CommandOutput {
    var documentText: String? { document.map { String(decoding: $0, as: UTF8.self) } }
}
