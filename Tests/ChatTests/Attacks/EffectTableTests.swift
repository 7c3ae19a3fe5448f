import AgentCore
import Base
import Foundation
import Outside
import Persistence
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// The table of the manual, tool by tool: what a call does, the class of it, and whose rules
/// hold for it. Each row is compared with the program.
final class EffectTableTests: XCTestCase {
    private struct Row {
        var tools: [String]
        var effect: String
        var toolClass: String
        var rules: String
    }

    private func table() throws -> [Row] {
        let page = URL(fileURLWithPath: #filePath + "/../../../../docs/manual/tools.md")
            .standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let part = try XCTUnwrap(text.components(separatedBy: "## What each tool does").last)
        return part.components(separatedBy: "\n").drop { !$0.hasPrefix("|---") }.dropFirst()
            .prefix { $0.hasPrefix("|") }.map { line in
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                return Row(
                    tools: cells[0].split(separator: "`").map(String.init).filter {
                        $0.first?.isLetter == true
                    }, effect: cells[1], toolClass: cells[2],
                    rules: cells[3].replacingOccurrences(of: "`", with: ""))
            }
    }

    private func tools(_ rig: AttackRig) -> [Tool] {
        rig.services.registry.tools
            + ConversationSearchServer(services: rig.services).listTools()
            + WebSearchPermission(host: "api.example.org").listTools()
    }

    func testEveryToolIsInTheTableWithItsClass() async throws {
        let rig = try await AttackRig()
        var worst: [String: Int] = [:]
        let order = ["read", "write", "destroy", "outward"]
        for row in try table() {
            let index = try XCTUnwrap(order.firstIndex(of: row.toolClass), row.effect)
            for tool in row.tools { worst[tool] = max(worst[tool] ?? 0, index) }
        }
        // What speaks and plays is not installed here; a host may change events, only not so
        // that nothing is left to come.
        for tool in tools(rig) where tool.name != "edit_event" && tool.name != "story_play" {
            XCTAssertEqual(
                worst[tool.name].map { order[$0] }, tool.toolClass.rawValue, tool.name)
        }
        let unknown = Set(worst.keys).subtracting(tools(rig).map(\.name))
        XCTAssertEqual(
            unknown.subtracting(["story_play", "story_control", "story_set_voice"]), [])
        await rig.end()
    }

    /// What brings each effect about that depends on the arguments or on what is there.
    private static let cases: [String: @Sendable (AttackRig) async throws -> String] = [
        "edit_reminder changes one": { _ in #"{"title":"mine","new_title":"x"}"# },
        "edit_reminder … and moves it into another list": { _ in
            #"{"title":"mine","list":"home"}"#
        },
        "edit_event changes one": { _ in #"{"event":"review","title":"x"}"# },
        "edit_event … and moves it into another calendar": { _ in
            #"{"event":"review","calendar":"home"}"#
        },
        "edit_event leaves nothing of it to come": { _ in
            #"{"event":"review","start":"1970-01-01T00:00"}"#
        },
        "undo_change nothing, or asks which": { _ in #"{"item":"no such thing"}"# },
        "undo_change deletes a reminder": { _ in #"{"item":"mine"}"# },
        "undo_change deletes an event": { _ in #"{"item":"review"}"# },
        "undo_change deletes an item": { rig in
            _ = try await rig.services.library.add([ItemDraft(kind: .idea, title: "one", body: "1")]
            )
            return #"{"item":"i6"}"#
        },
        "undo_change deletes a note": { rig in
            _ = try await rig.services.library.add([
                ItemDraft(kind: .memory, title: "n", body: "n")
            ])
            return #"{"item":"i6"}"#
        },
        "undo_change changes a reminder back": { rig in
            try await rig.run(["reminders", "edit", "mine", "--title", "yours"])
            return "{}"
        },
        "undo_change changes an event back": { rig in
            try await rig.run(["calendar", "edit", "review", "--title", "other"])
            return "{}"
        },
        "undo_change changes an item back": { rig in
            _ = try await rig.services.library.change(
                ItemID(rawValue: 1), ItemChange(title: "pot"))
            return #"{"item":"i1"}"#
        },
        "undo_change changes a note back": { rig in
            _ = try await rig.services.library.change(
                ItemID(rawValue: 5), ItemChange(body: "I like coffee"))
            return #"{"item":"i5"}"#
        },
        "undo_change restores a deleted reminder": { rig in
            try await rig.run(["reminders", "delete", "mine"])
            return "{}"
        },
        "undo_change restores a deleted event": { rig in
            try await rig.run(["calendar", "delete", "review"])
            return "{}"
        },
        "undo_change restores a deleted item": { rig in
            _ = try await rig.services.library.trash([ItemID(rawValue: 1)])
            return #"{"item":"i1"}"#
        },
        "undo_change restores a deleted note": { rig in
            _ = try await rig.services.library.trash([ItemID(rawValue: 5)])
            return #"{"item":"i5"}"#
        },
        "undo_change changes several things back": { rig in
            _ = try await rig.services.library.trash([1, 2].map { ItemID(rawValue: $0) })
            return #"{"item":"i1"}"#
        },
        "undo_change puts a file back": { rig in
            _ = try await rig.services.library.add([
                ItemDraft(kind: .prompt, title: "shout", body: "Loud.")
            ])
            return #"{"item":"i6"}"#
        },
    ]

    func testEachEffectHasTheClassAndTheRulesThatTheTableSays() async throws {
        var seen: Set<String> = []
        for row in try table() {
            for tool in row.tools {
                // Others have the one effect of their class.
                let line = "\(tool) \(row.effect)"
                let names = Self.cases.keys.filter { line.hasPrefix($0) }
                guard let name = names.first, let prepare = Self.cases[name] else {
                    XCTAssertFalse(["undo_change", "edit_event"].contains(tool), line)
                    continue
                }
                seen.insert(name)
                let rig = try await AttackRig()
                let text = try await prepare(rig)
                let call = ToolCall(id: "1", name: tool, arguments: text)
                let prepared = try rig.services.registry.prepare(call).get()
                let effects = await rig.services.registry.withEffects(prepared).effects
                XCTAssertEqual(effects.worst.toolClass.rawValue, row.toolClass, line)
                let rules =
                    switch row.rules {
                    case "itself": [tool]
                    case "each of these": ["library_save"]
                    default:
                        row.rules.hasSuffix(" as well")
                            ? [tool, String(row.rules.dropLast(" as well".count))] : [row.rules]
                    }
                XCTAssertEqual(Set(effects.map(\.tool)), Set(rules), line)
                await rig.end()
            }
        }
        XCTAssertEqual(seen, Set(Self.cases.keys))
    }
}
