import Base

/// An unusable value in the file or in a variable. Its default is used, and everything that depends
/// on it refuses to run (`Settings+Refusal`).
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
    /// The unusable values, for a notice.
    package var brokenLines: [String] { broken.map(\.error.diagnostic.what) }

    /// The settings after a change of the file in a running program: a value that is not
    /// read again stays invalid.
    package func replaced(by new: Settings) -> Settings {
        var new = new
        new.broken =
            new.broken.filter { Self.isLive($0.part) }
            + broken.filter { !Self.isLive($0.part) }
        return new
    }
}
