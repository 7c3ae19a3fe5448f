import AgentCore
import TestSupport
import XCTest

/// Three whole sessions, as they stand on the screen at their end.
final class SessionGoldenTests: XCTestCase {
    func testANewcomerWithoutAKey() throws {
        let repl = try ChatTerminal(try ChatProgram(), rows: 60)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/help", until: "/help more")
        try repl.enter("remind me to buy milk", until: "✓ buy milk")
        try repl.enter("/reminders", until: "No date")
        try repl.enter("What is the capital of Norway?", until: "No model is connected")
        try repl.enter("/remindrs", until: "Did you mean")
        repl.leave()
        try Golden.assertEqual(repl.transcript, "newcomer")
    }

    func testAChatWithToolsAndAnApproval() throws {
        let server = try ProviderServer(
            .messages,
            [
                .text("Hello ", "there. ", "What can I do?"),
                .toolCall(
                    "create_reminder",
                    #"{"title":"call Bo","due_date":"2031-03-04T09:30:00+00:00"}"#),
                .text("I will remind you."),
                .toolCall("delete_reminder", #"{"title":"call Bo"}"#, id: "call_2"),
                .text("It is in the trash."),
                .text("A fresh start."),
                .text("You asked me to forget Bo."),
            ])
        let repl = try ChatTerminal(try ChatProgram(server), rows: 70)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("hello", until: "What can I do?")
        try repl.enter("ask me on 4 March 2031 how Bo is", until: "I will remind you.")
        repl.enter("forget about Bo")
        try repl.answer("y", to: "Enter for no", until: "✓ deleted")
        try repl.waitForPrompt(after: "It is in the trash.")
        try repl.enter("/usage", until: "3 turns")
        try repl.enter("/new", until: "New conversation")
        try repl.enter("another thing", until: "A fresh start.")
        repl.enter("/resume")
        try repl.waitFor("▸ hello")
        try repl.enter("", until: "10 messages, just now")
        try repl.enter("what did I ask?", until: "You asked me")
        repl.leave()
        try Golden.assertEqual(repl.transcript, "chat")
        XCTAssertEqual(
            try server.messages(6).filter { !$0.hasSuffix(": ") },
            [
                "user: hello", "assistant: Hello there. What can I do?",
                "user: ask me on 4 March 2031 how Bo is", "assistant: I will remind you.",
                "user: forget about Bo", "assistant: It is in the trash.",
                "user: what did I ask?",
            ])
        server.finish()
    }

    func testADayIsPlannedInPlainWords() throws {
        let repl = try ChatTerminal(try ChatProgram(), rows: 80)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("remind me to call Bo on 4 march 2031 at 9:30", until: "✓ call Bo")
        try repl.enter("dentist 13 march 2031 2-3:30pm", until: "✓ dentist")
        try repl.enter("lunch with Ana 13 march 2031 3pm", until: "overlaps")
        try repl.enter("swim every other tuesday at 7pm from 4 march 2031", until: "✓ swim")
        try repl.enter("what's on 13 march 2031?", until: "lunch with Ana  overlaps")
        try repl.enter("am i free on 13 march 2031 in the afternoon", until: "Partly")
        try repl.enter("move the dentist to 4:30pm", until: "16:30")
        try repl.enter("/undo", until: "undone")
        try repl.enter("/calendar month 2031-03", until: "31")
        try repl.enter("done: call Bo", until: "✓ done")
        try repl.enter("/reminders", until: "swim")
        repl.leave()
        try Golden.assertEqual(repl.transcript, "planner")
    }

    func testAfterAKillTheConversationGoesOn() throws {
        let server = try ProviderServer(
            .messages, [.stall(after: "The ferry ", "leaves at"), .text("14:00, as I said.")])
        let chat = try ChatProgram(server)
        let first = try ChatTerminal(chat)
        try first.waitForPrompt(after: "/help")
        first.enter("when does the ferry leave?")
        try first.waitFor("The ferry leaves at")
        try RunningProgram.waitUntilStored("leaves at", in: chat.file("chat.db"))
        first.kill()
        let second = try ChatTerminal(chat)
        try second.waitForPrompt(after: "interrupted")
        try second.enter("go on", until: "as I said.")
        second.leave()
        try Golden.assertEqual(second.transcript, "recovery")
        XCTAssertEqual(
            try server.messages(1),
            [
                "user: when does the ferry leave?", "assistant: The ferry leaves at",
                "user: go on",
            ])
        server.finish()
    }
}
