import Base
import ChatKit
import Glibc

/// The token of the HTTP endpoint, in a file that only the user can read. Created on first use and
/// kept, so that each host is configured only once.
struct MCPToken {
    enum Content: Equatable {
        case token(String)
        case missing
        /// Another user created it or can read it, or it is damaged.
        case unusable
    }

    private static let digits = 64

    let path: String

    /// - Throws: `PrivateFile.Refusal` if the path is not a regular file of ours.
    func read() throws(PrivateFile.Refusal) -> Content {
        let descriptor: Int32
        do throws(PrivateFile.Refusal) {
            descriptor = try PrivateFile.open(path, O_RDONLY)
        } catch {
            if error.reason == .system(ENOENT) { return .missing }
            throw error
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0,
            status.st_uid == geteuid(),
            // An unreadable token is replaced.
            let bytes = try? WholeFile.read(descriptor, limit: 1024)
        else { return .unusable }
        let token = String(decoding: bytes, as: UTF8.self).trimmingSpace()
        let isWhole = token.utf8.count == Self.digits && token.allSatisfy(\.isHexDigit)
        return isWhole ? .token(token) : .unusable
    }

    /// - Parameter uuid: only for the temporary name.
    /// - Throws: `PrivateFile.Refusal` if the file cannot be written.
    func make(_ uuid: String) throws(PrivateFile.Refusal) -> String {
        // 256 random bits of the system (getrandom(2)).
        var random = SystemRandomNumberGenerator()
        let token = (0..<Self.digits).map { _ in
            String(Int.random(in: 0..<16, using: &random), radix: 16)
        }.joined()
        let code = PrivateFile.replace(Array((token + "\n").utf8), at: path, uuid: uuid)
        if code != 0 { throw PrivateFile.Refusal(reason: .system(code), path: path) }
        return token
    }
}
