import AgentCore
import Base
import Persistence
import Privacy
import TestSupport
import XCTest

@testable import Library
@testable import Texts

/// Nothing of a résumé, an advert or a letter that tells who somebody is gets to a
/// model, by whatever tool.
final class ItemDisclosureTests: XCTestCase {
    private static let literals = ["ida", "svensson", "08-123", "storgatan"]
    private static let body = """
        Ida Svensson
        Storgatan 5
        08-123 456 78

        Ida Svensson has shipped a ferry timetable for ten years.
        """
    private static let person = PersonalData([
        .init(.name, "Ida Svensson"), .init(.name, "Ida"), .init(.phone, "08-123 456 78"),
        .init(.address, "Storgatan 5"),
    ])

    private struct Rig {
        var person: PersonalData

        func servers(_ rig: LibraryRig, model: any TextGenerator) throws -> [any ToolServer] {
            let disclosure = ItemDisclosure(library: rig.store, person: { [person] in person })
            var dependencies = rig.server().dependencies
            dependencies.disclosure = disclosure
            let writing = try WritingRig()
            var tools = writing.server(model).dependencies
            tools.library = rig.store
            tools.disclosure = disclosure
            return [
                LibraryServer(dependencies),
                WritingServer(engine: writing.server(model).engine, dependencies: tools),
                UndoServer(
                    UndoHistory([LibraryUndoSource(rig.store)]),
                    environment: rig.clock.environment,
                    disclosed: { try await disclosure.text($0) }),
            ]
        }
    }

    private func call(
        _ servers: [any ToolServer], _ name: String, _ arguments: JSONObject = JSONObject()
    ) async throws -> ToolOutput {
        for server in servers where server.listTools().contains(where: { $0.name == name }) {
            do {
                return try await server.callTool(name, arguments: arguments)
            } catch let error as ToolError {
                return ToolOutput(error)
            }
        }
        throw ToolError.toolNotFound(name: name)
    }

    private func assertSilent(_ text: String, _ context: String, line: UInt = #line) {
        let folded = text.lowercased()
        for literal in Self.literals where folded.contains(literal) {
            XCTFail("\(context) tells \(literal): \(text)", line: line)
        }
    }

    private func arguments(_ members: (String, JSONValue)...) -> JSONObject {
        JSONObject(members.map { JSONObject.Member($0.0, $0.1) })
    }

    func testNoToolTellsAModelWhoSomebodyIs() async throws {
        for kind in ItemKind.disclosedRedacted {
            let rig = try LibraryRig()
            let model = ScriptedWriter { $0.replacing("shipped", with: "built") }
            let servers = try Rig(person: Self.person).servers(rig, model: model)
            for number in 0..<2 {
                try await rig.add(kind, "CV of Ida Svensson \(number)", Self.body, tags: ["ida"])
            }
            try await rig.add(.idea, "Ferries", "A ferry for Ida")
            let calls: [(String, JSONObject)] = [
                ("library_search", arguments()),
                ("library_search", arguments(("query", "ferry"))),
                ("library_search", arguments(("query", "svensson"))),
                ("library_search", arguments(("tag", "ida"))),
                ("library_get", arguments(("item", "i1"))),
                ("library_get", arguments(("item", "i1"), ("offset", 3))),
                ("library_get", arguments(("item", "CV"))),
                ("library_update", arguments(("item", "i1"), ("tags", ["x"]))),
                ("library_update", arguments(("item", "CV"), ("tags", ["x"]))),
                ("writing_apply", arguments(("item", "CV"), ("tool", "rewrite"))),
                ("writing_apply", arguments(("item", "i2"), ("tool", "rewrite"))),
                (
                    "writing_apply",
                    arguments(
                        ("item", "i2"), ("tool", "rewrite"),
                        ("text", "[NAME]\n[ADDRESS]\n[PHONE]\n\n[NAME] ships ferries."))
                ),
                ("library_trash", arguments(("item", "i1"))),
                ("undo_change", arguments()), ("undo_change", arguments(("item", "CV"))),
            ]
            for (name, arguments) in calls {
                let output = try await call(servers, name, arguments)
                let context = "\(kind) \(name) \(JSONWriter.string(.object(arguments)))"
                // A tag that is not told is not confirmed either.
                if arguments["tag"] != nil {
                    XCTAssertEqual(output.text, "Nothing was found.", context)
                }
                // The idea is no private item: it is told as it is.
                assertSilent(
                    output.text.replacing("A ferry for Ida", with: "").replacing(
                        "A **ferry** for Ida", with: ""), context)
            }
            for recipe in model.recipes {
                assertSilent(recipe.input, "\(kind): the request of a writing tool")
                XCTAssertEqual(recipe.privacy, .redact)
                XCTAssertEqual(recipe.withheld, Self.person)
            }
            XCTAssertFalse(model.recipes.isEmpty)
        }
    }

