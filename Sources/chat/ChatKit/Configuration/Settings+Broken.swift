import Base

/// A value of the file or of a variable that cannot be used. Its default is in use, and
/// what reads it refuses to run (`Settings+Refusal`).
package struct BrokenSetting: Sendable, Equatable {
    /// The outermost name: `alerts` of `alerts.bell`.
    package var part: String
    package var error: ConfigurationError

    init(_ error: ConfigurationError, part name: String) {
        part = String(name.prefix { $0 != "." })
        self.error = error
    }
}

extension Settings {
    /// These values, with the default in place of each, for a notice.
    package var brokenLines: [String] {
        broken.map { $0.error.diagnostic.what + " The default is used." }
    }

    /// The same settings after a change of the file, in a program that keeps what it was
    /// made with: what it does not read again stays broken.
    package func replaced(by new: Settings) -> Settings {
        var new = new
        new.broken =
            new.broken.filter { Self.isLive($0.part) }
            + broken.filter { !Self.isLive($0.part) }
        return new
    }
}
