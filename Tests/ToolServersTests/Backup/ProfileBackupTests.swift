import AgentCore
import Base
import Foundation
import Privacy
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Library
@testable import Texts

/// Who the user is goes into a backup, and comes out of it, only where that is said.
final class ProfileBackupTests: XCTestCase {
    private struct Home {
        let home: BackupHome
        var profile: ProfileFile { ProfileFile(path: home.path + "/profile.json") }

        init(_ folder: TemporaryFolder, _ name: String) throws {
            home = try BackupHome(folder, name)
        }

        func add(_ field: Profile.Field, _ value: String) async throws {
            _ = try await profile.change { profile throws(ProfileError) in
                _ = try profile.add(field, value)
            }
        }

        func make(_ file: String, withProfile: Bool) async throws -> [UInt8] {
            _ = try await home.engine.make(
                file, replaces: false, withProfile: withProfile, progress: BackupHome.progress)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
        }

        func take(
            _ file: String, withProfile: Bool, isDryRun: Bool = false
        ) async throws -> BackupEngine.Taken {
            try await home.take(file, isDryRun: isDryRun, withProfile: withProfile)
        }
    }

    private func members(_ file: String) throws -> [String] {
        try ZipReader(ArchiveSource(try OpenFile(file))).members.map(\.name)
    }

    func testABackupHasTheProfileOnlyWhereItIsAskedFor() async throws {
        let folder = try TemporaryFolder()
        let home = try Home(folder, "old")
        try await home.add(.name, "Ida Svensson")
        let without = folder.path("without.zip")
        let bytes = try await home.make(without, withProfile: false)
        XCTAssertFalse(try members(without).contains(BackupManifest.profile))
        XCTAssertNil(bytes.firstRange(of: Array("Svensson".utf8)))
        let with = folder.path("with.zip")
        _ = try await home.make(with, withProfile: true)
        XCTAssertTrue(try members(with).contains(BackupManifest.profile))
        let mode = try FileManager.default.attributesOfItem(atPath: with)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)
    }

    func testItComesBackBehindWhatIsThereAndOnlyWhereItIsAskedFor() async throws {
        let folder = try TemporaryFolder()
        let old = try Home(folder, "old")
        try await old.add(.name, "Ida Svensson")
        try await old.add(.email, "ida@mail.example")
        let file = folder.path("b.zip")
        _ = try await old.make(file, withProfile: true)

        let new = try Home(folder, "new")
        try await new.add(.name, "Ida Berg")
        let plain = try await new.take(file, withProfile: false)
        XCTAssertNil(plain.profileValues)
        let before = try await new.profile.read()
        XCTAssertEqual(before.person.entries.map(\.value), ["Ida Berg"])

        let looked = try await new.take(file, withProfile: true, isDryRun: true)
        XCTAssertEqual(looked.profileValues, 2)
        let untouched = try await new.profile.read()
        XCTAssertEqual(untouched, before)
        let taken = try await new.take(file, withProfile: true)
        XCTAssertEqual(taken.profileValues, 2)
        let after = try await new.profile.read()
        XCTAssertEqual(after.values(of: .name), ["Ida Berg", "Ida Svensson"])
        XCTAssertEqual(after.values(of: .email), ["ida@mail.example"])
        let again = try await new.take(file, withProfile: true)
        XCTAssertEqual(again.profileValues, 0)
    }
}