    func testWhatAModelWritesWithPlaceholdersIsKeptWithTheOriginals() async throws {
        let rig = try LibraryRig()
        let servers = try Rig(person: Self.person).servers(rig, model: ScriptedWriter())
        try await rig.add(.letter, "Letter", Self.body)
        let output = try await call(
            servers, "library_update",
            arguments(("item", "i1"), ("text", "[PHONE], [NAME]: ships ferries.")))
        XCTAssertFalse(output.isError, output.text)
        let body = try await rig.body(1)
        XCTAssertEqual(body, "08-123 456 78, Ida Svensson: ships ferries.")
        let invented = try await call(
            servers, "library_update", arguments(("item", "i1"), ("text", "[NAME], [EMAIL_3]")))
        XCTAssertTrue(invented.isError)
        XCTAssert(invented.text.contains("[EMAIL_3] stands for nothing"), invented.text)
        let kept = try await rig.body(1)
        XCTAssertEqual(kept, body)
    }

    func testAWritingToolHasTheOriginalsBackByteForByte() async throws {
        let rig = try LibraryRig()
        let model = ScriptedWriter { $0.replacing("shipped", with: "written") }
        let servers = try Rig(person: Self.person).servers(rig, model: model)
        try await rig.add(.letter, "Letter", Self.body)
        let output = try await call(
            servers, "writing_apply", arguments(("item", "i1"), ("tool", "rewrite")))
        XCTAssertFalse(output.isError, output.text)
        let body = try await rig.body(1)
        XCTAssertEqual(body, Self.body.replacing("shipped", with: "written"))
        // A model that loses a placeholder would lose the phone number.
        let losing = try Rig(person: Self.person).servers(
            rig, model: ScriptedWriter { _ in "Nothing but a sentence about ferries is left." })
        let lost = try await call(
            losing, "writing_apply", arguments(("item", "i1"), ("tool", "rewrite")))
        XCTAssertTrue(lost.isError, lost.text)
        assertSilent(lost.text, "a lost placeholder")
        let kept = try await rig.body(1)
        XCTAssertEqual(kept, body)
    }

    func testAResumeOfNobodyIsNotGivenAway() async throws {
        let rig = try LibraryRig()
        let servers = try Rig(person: PersonalData()).servers(rig, model: ScriptedWriter())
        try await rig.add(.resume, "CV of Ida Svensson", Self.body)
        for (name, arguments) in [
            ("library_get", arguments(("item", "i1"))),
            ("writing_apply", arguments(("item", "i1"), ("tool", "rewrite"))),
        ] {
            let output = try await call(servers, name, arguments)
            XCTAssertTrue(output.isError)
            XCTAssert(output.text.contains("chat profile set name"), output.text)
            assertSilent(output.text, name)
        }
        for arguments in [arguments(), arguments(("query", "ferry"))] {
            assertSilent(
                try await call(servers, "library_search", arguments).text, "library_search")
        }
    }

    func testAnAnswerOfTheProgramItselfHasPlaceholdersToo() async throws {
        let rig = try LibraryRig()
        let servers = try Rig(person: Self.person).servers(rig, model: ScriptedWriter())
        try await rig.add(.resume, "CV of Ida Svensson", Self.body)
        for message in ["show i1", "show my library", "search my library for ferry", "delete i1"] {
            let output = try await servers[0].handle(message: message)
            let text = (output?.lines ?? []).map(\.text).joined(separator: "\n")
            XCTAssertFalse(text.isEmpty, message)
            assertSilent(text, message)
        }
    }

    func testOtherKindsAreGivenAwayAsTheyAre() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Ida Svensson", "Ida Svensson")
        let disclosure = ItemDisclosure(library: rig.store, person: { Self.person })
        let item = try await rig.store.liveItem(ItemID(rawValue: 1))
        let disclosed = try await disclosure.disclosed(item)
        XCTAssertEqual(disclosed, item)
    }
}
