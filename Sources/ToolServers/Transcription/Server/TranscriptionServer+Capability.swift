import AgentCore
import Base
import Glibc
import Sound

/// The capability that transcription adds to the program.
extension TranscriptionServer {
    package var capability: Capability {
        var capability = Capability(self)
        capability.check = { await check() }
        capability.offer = { path in
            guard Self.isRecording(path) else { return nil }
            return FileOffer(
                question: "\(FilePath.name(path)) is a recording. Transcribe it?",
                declined: "Not transcribed.", command: ["transcribe", path])
        }
        return capability
    }

    /// Judged by its first bytes.
    private static func isRecording(_ path: String) -> Bool {
        guard let file = try? OpenFile(path),  // An unreadable file cannot be sent.
            let head = try? file.read(at: 0, count: min(file.size, 64 << 10))
        else { return false }
        return AudioKind(head: head) != nil
    }

    private func check() async -> [Finding] {
        [await service()] + (await leftovers())
    }

    private func service() async -> Finding {
        let access = dependencies.access
        do {
            let base = try Self.address(access)
            let source = await access.keySource(base)
            if source == nil, access.isVendor(base) {
                return Finding(
                    .voice, .absent, "transcription: no key for \(base.authority)",
                    remedy: "chat keys set openai, or your own server: transcription.base_url")
            }
            let key = source.map { ", key from the \($0)" } ?? ", without a key"
            return Finding(
                .voice, .good,
                "transcription: \(base.authority), \(dependencies.settings.model)\(key)")
        } catch {
            let diagnostic = error.diagnostic
            return Finding(.voice, .warning, diagnostic.what, remedy: diagnostic.todo)
        }
    }

    private func leftovers() async -> [Finding] {
        let jobs = await files.jobCount(in: dependencies.folder)
        if jobs == 0 { return [] }
        return [
            Finding(
                .voice, .warning, "\(Quantities.count(jobs, "transcription")) unfinished",
                remedy: "Run the same command again to continue.")
        ]
    }
}
