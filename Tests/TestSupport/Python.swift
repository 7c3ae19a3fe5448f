import Foundation
import XCTest

/// Debian's Python as an oracle: runs a script and gives what it prints.
package enum Python {
    package static let program = "/usr/bin/python3"

    /// Skips the test where Python or one of the modules is missing; a script
    /// that fails is a failure.
    package static func run(
        _ script: String, arguments: [String] = [], modules: [String] = []
    ) throws -> String {
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw XCTSkip("python3 is not installed (Debian: python3)")
        }
        for module in modules where try status("import \(module)") != 0 {
            throw XCTSkip("python3 has no module \(module) (Debian: python3-\(module))")
        }
        var output = Data()
        let status = try status(script, arguments: arguments, output: &output)
        XCTAssertEqual(status, 0, "the script failed")
        return String(decoding: output, as: UTF8.self)
    }

    private static func status(_ script: String) throws -> Int32 {
        var output = Data()
        return try status(script, output: &output)
    }

    private static func status(
        _ script: String, arguments: [String] = [], output: inout Data
    ) throws -> Int32 {
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-c", script] + arguments
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
