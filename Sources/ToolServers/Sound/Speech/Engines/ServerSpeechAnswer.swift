import AgentCore
import Synchronization

/// The sound of one response of a speech server as it arrives. For one consumer.
struct ServerSpeechAnswer: Sendable {
    let format: PCMFormat
    let next: @Sendable () async throws -> [UInt8]?

    /// Reads until the first bytes show the format.
    /// - Throws: `malformed` if it is neither samples nor a plain WAV.
    static func begin(
        _ body: ResponseBody, format plain: PCMFormat, host: String
    ) async throws -> ServerSpeechAnswer {
        let failure = SpeechError(reason: .malformed, host: host)
        @Sendable func read() async throws -> [UInt8]? {
            do {
                return try await body.next()
            } catch let error as TransportError {
                throw SpeechError(reason: .transport(error), host: host)
            }
        }
        var head: [UInt8] = []
        while head.count < 12, let bytes = try await read() { head += bytes }
        if head.isEmpty { throw failure }
        guard head.prefix(4).elementsEqual("RIFF".utf8) else {
            if isOtherFormat(head) { throw failure }
            return ServerSpeechAnswer(format: plain, next: Self.reading(after: head, read))
        }
        var wave = WaveStream()
        do throws(WaveStream.Problem) {
            head = try wave.feed(head)
        } catch { throw failure }
        while wave.format == nil {
            guard let bytes = try await read() else { throw failure }
            do throws(WaveStream.Problem) {
                head = try wave.feed(bytes)
            } catch { throw failure }
        }
        return ServerSpeechAnswer(
            format: wave.format ?? plain, next: Self.reading(after: head, read))
    }

    private static func reading(
        after head: [UInt8], _ read: @escaping @Sendable () async throws -> [UInt8]?
    ) -> @Sendable () async throws -> [UInt8]? {
        let first = Mutex<[UInt8]?>(head.isEmpty ? nil : head)
        return {
            let head = first.withLock { first -> [UInt8]? in
                defer { first = nil }
                return first
            }
            if let head { return head }
            return try await read()
        }
    }

    /// Whether it is MP3, Ogg, FLAC, ADTS, MP4, or text, although samples were requested.
    private static func isOtherFormat(_ head: [UInt8]) -> Bool {
        for mark in ["ID3", "OggS", "fLaC", "{\"", "<!", "<html", "data:", "event:"]
        where head.starts(with: mark.utf8) {
            return true
        }
        if head.count >= 8, head[4..<8].elementsEqual("ftyp".utf8) { return true }
        // The first frame of MPEG audio: eleven bits set, a layer, a bit rate.
        return head.count >= 4 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0
            && head[1] & 0x18 != 0x08 && head[2] & 0xF0 != 0xF0 && head[2] & 0x0C != 0x0C
            && head[1] != 0xFF
    }
}

/// The sound of several responses in sequence, in whole frames. For one consumer.
actor ServerSpeechRun {
    nonisolated let format: PCMFormat
    private var answer: ServerSpeechAnswer?
    private var rest: ArraySlice<String>
    private var gain: SampleGain
    private let begin: @Sendable (String) async throws -> ServerSpeechAnswer

    init(
        first: ServerSpeechAnswer, rest: ArraySlice<String>, gain: Double,
        begin: @escaping @Sendable (String) async throws -> ServerSpeechAnswer
    ) {
        format = first.format
        answer = first
        self.rest = rest
        self.gain = SampleGain(gain, format: first.format)
        self.begin = begin
    }

    func next() async throws -> [UInt8]? {
        while let answer {
            if let bytes = try await answer.next() {
                let sound = gain.take(bytes)
                if !sound.isEmpty { return sound }
                continue
            }
            guard let text = rest.popFirst() else { break }
            let following = try await begin(text)
            guard following.format == format else { throw SpeechError(reason: .malformed) }
            // An incomplete frame at the end of a response is dropped.
            gain = SampleGain(gain.gain, format: format)
            self.answer = following
        }
        answer = nil
        return nil
    }
}
