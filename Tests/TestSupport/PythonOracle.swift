import Foundation
import XCTest

/// Debian's Python as an oracle: one process, a line in for each question, a
/// line out for each answer.
package enum PythonOracle {
    private static let python = "/usr/bin/python3"

    /// - Parameter needs: the Debian package without which the script fails.
    package static func run(
        _ script: String, needs package: String = "python3-dateutil", input: [String]
    ) throws -> [String] {
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw XCTSkip("python3 is not installed")
        }
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", script]
        let (questions, answers) = (Pipe(), Pipe())
        process.standardInput = questions
        process.standardOutput = answers
        // A script that ended early is no end of the tests.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        let text = input.map { $0 + "\n" }.joined()
        let writer = Thread {
            // A script that ended early is seen by its status.
            try? questions.fileHandleForWriting.write(contentsOf: Data(text.utf8))
            try? questions.fileHandleForWriting.close()
        }
        writer.start()
        let output = String(
            decoding: answers.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw XCTSkip("not installed (Debian: \(package))")
        }
        return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }
}
