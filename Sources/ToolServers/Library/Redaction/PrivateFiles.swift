import Base
import Glibc

/// Writes files that identify a person: readable by the user only (0600) from the
/// start, all or nothing, and overwriting only on request.
package struct PrivateFiles: Sendable {
    private let environment: Environment
    private let home: String

    /// - Parameter home: replaces `~`.
    package init(home: String, environment: Environment) {
        self.home = home
        self.environment = environment
    }

    /// - Parameter text: the input file, which must not be replaced.
    /// - Throws: `RedactionError`.
    func write(
        _ bytes: [UInt8], to path: String, replaces: Bool, besides text: String?
    ) async throws {
        let target = FilePath.expanding(path, home: home)
        let other = text.map { FilePath.expanding($0, home: home) }
        let temporary = "\(target).\(environment.uuid()).tmp"
        let reason = await QueueExecutor.run("chat.private-files") {
            Self.write(
                bytes, to: target, path, replaces: replaces, besides: other,
                temporary: temporary)
        }
        if let reason { throw RedactionError(reason) }
    }

    /// Returns the error, if any.
    private static func write(
        _ bytes: [UInt8], to target: String, _ shown: String, replaces: Bool,
        besides other: String?, temporary: String
    ) -> RedactionError.Reason? {
        if let other, FilePath.isSame(target, other) { return .mapIsText(shown) }
        let code =
            replaces
            ? WholeFile.replace(bytes, at: target, temporary: temporary)
            : WholeFile.create(bytes, at: target)
        switch code {
        case 0: return nil
        case EEXIST: return .mapExists(shown)
        default: return .unwritable(shown, Diagnostic.system(code))
        }
    }
}
