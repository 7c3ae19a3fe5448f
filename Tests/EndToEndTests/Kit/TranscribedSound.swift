import Foundation
import TestSupport

/// Recordings for the real program, and the program with a transcription
/// service on loopback.
enum TranscribedSound {
    /// A tone: 16 kHz, mono, 16 bits; 32,000 bytes a second.
    static func wave(seconds: Int = 2) -> [UInt8] {
        let samples = samples(seconds: seconds)
        return Array("RIFF".utf8) + little(UInt32(36 + samples.count), 4) + Array("WAVEfmt ".utf8)
            + little(16, 4) + little(1, 2) + little(1, 2) + little(16_000, 4) + little(32_000, 4)
            + little(2, 2) + little(16, 2) + Array("data".utf8)
            + little(UInt32(samples.count), 4) + samples
    }

    /// A format that no service takes.
    static func aiff(seconds: Int = 2) -> [UInt8] {
        let samples = samples(seconds: seconds)
        func big(_ number: UInt32, _ count: Int) -> [UInt8] { little(number, count).reversed() }
        return Array("FORM".utf8) + big(UInt32(46 + samples.count), 4) + Array("AIFFCOMM".utf8)
            + big(18, 4) + big(1, 2) + big(UInt32(samples.count / 2), 4) + big(16, 2)
            // 16,000 as an 80-bit float.
            + [0x40, 0x0C, 0xFA, 0, 0, 0, 0, 0, 0, 0] + Array("SSND".utf8)
            + big(UInt32(8 + samples.count), 4) + big(0, 4) + big(0, 4) + samples
    }

    static func program(
        _ stub: TranscriptionServerStub, _ server: ProviderServer? = nil, limit: Int = 25_000_000
    ) throws -> ChatProgram {
        let chat = try server.map { try ChatProgram($0) } ?? ChatProgram()
        try chat.prepare(
            "config.json",
            #"{"transcription": {"base_url": "\#(stub.address)", "limit_bytes": \#(limit)}}"#)
        return chat
    }

    private static func samples(seconds: Int) -> [UInt8] {
        let wave = (0..<40).flatMap { little(UInt32(bitPattern: Int32($0 * 400 - 8_000)), 2) }
        var samples: [UInt8] = []
        samples.reserveCapacity(seconds * 32_000)
        for _ in 0..<seconds * 400 { samples += wave }
        return samples
    }

    private static func little(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
