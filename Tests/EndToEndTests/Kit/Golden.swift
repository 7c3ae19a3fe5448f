import TestSupport

/// Compares a whole session's screen with the file that was reviewed.
enum Golden {
    static func assertEqual(
        _ screen: [String], _ name: String, file: StaticString = #filePath, line: UInt = #line
    ) throws {
        let text = screen.map(normalized).joined(separator: "\n") + "\n"
        try GoldenFile.check(text, name + ".txt", file: file, line: line)
    }

    /// What differs from run to run, in the same number of columns where it
    /// has a fixed number of them.
    private static func normalized(_ line: String) -> String {
        line.replacing(#/\b[0-9a-f]{8}\b/#, with: "########")
            .replacing(#/\d+\.\d s\b/#, with: "N.N s")
            .replacing(#/127\.0\.0\.1:\d+/#, with: "127.0.0.1:PORT")
            .replacing(#/(  next: .*) \d\d:\d\d$/#) { "\($0.output.1) NN:NN" }
            .replacing(#/ in \d+ years/#) { _ in " in N years" }
            .replacing(#/(\d+ (s|min) ago|just now)/#, with: "just now")
    }
}
