/// How messages go to a server and come back. One consumer.
package protocol MCPChannel: Sendable {
    /// Waits for the next; nil at the end.
    func next() async -> MCPChannelEvent?
    /// Returns when it was taken. False once nothing can be sent any more.
    func send(_ message: JSONRPCMessage) async -> Bool
    /// The revision that `initialize` has agreed on.
    func agreed(on revision: String)
    /// Ends the connection, kindly first; `next` then returns nil.
    /// - Parameter patience: for each step, before the next one is harsher.
    func close(patience: Duration) async
    /// Why it has ended.
    func ending() async -> MCPClientError.Reason
}

package enum MCPChannelEvent: Sendable, Equatable {
    case message(JSONRPCMessage)
    /// What is not a message: a banner on standard output.
    case noise
    /// The request with that id gets no answer.
    case failed(id: JSONRPCID, MCPClientError.Reason)
    /// Nothing after this can be trusted.
    case broken(MCPClientError.Reason)
}
