import AgentCore
import Base
import Persistence
import Privacy
import Synchronization
import TestSupport
import XCTest

@testable import Letters
@testable import Library

/// `letter_create`: what the user is asked before it, and what it may send.
final class LetterServerTests: XCTestCase {
    private struct Rig {
        let letters: LetterWriterRig
        let inputs: LetterCurrentInputs
        let server: LetterServer
        let source: LetterDraft.Source

        init(_ answers: Int) async throws {
            letters = try LetterWriterRig(
                Array(repeating: .text(LetterWriterRig.words(250)), count: answers))
            let library = letters.library
            let item = try await library.add([
                ItemDraft(kind: .resume, title: "resume", body: LetterWriterRig.resume)
            ])[0]
            source = LetterDraft.Source(item: item.id, revision: item.revision)
            var found = LetterWriterRig.inputs
            found.resume.source = source
            found.resume.person.add(.employer, "Initech")
            let (resume, job) = (found.resume, found.job)
            inputs = LetterCurrentInputs(path: letters.folder.path("state/letter.json")) { "id" }
            server = LetterServer(
                writer: letters.writer,
                sources: LetterSources(
                    resume: { _ in resume }, job: { _ in job }, resumeText: { _ in resume },
                    jobText: { _ in job },
                    kept: { _, _ in LetterInputs(resume: resume, job: job) }),
                inputs: inputs, screen: LetterScreen(), setName: { _ in },
                library: LibraryServer.Dependencies(
                    store: library, environment: ManualClock().environment, width: { nil },
                    formatted: { _ in nil }, readInput: { _ in [] }),
                variables: [:])
        }

        private var arguments: JSONObject { JSONObject([.init("job", "Acme seeks an engineer.")]) }

        var preview: CallPreview {
            get async {
                await server.preview(of: LetterServer.createName, arguments: arguments)
            }
        }

        func call() async throws -> ToolOutput {
            try await server.callTool(
                LetterServer.createName, arguments: arguments, emit: .none)
        }

        /// The user looks at it, says yes, and has it written.
        func write(_ settings: LetterSettings) async throws {
            let found = try await server.sources.kept(source, LetterWriterRig.inputs.job.source)
            _ = try await letters.writer.write(found, settings, consent: { _ in })
            try await inputs.write(
                LetterCurrentInputs.Value(
                    resume: source, job: found.job.source, settings: settings))
        }

        var sent: [String] { letters.model.recipes.withLock { $0.map(\.input) } }
    }

    func testTheUserIsToldWhatGoesWhereAndIsNotAskedBeforeTheyHaveSeenIt() async throws {
        let rig = try await Rig(2)
        guard case .fails(let refusal) = await rig.preview else {
            return XCTFail("the user was asked")
        }
        XCTAssertTrue(refusal.isError)
        XCTAssertTrue(refusal.text.contains("/letter new"), refusal.text)
        XCTAssertFalse(refusal.text.contains("Jane"), refusal.text)
        try await rig.write(LetterSettings())
        let preview = await rig.preview
        XCTAssertEqual(
            preview, .touches("résumé i1, without who you are, to model.example.org"))
        let output = try await rig.call()
        XCTAssertFalse(output.isError)
        XCTAssertFalse(output.text.contains("Jane"), output.text)
        XCTAssertEqual(rig.sent.count, 2)
    }

    func testEmployersThatTheUserHeldBackStayBack() async throws {
        let rig = try await Rig(2)
        try await rig.write(LetterSettings(hidesEmployers: true))
        _ = try await rig.call()
        XCTAssertEqual(rig.sent.count, 2)
        XCTAssertEqual(rig.sent.filter { $0.contains("Initech") }, [])
        // What was seen had no employers; nothing else is sent for a model.
        let kept = await rig.inputs.read()
        var inputs = try XCTUnwrap(kept)
        inputs.settings.hidesEmployers = false
        try await rig.inputs.write(inputs)
        do {
            _ = try await rig.call()
            XCTFail("it was sent")
        } catch let error as ToolError {
            XCTAssertTrue("\(error)".contains("has not yet seen"), "\(error)")
        }
        XCTAssertEqual(rig.sent.count, 2)
    }
}
