import AgentCore
import Base
import Letters
import Privacy
import TestSupport
import Texts
import XCTest

@testable import ChatKit
@testable import chat

/// The program's own instructions and tools must not block a request: no word of them
/// is taken for the name of any of a hundred people, some of whom are called Will.
final class OwnTextsTests: XCTestCase {
    func testNoTextOrToolOfTheProgramIsTakenForAPerson() throws {
        let folder = try TemporaryFolder()
        let variables = ["CHAT_HOME": folder.path]
        let app = App(variables: variables, environment: .system(variables: variables))
        let tools = try app.services(for: .help(topic: [])).registry.tools
        XCTAssertGreaterThan(tools.count, 20)
        let texts = [
            SystemText.standard, LetterRequest.instructions, IdeaRecipe.instructions,
        ]
        let body = JSONWriter.bytes([
            "system": .array(texts.map { .string($0) }),
            "tools": .array(
                tools.map { tool in
                    [
                        "name": .string(tool.name), "description": .string(tool.description),
                        "input_schema": tool.inputSchema.json,
                    ]
                }),
        ])
        for resume in try InventedResume.frozen() {
            let person = resume.declared
            XCTAssertEqual(
                LeakGate(person).leaks(in: body).map { "\($0.path): \($0.line)" }, [], resume.id)
            for text in texts {
                XCTAssertEqual(
                    Redactor(person).findings(in: text).filter { $0.by == .person }.map(\.range),
                    [], "\(resume.id): \(text)")
            }
        }
    }
}
