import AgentCore
import Base
import ChatKit
import Glibc
import Letters
import Library
import Privacy

/// Assembles the profile and redaction for this program: their access to files and standard
/// input.
enum PrivacyAssembly {
    static func profile(
        _ file: ProfileFile, _ paths: Paths, _ variables: [String: String]
    ) -> Capability {
        var dependencies = ProfileServer.Dependencies(
            file: file,
            entries: {
                try await ProfileImport.entries(
                    inFile: paths.expanded($0), shown: $0, variables: variables)
            }, readInput: { try await LibraryAssembly.input(limit: $0) })
        dependencies.shortened = { paths.shortened($0) }
        return Capability(ProfileServer(dependencies))
    }

    /// The user's data that letters print and hide.
    static func sender(_ profile: Profile) -> LetterProfile {
        LetterProfile(
            person: profile.person,
            sender: LetterLayout.Sender(
                name: profile.first(.name), address: profile.first(.address),
                phone: profile.first(.phone), email: profile.first(.email)))
    }

    static func setName(_ name: String, in file: ProfileFile) async throws {
        try await file.change { profile throws(ProfileError) in try profile.set(.name, name) }
    }

    static func redact(_ services: Services) -> Command {
        let (profile, paths) = (services.profile, services.paths)
        return RedactCommand(
            RedactCommand.Dependencies(
                person: { try await profile.read().person },
                people: { ResumePeople.found(in: $0) },
                read: { path in
                    guard let path else { return try await LibraryAssembly.input(limit: textLimit) }
                    return try await contents(
                        paths.expanded(path), shown: paths.shortened(path), limit: textLimit)
                }, hasInput: { isatty(0) != 1 },
                files: PrivateFiles(home: paths.home, environment: services.environment))
        ).command
    }

    /// Maximum bytes: as much as a book may have. The text is kept whole, with its findings, since a
    /// name introduced anywhere is a name everywhere.
    static let textLimit = 16 << 20

    /// The contents of a regular file, read on a thread of its own.
    static func contents(
        _ path: String, shown: String, limit: Int
    ) async throws -> [UInt8] {
        try await QueueExecutor.run("private-file") {
            do throws(WholeFile.Failure) {
                return try WholeFile.read(path, limit: limit)
            } catch {
                throw RedactionError(.unreadable(shown.oneLine, error.why(limit: limit)))
            }
        }
    }
}
