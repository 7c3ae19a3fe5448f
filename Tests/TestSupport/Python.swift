import Foundation
import XCTest

/// Debian's Python as an oracle: runs a script and gives what it prints.
package enum Python {
    package static let program = "/usr/bin/python3"
    /// The same with packages that Debian does not have, below the folder of the build.
    private static let withPackages = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/oracles/bin/python3").path

    /// Skips the test where Python or one of the modules is missing; a script
    /// that fails is a failure.
    /// - Parameter packages: of PyPI, named as their modules are.
    package static func run(
        _ script: String, arguments: [String] = [], modules: [String] = [],
        packages: [String] = []
    ) throws -> String {
        if !packages.isEmpty {
            let imports = packages.map { "import \($0)" }.joined(separator: "; ")
            guard FileManager.default.isExecutableFile(atPath: withPackages),
                try status(imports, program: withPackages) == 0
            else {
                throw XCTSkip(
                    "not installed: \(packages.joined(separator: ", ")) of PyPI "
                        + "(scripts/setup --tests)")
            }
            var output = Data()
            let status = try status(
                script, arguments: arguments, program: withPackages, output: &output)
            XCTAssertEqual(status, 0, "the script failed")
            return String(decoding: output, as: UTF8.self)
        }
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

    /// The interpreter with these packages of PyPI.
    package static func command(packages: [String]) throws -> [String] {
        _ = try run("", packages: packages)
        return [withPackages]
    }

    /// The same with a script of `Fixtures/mcp`.
    package static func command(of script: String, packages: [String]) throws -> [String] {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
        return try command(packages: packages)
            + [folder.appending(path: "Fixtures/mcp/\(script)").path]
    }

    private static func status(_ script: String, program: String = program) throws -> Int32 {
        var output = Data()
        return try status(script, program: program, output: &output)
    }

    private static func status(
        _ script: String, arguments: [String] = [], program: String = program,
        output: inout Data
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
