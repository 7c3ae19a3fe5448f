import Base

/// An opened sound file with its format and duration. Later uploads send this same
/// open file.
///
/// It rejects other files before anything is done with them, and never blocks: a pipe, a
/// device or a folder is rejected on opening. It reads at most some hundred kilobytes,
/// whatever the file's size.
package final class AudioFile: Sendable {
    package let file: OpenFile
    package let kind: AudioKind
    /// Seconds, if the container states it; an estimate for some MP3 files.
    package let duration: Double?
    /// The header of a WAV file; nil for other formats.
    package let wave: WaveHeader?

    package var path: String { file.path }
    package var bytes: Int { file.size }

    /// - Throws: `file`, `empty`, `notAudio`, `damaged`.
    package init(_ path: String) throws(AudioError) {
        let file: OpenFile
        do {
            file = try OpenFile(path)
        } catch {
            throw AudioError(reason: .file(error.reason), path: path)
        }
        guard file.size > 0 else { throw AudioError(reason: .empty, path: path) }
        let look: Look
        do {
            look = try Look(AudioSource(file))
        } catch {
            throw AudioError(reason: .file(error.reason), path: path)
        }
        switch look {
        case .sound(let kind, let wave, let details):
            self.file = file
            self.kind = kind
            self.wave = wave
            duration = details.duration
        case .refused(let reason): throw AudioError(reason: reason, path: path)
        }
    }

    /// The result of inspecting the bytes.
    private enum Look {
        case sound(AudioKind, WaveHeader?, AudioDetails)
        case refused(AudioError.Reason)

        init(_ source: AudioSource) throws(OpenFile.Failure) {
            let head = try source.part(0, AudioKind.headBytes)
            guard let kind = try Look.kind(head, source) else {
                self = .refused(.notAudio(looksLike: AudioKind.looksLike(head)))
                return
            }
            var wave: WaveHeader?
            if kind == .wav {
                wave = try WaveHeader.read(source, fileBytes: source.count)
                guard let wave else {
                    self = .refused(.damaged(.wav))
                    return
                }
                // A recorder that is killed at once writes only a header.
                guard wave.dataBytes >= wave.bytesPerFrame else {
                    self = .refused(.empty)
                    return
                }
            }
            let details = try AudioDetails(source, kind: kind, wave: wave)
            switch details.content {
            case .sound: self = .sound(kind, wave, details)
            case .noSound: self = .refused(.notAudio(looksLike: "video without sound"))
            case .damaged: self = .refused(.damaged(kind))
            }
        }

        /// A leading tag (with a picture) may be longer than the head.
        private static func kind(
            _ head: AudioBytes, _ source: AudioSource
        ) throws(OpenFile.Failure) -> AudioKind? {
            guard let tag = AudioKind.tagLength(head), tag >= head.count else {
                return AudioKind(head: head.bytes)
            }
            let end = try ID3Tag.end(source)
            return AudioKind.behindTag(try source.part(end, AudioKind.headBytes), at: 0)
        }
    }
}
