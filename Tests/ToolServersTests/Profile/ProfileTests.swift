import Base
import Privacy
import TestSupport
import XCTest

@testable import Library

final class ProfileTests: XCTestCase {
    func testSetReplacesAddAddsAndTheFirstIsPrinted() throws {
        var profile = Profile()
        try profile.set(.email, "ida@example.org")
        XCTAssertTrue(try profile.add(.email, "ida@work.example"))
        XCTAssertFalse(try profile.add(.email, " ida@work.example "))
        try profile.set(.name, "  Ida   Świąder ")
        try profile.add(.name, "Ida Lindqvist")
        XCTAssertEqual(profile.first(.name), "Ida Świąder")
        XCTAssertEqual(
            profile.person.entries,
            [
                .init(.name, "Ida Świąder"), .init(.name, "Ida Lindqvist"),
                .init(.email, "ida@example.org"), .init(.email, "ida@work.example"),
            ])
        try profile.set(.email, "i@example.org")
        XCTAssertEqual(profile.values(of: .email), ["i@example.org"])
    }

    func testAValueIsRemovedByItsWordsOrItsNumber() throws {
        var profile = Profile()
        for name in ["Ida Świąder", "Ida Lindqvist", "Idka"] { try profile.add(.name, name) }
        XCTAssertEqual(profile.remove(.name, "ida swiader"), 1)
        XCTAssertEqual(profile.remove(.name, "2"), 1)
        XCTAssertEqual(profile.remove(.name, "3"), 0)
        XCTAssertEqual(profile.values(of: .name), ["Ida Lindqvist"])
        XCTAssertEqual(profile.remove(.name), 1)
        XCTAssertTrue(profile.isEmpty)
    }

    func testWhatIsNoValueIsRefusedWithAReasonThatDoesNotRepeatIt() {
        let wrong: [(Profile.Field, String, String)] = [
            (.email, "ida.example.org", "That e-mail has no @. Nothing was changed."),
            (.email, "@example.org", "That e-mail has nothing before the @. Nothing was changed."),
            (.email, "a@b@c.org", "That e-mail has more than one @. Nothing was changed."),
            (
                .email, "ida@example",
                "That e-mail has no domain such as example.org after the @. Nothing was changed."
            ),
            (.phone, "0123", "That phone has fewer than 5 digits. Nothing was changed."),
            (.phone, "call me 12345", "That phone holds letters. Nothing was changed."),
            (
                .phone, "+49 30 1234567 030 7654321 99",
                "That phone has more than 20 digits: is it two? Nothing was changed."
            ),
            (
                .name, "ida@example.org",
                "That name contains an @; e-mail addresses are set separately. Nothing was changed."
            ),
            (.url, "linkedin", "That link has no dot, as in example.org/ida. Nothing was changed."),
            (
                .birthDate, "1990-02-30",
                "That date of birth is not a date such as 1990-05-31. Nothing was changed."
            ),
            (.name, "a\u{1B}[2J", "That name contains control characters. Nothing was changed."),
            (.name, "   ", "profile needs a value for name."),
            (
                .name, "sk-ant-api03-Zq8vN3xT5bL7wR2mK9pJ4hG6",
                "Not kept: that looks like an API key."
            ),
        ]
        for (field, value, sentence) in wrong {
            XCTAssertThrowsError(try ProfileValue.checked(field, value)) {
                XCTAssertEqual(($0 as? ProfileError)?.diagnostic.what, sentence)
            }
        }
    }

    func testWhatPeopleWriteIsTaken() throws {
        for (field, value) in [
            (Profile.Field.email, "o'brien+jobs@mail.example.co.uk"),
            (.phone, "+49 (0)30 12-34/56"),
            (.phone, "555-0199 ext. 12"), (.name, "Siobhán O’Neill-García y Ñandú"),
            (.name, "山田 太郎"), (.url, "https://www.linkedin.com/in/ida"), (.birthDate, "2000-02-29"),
            (.identifier, "DE89 3704 0044 0532 0130 00"), (.employer, "Müller & Söhne GmbH"),
        ] {
            XCTAssertEqual(try ProfileValue.checked(field, value), value)
        }
        XCTAssertEqual(
            try ProfileValue.checked(.address, " 12  Elm Street \r\n\n Springfield "),
            "12 Elm Street\nSpringfield")
    }

