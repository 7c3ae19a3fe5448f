import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// A recording whose words can be read out of any stretch of its samples: a
/// word is a burst whose loudness is its number, with silences as in speech.
final class ToneRecording: Sendable {
    struct Word: Sendable, Equatable {
        var number: Int
        /// In frames.
        var start: Int
        var end: Int
    }

    static let base = 4_000

    let path: String
    let rate: Int
    let frames: Int
    let words: [Word]

    /// Writes only the bursts; the silence is holes of the file.
    init(_ path: String, seconds: Double, rate: Int, seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        self.path = path
        self.rate = rate
        frames = Int(seconds * Double(rate))
        let header = WaveHeader.bytes(PCMFormat(rate: rate), dataBytes: frames * 2)
        try Data(header).write(to: URL(fileURLWithPath: path))
        let file = try XCTUnwrap(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: UInt64(header.count + frames * 2))
        var words: [Word] = []
        var at = rate / 4
        while true {
            let length = Int(Double.random(in: 0.2...0.5, using: &random) * Double(rate))
            if at + length + rate / 4 > frames { break }
            let value = Int16(Self.base + words.count)
            let burst = [Int16](unsafeUninitializedCapacity: length) { buffer, count in
                for index in 0..<length { buffer[index] = index & 1 == 0 ? value : -value }
                count = length
            }
            try file.seek(toOffset: UInt64(header.count + at * 2))
            burst.withUnsafeBytes { file.write(Data($0)) }
            words.append(Word(number: words.count, start: at, end: at + length))
            at += length + Int(Double.random(in: 0.05...0.3, using: &random) * Double(rate))
            if random.once(in: 9) {
                at += Int(Double.random(in: 0.5...2.6, using: &random) * Double(rate))
            }
        }
        try file.close()
        self.words = words
    }

    /// A small vocabulary, so that words repeat themselves.
    static func text(_ number: Int) -> String {
        var mixer = SplitMix(seed: UInt64(number))
        let vowels = ["a", "e", "i", "o", "u"]
        let consonants = ["b", "d", "k", "l", "m", "n", "r", "s", "t"]
        if mixer.once(in: 5) { return "and" }
        return (0..<2).map { _ in
            (consonants.randomElement(using: &mixer) ?? "")
                + (vowels.randomElement(using: &mixer) ?? "")
        }.joined()
    }

    var text: String { words.map { Self.text($0.number) }.joined(separator: " ") }

    var transcriptWords: [Transcript.Word] {
        words.map {
            .init(
                start: Double($0.start) / Double(rate), end: Double($0.end) / Double(rate),
                text: Self.text($0.number))
        }
    }

    /// What is heard in a WAV file of that kind: parts of words at its edges
    /// are heard as parts.
    static func heard(_ bytes: [UInt8]) -> (words: [Transcript.Word], duration: Double) {
        func little(_ at: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
        }
        precondition(bytes.starts(with: Array("RIFF".utf8)))
        let rate = little(24, 4)
        precondition(little(40, 4) == bytes.count - 44)
        let frames = (bytes.count - 44) / 2
        var words: [Transcript.Word] = []
        bytes.withUnsafeBytes { raw in
            func value(_ frame: Int) -> Int {
                abs(Int(raw.loadUnaligned(fromByteOffset: 44 + frame * 2, as: Int16.self)))
            }
            // Shorter than any word and any gap.
            let step = max(1, rate / 50)
            var at = 0
            while at < frames {
                let found = value(at)
                guard found >= base else {
                    at += step
                    continue
                }
                var start = at
                while start > 0, value(start - 1) == found { start -= 1 }
                var end = at
                while end < frames, value(end) == found { end += 1 }
                var text = Self.text(found - base)
                if start == 0 { text = String(text.suffix(2)) }
                if end == frames { text = String(text.prefix(2)) }
                words.append(
                    .init(
                        start: Double(start) / Double(rate), end: Double(end) / Double(rate),
                        text: text))
                at = end
            }
        }
        return (words, Double(frames) / Double(rate))
    }
}

extension TranscriptionUpload {
    /// The bytes as they would leave.
    func bytes() throws -> [UInt8] {
        try audio.reduce(into: []) { all, slice in
            switch slice {
            case .bytes(let bytes): all += bytes
            case .file(let file, let offset, let count):
                all += try file.read(at: offset, count: count)
            }
        }
    }
}
