import AgentCore
import Base
import Privacy
import Synchronization
import XCTest

@testable import Letters

/// A yes covers what was shown, and nothing else.
final class LetterConsentTests: XCTestCase {
    func testAYesWithoutEmployersCoversNoRequestWithThem() async throws {
        let rig = try LetterWriterRig(Array(repeating: .text(LetterWriterRig.words(130)), count: 9))
        let hidden = LetterSettings(length: .short, hidesEmployers: true)
        let first = try await asks(rig, hidden)
        let again = try await asks(rig, hidden)
        let whole = try await asks(rig, LetterSettings(length: .short))
        let back = try await asks(rig, hidden)
        let warm = try await asks(rig, LetterSettings(tone: .warm, length: .short))
        XCTAssertEqual([first, again, whole, back, warm], [true, false, true, false, false])
    }

    func testAYesWithoutTheNameCoversNoRequestWithIt() async throws {
        let rig = try LetterWriterRig([.text(LetterWriterRig.words(130))])
        _ = try await asks(rig, LetterSettings(length: .short))
        // The profile was removed, and the résumé does not say whose it is.
        let other = LetterWriter(
            LetterWriter.Dependencies(
                generator: rig.model, book: rig.book, profile: { LetterProfile() },
                environment: rig.writer.dependencies.environment))
        let request = try await other.request(Self.inputs, LetterSettings())
        XCTAssertTrue(request.resume.contains("Jane Doe cut the time"))
        let source = LetterWriterRig.inputs.resume.source
        let host = "model.example.org"
        let isGiven = try await LetterConsent.isGiven(
            source, as: request.resume, to: host, in: rig.book)
        XCTAssertFalse(isGiven)
        let isGivenToAny = try await LetterConsent.isGiven(source, as: nil, to: host, in: rig.book)
        XCTAssertTrue(isGivenToAny)
        let isGivenElsewhere = try await LetterConsent.isGiven(
            source, as: nil, to: "other.example.org", in: rig.book)
        XCTAssertFalse(isGivenElsewhere)
    }

    func testTheLinesThatStayHereAreListedBeforeTheYes() {
        var resume = LetterWriterRig.inputs.resume
        resume.leftOut = ["Jane Doe", "1 Elm Street"]
        let preview = LetterPreview(
            body: [], input: "x", resume: resume, sentResume: "x", destination: nil, knowsName: true
        )
        let lines = preview.lines(columns: 80, rows: nil).map(\.text)
        XCTAssertTrue(lines.contains("  Not sent: 2 lines: Jane Doe / 1 Elm Street"), "\(lines)")
    }

    private static var inputs: LetterInputs {
        var inputs = LetterWriterRig.inputs
        inputs.resume.person.add(.employer, "Initech")
        return inputs
    }

    /// Whether the user is asked before that letter is written.
    private func asks(_ rig: LetterWriterRig, _ settings: LetterSettings) async throws -> Bool {
        let asked = Mutex(false)
        var interaction = Interaction()
        interaction.confirm = { _, _ in
            asked.withLock { $0 = true }
            return true
        }
        let consent = LetterConsent(
            book: rig.book, screen: LetterScreen(), interaction: interaction)
        _ = try await rig.writer.write(
            Self.inputs, settings, consent: { try await consent.ask($0) })
        return asked.withLock { $0 }
    }
}
