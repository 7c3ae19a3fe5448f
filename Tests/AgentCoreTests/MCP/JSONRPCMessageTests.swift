import XCTest

@testable import Base
@testable import MCP

final class JSONRPCMessageTests: XCTestCase {
    private func parse(_ text: String) throws -> JSONRPCMessage {
        try JSONRPCMessage(parsing: Array(text.utf8))
    }

    private func malformed(_ text: String) -> JSONRPCMessage.Malformed? {
        do throws(JSONRPCMessage.Malformed) {
            _ = try JSONRPCMessage(parsing: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    func testEachKindOfMessageIsRead() throws {
        XCTAssertEqual(
            try parse(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            .request(id: .integer(1), method: "ping", params: JSONObject()))
        XCTAssertEqual(
            try parse(#"{"id":"a","method":"m","params":{"x":1},"jsonrpc":"2.0"}"#),
            .request(id: .string("a"), method: "m", params: JSONObject([.init("x", 1)])))
        XCTAssertEqual(
            try parse(#"{"jsonrpc":"2.0","method":"n","params":null}"#),
            .notification(method: "n", params: JSONObject()))
        XCTAssertEqual(
            try parse(#"{"jsonrpc":"2.0","id":7,"result":{}}"#), .result(id: .integer(7), [:]))
        XCTAssertEqual(
            try parse(#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no","data":[1]}}"#),
            .failure(id: nil, JSONRPCError(-32600, "no", data: [1])))
    }

    func testWhatIsWrittenIsOneLineAndReadsBackTheSame() throws {
        let messages: [JSONRPCMessage] = [
            .request(
                id: .string("é\n"), method: "m", params: JSONObject([.init("t", "a\nb\r\u{2028}")])),
            .notification(method: "n", params: JSONObject()),
            .result(id: .integer(-3), ["x": nil]),
            .failure(id: nil, JSONRPCError(JSONRPCError.parseError, "no", data: ["a": 1])),
        ]
        for message in messages {
            let line = message.line
            XCTAssertEqual(line.last, 0x0A)
            XCTAssertEqual(line.count { $0 == 0x0A || $0 == 0x0D }, 1)
            XCTAssertEqual(try JSONRPCMessage(parsing: Array(line.dropLast())), message)
        }
    }

    func testWhatIsNoMessageSaysWhyAndWhetherItIsAnswered() {
        let cases: [(String, JSONRPCID?, Int, Bool)] = [
            ("Starting server…", nil, -32700, true),
            (#"{"jsonrpc":"2.0","id":1,"method":"#, nil, -32700, true),
            (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, nil, -32600, true),
            ("1", nil, -32600, true),
            (#"{"id":1,"method":"ping"}"#, .integer(1), -32600, true),
            (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, .integer(1), -32600, true),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, nil, -32600, true),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, nil, -32600, true),
            (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, .integer(1), -32602, true),
            (#"{"jsonrpc":"2.0","method":"n","params":"x"}"#, nil, -32602, false),
            (#"{"jsonrpc":"2.0","id":1}"#, .integer(1), -32600, true),
            (#"{"jsonrpc":"2.0","id":1,"error":"x"}"#, .integer(1), -32600, false),
            (#"{"jsonrpc":"2.0","result":1}"#, nil, -32600, false),
        ]
        for (text, id, code, needsAnswer) in cases {
            let found = malformed(text)
            XCTAssertEqual(found?.id, id, text)
            XCTAssertEqual(found?.error.code, code, text)
            XCTAssertEqual(found?.needsAnswer, needsAnswer, text)
        }
    }
}
