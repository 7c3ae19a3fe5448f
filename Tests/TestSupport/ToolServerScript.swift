import Foundation
import XCTest

/// The tool server of the fixtures, well-behaved or not: see `Fixtures/mcp/server.py`.
package enum ToolServerScript {
    /// The program and its words.
    package static func command(_ words: [String] = []) throws -> [String] {
        guard FileManager.default.isExecutableFile(atPath: Python.program) else {
            throw XCTSkip("python3 is not installed (Debian: python3)")
        }
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
        return [Python.program, folder.appending(path: "Fixtures/mcp/server.py").path] + words
    }
}
