import Base

/// One message of JSON-RPC 2.0 as the Model Context Protocol uses it (revision
/// 2026-07-28, "Messages"): ids are strings or integers, parameters are objects, and
/// there are no batches. Pure; `MessageLines` finds where one message ends.
package enum JSONRPCMessage: Sendable, Equatable {
    case request(id: JSONRPCID, method: String, params: JSONObject)
    case notification(method: String, params: JSONObject)
    case result(id: JSONRPCID, JSONValue)
    /// An error response; it has no id if the request's id could not be read.
    case failure(id: JSONRPCID?, JSONRPCError)
}

/// Pairs an answer with its request; never null.
package enum JSONRPCID: Sendable, Hashable {
    case integer(Int64)
    case string(String)

    package init?(_ value: JSONValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .string(let text): self = .string(text)
        default: return nil
        }
    }

    package var json: JSONValue {
        switch self {
        case .integer(let number): .integer(number)
        case .string(let text): .string(text)
        }
    }
}

package struct JSONRPCError: Error, Sendable, Equatable {
    package var code: Int
    package var message: String
    package var data: JSONValue?

    package init(_ code: Int, _ message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    // JSON-RPC 2.0 §5.1, and the protocol's own ("Error Codes").
    package static let parseError = -32700
    package static let invalidRequest = -32600
    package static let methodNotFound = -32601
    package static let invalidParams = -32602
    package static let unsupportedVersion = -32022
    /// The codes that only servers of the modern era send.
    package static let modernRange = -32022 ... -32020
}

extension JSONRPCMessage {
    /// The error for bytes that are not a message.
    package struct Malformed: Error, Equatable {
        /// The id of the request, if it could be read.
        package var id: JSONRPCID?
        package var error: JSONRPCError
        /// Whether an error has to be sent: notifications and answers are never answered.
        package var needsAnswer = true
    }

    /// - Parameter line: without the line end.
    package init(parsing line: [UInt8]) throws(Malformed) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(line)
        } catch {
            throw Malformed(
                error: JSONRPCError(
                    JSONRPCError.parseError,
                    "Not valid JSON at byte \(error.offset)."))
        }
        func invalid(_ id: JSONRPCID?, _ message: String) -> Malformed {
            Malformed(id: id, error: JSONRPCError(JSONRPCError.invalidRequest, message))
        }
        guard let object = value.objectValue else {
            let isBatch = value.arrayValue != nil
            throw invalid(nil, isBatch ? "Batches are not supported." : "Not a JSON object.")
        }
        let id = object["id"].flatMap { JSONRPCID($0) }
        guard object["jsonrpc"]?.stringValue == "2.0" else {
            throw invalid(id, "\"jsonrpc\" must be \"2.0\".")
        }
        if let method = object["method"]?.stringValue {
            self = try Self.call(method, object, id)
        } else if let id, let result = object["result"] {
            self = .result(id: id, result)
        } else if let error = object["error"], let code = error["code"]?.integerValue {
            self = .failure(
                id: id,
                JSONRPCError(code, error["message"]?.stringValue ?? "", data: error["data"]))
        } else {
            var malformed = invalid(id, "Neither a request nor an answer.")
            malformed.needsAnswer = object["result"] == nil && object["error"] == nil
            throw malformed
        }
    }

    private static func call(
        _ method: String, _ object: JSONObject, _ id: JSONRPCID?
    ) throws(Malformed) -> JSONRPCMessage {
        let isRequest = object["id"] != nil
        if isRequest, id == nil {
            throw Malformed(
                error: JSONRPCError(
                    JSONRPCError.invalidRequest, "\"id\" must be a string or an integer."))
        }
        var params = JSONObject()
        if let given = object["params"], !given.isNull {
            guard let object = given.objectValue else {
                throw Malformed(
                    id: id,
                    error: JSONRPCError(
                        JSONRPCError.invalidParams, "\"params\" must be an object."),
                    needsAnswer: isRequest)
            }
            params = object
        }
        if let id { return .request(id: id, method: method, params: params) }
        return .notification(method: method, params: params)
    }

    package var json: JSONValue {
        switch self {
        case .request(let id, let method, let params):
            ["jsonrpc": "2.0", "id": id.json, "method": .string(method), "params": .object(params)]
        case .notification(let method, let params):
            .compact([
                "jsonrpc": "2.0", "method": .string(method),
                "params": params.members.isEmpty ? nil : .object(params),
            ])
        case .result(let id, let result): ["jsonrpc": "2.0", "id": id.json, "result": result]
        case .failure(let id, let error):
            .compact([
                "jsonrpc": "2.0", "id": id?.json,
                "error": .compact([
                    "code": JSONValue(error.code), "message": .string(error.message),
                    "data": error.data,
                ]),
            ])
        }
    }

    /// The message as a line with its end; JSON escapes line ends inside a string.
    package var line: [UInt8] { JSONWriter.bytes(json) + [UInt8(ascii: "\n")] }
}
