import Base
import Foundation
import TestSupport
import XCTest

/// The official SDK for Python as the host, whose checks are stricter than ours, in
/// both eras.
final class MCPSDKTests: XCTestCase {
    /// `host(options)` gives a client, connected as the arguments say.
    private static let kit = """
        import asyncio, contextlib, json, sys
        from mcp import Client, MCPError
        from mcp.client.stdio import StdioServerParameters, stdio_client

        program, variables = sys.argv[1], json.loads(sys.argv[2])

        @contextlib.asynccontextmanager
        async def host(*options):
            server = StdioServerParameters(
                command=program, args=["mcp", "serve", *options], env=variables)
            async with Client(stdio_client(server), mode=mode) as client:
                yield client

        def said(result):
            return result.content[0].text

        def show(*values):
            print(json.dumps(values))

        def each(main):
            global mode
            for mode in sys.argv[3:]:
                show(mode)
                asyncio.run(main())

        """
    /// For each era; what is expected of each host in the script.
    private func run(
        _ chat: ChatProgram, _ body: String, modes: [String] = ["legacy", "auto", "2026-07-28"],
        expected: (_ mode: String) -> [String]
    ) throws {
        let variables = JSONWriter.string(
            .object(JSONObject(chat.variables.map { .init($0.key, .string($0.value)) })))
        let output = try Python.run(
            Self.kit + body, arguments: [try ChatProgram.path(), variables] + modes,
            packages: ["mcp"])
        let hosts = modes.map { "[\"\($0)\"]\n" + expected($0).joined() }
        XCTAssertEqual(output, hosts.joined())
    }

    func testToolsAreListedCalledAndUndone() throws {
        let chat = try ChatProgram()
        let body = """
            async def main():
                async with host("--allow", "undo_change,delete_reminder") as client:
                    tools = (await client.list_tools()).tools
                    names = [tool.name for tool in tools]
                    hints = {tool.annotations.read_only_hint for tool in tools}
                    show(client.protocol_version, client.server_info and client.server_info.name)
                    show("create_reminder" in names, "delete_reminder" in names, len(hints))
                    made = await client.call_tool("create_reminder", {"title": "from " + mode})
                    show(made.is_error, said(made).split()[0])
                    read = await client.call_tool("list_reminders", {})
                    show(read.is_error, "from " + mode in said(read))
                    bad = await client.call_tool("create_reminder", {"title": 7})
                    show(bad.is_error, said(bad).split(":")[0])
                    undone = await client.call_tool("undo_change", {})
                    read = await client.call_tool("list_reminders", {})
                    show(undone.is_error, "from " + mode in said(read))

            each(main)
            """
        try run(chat, body) { mode in
            let versions = [
                "legacy": #"["2025-11-25", "chat"]"#, "auto": #"["2026-07-28", "chat"]"#,
            ]
            return [
                """
                \(versions[mode] ?? #"["2026-07-28", null]"#)
                [true, true, 2]
                [false, "created"]
                [false, true]
                [true, "Invalid arguments"]
                [false, false]

                """
            ]
        }
        XCTAssertEqual(try chat.json(["reminders", "list", "--json"]), [])
    }

    func testWhatDestroysIsRefusedAndRunsWhereItWasAllowed() throws {
        let chat = try ChatProgram()
        let body = """
            async def main():
                async with host() as client:
                    await client.call_tool("create_reminder", {"title": "buy milk"})
                    try:
                        await client.call_tool("delete_reminder", {"reminder": "buy milk"})
                        show("it ran")
                    except MCPError as error:
                        show(error.error.code, "--allow delete_reminder" in error.error.message)
                    show("buy milk" in said(await client.call_tool("list_reminders", {})))
                async with host("--allow", "delete_reminder") as client:
                    tools = (await client.list_tools()).tools
                    tool = next(tool for tool in tools if tool.name == "delete_reminder")
                    show(tool.annotations.read_only_hint, tool.annotations.destructive_hint)
                    gone = await client.call_tool(
                        tool.name, {tool.input_schema["required"][0]: "buy milk"})
                    show(gone.is_error)
                    show("buy milk" in said(await client.call_tool("list_reminders", {})))

            each(main)
            """
        try run(chat, body, modes: ["legacy", "2026-07-28"]) { _ in
            ["[-32602, true]\n[true]\n", "[false, true]\n[false]\n[false]\n"]
        }
    }

    /// A service that never answers: progress comes, and a host that does not want it any
    /// more ends the upload.
    func testProgressIsToldAndACancelledCallStops() throws {
        let stub = try TranscriptionServerStub(.script(ServerScript([.stall])))
        let chat = try TranscribedSound.program(stub)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let body = """
            async def main():
                told = asyncio.Event()
                async def progress(done, total, message):
                    told.set()
                async with host("--allow", "transcribe_audio") as client:
                    call = asyncio.create_task(client.call_tool(
                        "transcribe_audio", {"path": "\(path)"}, progress_callback=progress))
                    await asyncio.wait_for(told.wait(), 30)
                    call.cancel()
                    try:
                        await call
                    except asyncio.CancelledError:
                        show("cancelled")
                    show((await client.call_tool("list_reminders", {})).is_error)

            each(main)
            """
        try run(chat, body, modes: ["legacy", "2026-07-28"]) { _ in
            ["[\"cancelled\"]\n[false]\n"]
        }
        stub.stop()
    }
}
