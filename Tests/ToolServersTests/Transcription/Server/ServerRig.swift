import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// A transcription server over a temporary folder.
final class ServerRig: Sendable {
    let rig: JobRig
    let transcriber: ScriptedTranscriber
    private let told = Mutex<[ToolProgress]>([])
    private let offered: TranscriptionOptions.Times
    let library: LibraryStore?
    private let keepsItems: Bool

    init(
        offered: TranscriptionOptions.Times = .words, hasLibrary: Bool = false,
        keepsItems: Bool = true,
        _ script: @escaping @Sendable (Int, TranscriptionUpload) -> ScriptedTranscriber.Act = {
            _, _ in .hear
        }
    ) throws {
        rig = try JobRig()
        transcriber = ScriptedTranscriber(script)
        self.offered = offered
        self.keepsItems = keepsItems
        library =
            hasLibrary
            ? LibraryStore(path: rig.folder.path + "/state/chat.db", environment: rig.environment)
            : nil
    }

    var folder: String { rig.folder.path }
    var progress: [ToolProgress] { told.withLock { $0 } }

    func server(limit: Int = 30_000) -> TranscriptionServer {
        var settings = VoiceSettings.Transcription()
        settings.keepsItems = keepsItems
        settings.limitInBytes = limit
        var dependencies = TranscriptionServer.Dependencies(
            settings: settings, access: .vendor("http://here:8080"), folder: rig.jobs,
            home: folder, environment: rig.environment,
            transcriber: { [transcriber] in transcriber })
        dependencies.timesOffered = { [offered] _ in offered }
        dependencies.workingFolder = { [folder] in folder }
        dependencies.library = library
        dependencies.recordings = folder + "/recordings"
        return TranscriptionServer(dependencies)
    }

    func run(
        _ words: String..., verb: String = "file", isConfirmed: Bool = false
    ) async throws -> CommandOutput {
        let command = try XCTUnwrap(server().commands.first)
        let emit = Emitter { [self] shown in told.withLock { $0.append(shown) } }
        return try await command.run(
            [verb] + words + (isConfirmed ? ["--yes"] : []), Interaction(emit: emit))
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

extension TranscriptionRequest {
    /// As they are typed.
    init(words: [String]) throws(UsageError) {
        try self.init(CommandArguments(words, of: TranscribeCommand.file, name: "transcribe"))
    }
}

extension ServiceAccess {
    /// A vendor's service at that address, without a key.
    static func vendor(_ address: String) -> ServiceAccess {
        ServiceAccess(
            text: address,
            address: { () throws(BaseURL.Problem) in
                try BaseURL(address, allowsPlainHTTP: true)
            },
            key: { _ in nil }, keySource: { _ in nil }, isVendor: { _ in true })
    }
}
