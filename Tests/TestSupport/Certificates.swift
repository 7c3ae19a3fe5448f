import Foundation

/// Certificates made with the `openssl` program in a temporary folder: an
/// authority of our own and leaves with one thing wrong each.
package final class Certificates: Sendable {
    package struct Leaf: Sendable {
        package var certificate: String
        package var key: String
        /// Keeps the files in place while this is used.
        fileprivate var folder: TemporaryFolder
    }

    package let authority: String
    private let folder: TemporaryFolder

    package init() throws {
        folder = try TemporaryFolder()
        authority = folder.path("ca.pem")
        try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", folder.path("ca.key"), "-out", authority, "-days", "2", "-subj",
            "/CN=Test Root",
        ])
    }

    /// Signed by the authority for these names, valid unless `days` is
    /// negative.
    package func leaf(
        _ name: String, names: String = "IP:127.0.0.1,DNS:localhost", days: Int = 2,
        signer: String = "ca", isAuthority: Bool = false
    ) throws -> Leaf {
        try openssl([
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
            folder.path("\(name).key"), "-out", folder.path("\(name).csr"), "-subj", "/CN=\(name)",
        ])
        let extensions =
            "subjectAltName=\(names)\nbasicConstraints=CA:\(isAuthority ? "TRUE" : "FALSE")\n"
        try folder.write(extensions.utf8, to: "\(name).ext")
        try openssl([
            "x509", "-req", "-in", folder.path("\(name).csr"), "-CA", folder.path("\(signer).pem"),
            "-CAkey", folder.path("\(signer).key"), "-CAcreateserial", "-days", String(days),
            "-extfile", folder.path("\(name).ext"), "-out", folder.path("\(name).pem"),
        ])
        return Leaf(
            certificate: folder.path("\(name).pem"), key: folder.path("\(name).key"), folder: folder
        )
    }

    package func selfSigned(_ name: String) throws -> Leaf {
        try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", folder.path("\(name).key"), "-out", folder.path("\(name).pem"), "-days",
            "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=IP:127.0.0.1,DNS:localhost",
        ])
        return Leaf(
            certificate: folder.path("\(name).pem"), key: folder.path("\(name).key"), folder: folder
        )
    }

    private func openssl(_ arguments: [String]) throws {
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let words = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(words: String(decoding: words, as: UTF8.self))
        }
    }

    package struct Failure: Error {
        package var words: String
    }
}
