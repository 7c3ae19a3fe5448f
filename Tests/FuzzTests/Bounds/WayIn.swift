import Foundation
import TestSupport
import XCTest

@testable import Base

/// A way in: a row of the manual's table ("Sizes" of safety.md), with its limits from the constants,
/// what it does with a text, and what it says of one above the limit.
struct WayIn: Sendable {
    /// What is said of an input above a limit.
    struct Refusal: Sendable {
        /// The limit as the sentence has it.
        var number: String
        var said: @Sendable () async throws -> String

        init(_ number: String, _ said: @escaping @Sendable () async throws -> String) {
            self.number = number
            self.said = said
        }

        init(_ limit: Int, _ said: @escaping @Sendable () async throws -> String) {
            self.init(Quantities.bytes(limit), said)
        }
    }

    /// As in the manual.
    var name: String
    /// Largest text in bytes.
    var limit: Int
    /// Its limits as the manual has them.
    var shown: [String]
    /// Memory that it takes at most, as a multiple of its input: twice what was measured.
    var growth: Int
    /// Empty where a text above the limit is cut without a word, since no user sent it.
    var refusals: [Refusal]
    var take: @Sendable ([UInt8]) async throws -> Void

    init(
        _ name: String, _ limit: Int, _ shown: String..., growth: Int, refusals: [Refusal] = [],
        take: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        (self.name, self.limit, self.growth, self.refusals) = (name, limit, growth, refusals)
        self.shown = shown.isEmpty ? [Quantities.bytes(limit)] : shown
        self.take = take
    }

    static var all: [WayIn] { fromModels + fromServers + fromFiles + fromUsers + fromFolders }

    static func letters(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

    static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// What a user reads of the error that this throws.
    static func error(_ body: () async throws -> Void) async -> String {
        do { try await body() } catch {
            let said = Diagnostic(of: error)
            return said.what + " " + (said.todo ?? "")
        }
        return "no error"
    }

    /// A file of so many zero bytes, which takes no room on the disk.
    static func file(
        of size: Int, _ name: String = "large.txt", _ body: (String) async throws -> String
    ) async throws -> String {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: name)
        guard truncate(path, size) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return try await body(path)
    }
}
