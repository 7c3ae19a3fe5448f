import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

/// espeak-ng of this machine, or a program in its place.
struct EspeakRig {
    let environment: Base.Environment
    let kept: Kept

    /// The real one.
    init() throws {
        let variables = TestMachine.variables.merging(["LANG": "en_US.UTF-8"]) { $1 }
        guard EspeakProgram.isInstalled(variables) else {
            throw XCTSkip("espeak-ng is not installed (Debian: espeak-ng)")
        }
        environment = .system(variables: variables)
        kept = Kept()
    }

    /// A shell script by its name.
    init(
        script: String, in folder: TemporaryFolder, clock: ManualClock? = nil, locale: String = "",
        kept: Kept = Kept()
    ) throws {
        let path = try folder.write(("#!/bin/sh\n" + script).utf8, to: "espeak-ng")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        var environment = clock?.environment ?? .system(variables: [:])
        environment.variables = [
            "PATH": folder.path + ":" + TestMachine.path, "HOME": folder.path, "LANG": locale,
        ]
        self.environment = environment
        self.kept = kept
    }

    /// The real one that knows fewer languages, which each list of voices tries.
    static let fewLanguages = """
        case "$1" in
        --voices) exec /usr/bin/espeak-ng --voices | grep -E 'Pty|^ *[0-9]+ +(en|de)|mb/' ;;
        --voices=variant) exec /usr/bin/espeak-ng "$1" | head -n ${variants:-999} ;;
        *) exec /usr/bin/espeak-ng "$@" ;;
        esac
        """

    func engine() throws -> EspeakEngine {
        try EspeakEngine(environment: environment, cache: kept.cache)
    }

    func sound(_ text: String, _ voice: VoiceChoice = VoiceChoice()) async throws -> [UInt8] {
        try await Self.all(try await engine().synthesize(Utterance(text: text, voice: voice)))
    }

    static func all(_ audio: SpokenAudio) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await audio.next() {
            XCTAssertEqual(piece.count % audio.format.bytesPerFrame, 0)
            bytes += piece
        }
        return bytes
    }

    static func reason(_ body: () async throws -> some Any) async -> SpeechError.Reason? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? SpeechError)?.reason
        }
    }

    final class Kept: Sendable {
        private let state = Mutex<(bytes: [UInt8]?, writes: Int)>((nil, 0))

        var cache: EspeakVoiceCache {
            EspeakVoiceCache(
                read: { [self] in state.withLock { $0.bytes } },
                write: { [self] bytes in
                    state.withLock { $0 = (bytes, $0.writes + 1) }
                })
        }

        var bytes: [UInt8]? {
            get { state.withLock { $0.bytes } }
            set { state.withLock { $0.bytes = newValue } }
        }
        var writes: Int { state.withLock { $0.writes } }
    }
}
