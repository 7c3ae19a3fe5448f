import Base

/// An untrusted configuration file from a backup: decides which parts are used with the
/// user's consent, and which are left beside it. It asks nothing and writes nothing.
///
///     config.json        each setting that lets the program do more, separately
///     instructions.md    the whole text: models follow it
///     roles/NAME.md      the same
///     ideas.json         the same: the request for ideas, and titles that go with it
struct RestoredConfiguration {
    /// A setting, or a text, that is not used without consent.
    struct Proposal: Sendable, Equatable {
        /// `tools.allow`, `roles/critic.md`; untrusted text.
        var name: String
        /// The configuration file it is in.
        var file: String
        /// The complete contents; untrusted text.
        var text: String
        /// Whether the user can be asked: not about settings unknown to this version, nor
        /// about texts too long to read.
        var isAskable: Bool
        var isUsed = false
    }

    /// Limit in characters; a longer text would not be read before answering.
    static let limit = 4_000
    /// Maximum number of questions. More would not be read either; then none is asked, and nothing
    /// of the file is used.
    static let questionLimit = 40

    private let bytes: [UInt8]
    /// The settings in the order of the proposals; nil for a text.
    private let settings: [WideningSetting]?
    var proposals: [Proposal]

    init(_ bytes: [UInt8], of file: String, settings: [WideningSetting]) {
        self.bytes = bytes
        self.settings = settings
        proposals = settings.map { setting in
            let text = JSONWriter.string(setting.value)
            return Proposal(
                name: setting.name, file: file, text: text,
                isAskable: setting.isKnown && text.count <= Self.limit
                    && settings.count <= Self.questionLimit)
        }
    }

    init(_ bytes: [UInt8], text file: String) {
        self.bytes = bytes
        settings = nil
        let text = String(decoding: bytes, as: UTF8.self)
        proposals = [
            Proposal(name: file, file: file, text: text, isAskable: text.count <= Self.limit)
        ]
    }

    /// The bytes to use and those to leave beside the file; nil if empty.
    ///
    /// - Parameter review: finds the settings that let the program do more.
    func parts(
        review: ([UInt8]) throws -> [WideningSetting]
    ) -> (used: [UInt8]?, left: [UInt8]?) {
        if proposals.allSatisfy(\.isUsed) { return (bytes, nil) }
        guard let settings, settings.count <= Self.questionLimit else { return (nil, bytes) }
        var used = JSON5Editor(bytes)
        var left = JSON5Editor(Array("{}\n".utf8))
        var allowed: [[String]] = []
        for (setting, proposal) in zip(settings, proposals) {
            if proposal.isUsed {
                allowed.append(setting.path)
                continue
            }
            _ = used.remove(setting.path)
            // Cannot fail: no setting is both an object and a value.
            try? left.set(setting.path, to: setting.value)
        }
        // A duplicate object may still contain one. Then nothing of the file is used.
        guard let rest = try? review(used.bytes),
            rest.allSatisfy({ allowed.contains($0.path) })
        else { return (nil, bytes) }
        return (used.bytes, left.bytes)
    }
}

extension RestoredConfiguration.Proposal {
    /// The complete text shown before the question.
    var lines: [StyledLine] {
        [StyledLine("The backup brings \(name):", .warning)]
            + text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
                StyledLine("    \($0)")
            }
    }

    /// Contains the name, unless that would hide the question.
    var question: String {
        let isPlain =
            name.utf8.count <= 60
            && name.utf8.allSatisfy { byte in
                byte.isASCIILetterOrDigit || "._-/".utf8.contains(byte)
            }
        return isPlain ? "Use \(name)?" : "Use it?"
    }
}