    func testMasksTellOneValueFromAnotherAndNotWhoItIs() {
        let masked: [(Profile.Field, String, String)] = [
            (.name, "Ida van Świąder", "I••• v••• Ś•••"),
            (.email, "ida@mail.example.org", "i•••@•••.org"), (.phone, "+49 30 1234567", "••• 67"),
            (.address, "12 Elm Street\nSpringfield", "•••"),
            (.url, "https://www.linkedin.com/in/ida", "linkedin.com/•••"),
            (.url, "https://ida-swiader.example", "•••/•••"), (.birthDate, "1990-05-31", "•••"),
            (.identifier, "DE89 3704 00", "••• 00"),
        ]
        for (field, value, mask) in masked {
            XCTAssertEqual(ProfileValue.masked(field, value), mask)
        }
    }

    func testTheFileKeepsWhatItDoesNotKnowAndTakesOneWithoutBrackets() throws {
        let text = """
            {"name": "Ida Świąder", "email": ["a@b.org", " "], "pronouns": {"x": [1]}}
            """
        let profile = try Profile(json: Array(text.utf8), path: "p")
        XCTAssertEqual(profile.values(of: .name), ["Ida Świąder"])
        XCTAssertEqual(profile.values(of: .email), ["a@b.org"])
        XCTAssertEqual(
            String(decoding: profile.json, as: UTF8.self),
            """
            {
              "name": [
                "Ida Świąder"
              ],
              "email": [
                "a@b.org"
              ],
              "pronouns": {
                "x": [
                  1
                ]
              }
            }

            """)
        XCTAssertEqual(try Profile(json: profile.json, path: "p"), profile)
    }
}

final class ProfileFileTests: XCTestCase {
    func testItIsPrivateFromTheStartAndGoneWithItsLastValue() async throws {
        let folder = try TemporaryFolder()
        let file = ProfileFile(path: folder.path("data/profile.json"))
        let before = umask(0)
        defer { umask(before) }
        try await file.change { profile throws(ProfileError) in try profile.set(.name, "Ida") }
        var status = stat()
        XCTAssertEqual(stat(file.path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
        let isOpen = await file.isReadableByOthers()
        XCTAssertFalse(isOpen)
        let profile = try await ProfileFile(path: file.path).read()
        XCTAssertEqual(profile.first(.name), "Ida")
        try await file.change { _ = $0.remove(.name) }
        XCTAssertEqual(FilePath.names(in: folder.path("data")), [])
    }

    func testADamagedFileIsSaidWithItsPlaceAndNeverOverwritten() async throws {
        let folder = try TemporaryFolder()
        let file = ProfileFile(path: folder.path("profile.json"))
        for (text, place) in [
            ("{\n  \"name\": [\"Ida\",]\n}", "line 2, column 18: unexpected byte"),
            ("{\n\"name\": 7}", "line 2, column 9: \"name\" contains something that is not text"),
            ("[]", "line 1, column 1: it is not an object"),
        ] {
            try folder.write(Array(text.utf8), to: "profile.json")
            let error = await failure {
                try await file.change { profile throws(ProfileError) in
                    try profile.set(.name, "Eva")
                }
            }
            XCTAssertEqual(
                error?.what, "The profile \(file.path) is damaged at \(place).")
            XCTAssertEqual(try folder.read("profile.json"), Array(text.utf8))
        }
    }

    func testTwoAtOnceLoseNothing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("profile.json")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await ProfileFile(path: path).change { profile throws(ProfileError) in
                        try profile.add(.email, "a\(number)@example.org")
                    }
                }
            }
            try await group.waitForAll()
        }
        let profile = try await ProfileFile(path: path).read()
        XCTAssertEqual(profile.values(of: .email).count, 40)
    }
}
