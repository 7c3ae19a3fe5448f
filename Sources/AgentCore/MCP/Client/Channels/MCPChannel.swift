/// The channel to a server: sends and receives messages. One consumer.
package protocol MCPChannel: Sendable {
    /// Waits for the next event; nil at the end.
    func next() async -> MCPChannelEvent?
    /// Returns once the message is accepted; false if nothing more can be sent.
    func send(_ message: JSONRPCMessage) async -> Bool
    /// Tells the channel the revision that `initialize` agreed on.
    func agreed(on revision: String)
    /// Ends the connection, gently at first; `next` then returns nil.
    /// - Parameter patience: the wait after each step before a harsher one.
    func close(patience: Duration) async
    /// The reason why it has ended.
    func ending() async -> MCPClientError.Reason
}

package enum MCPChannelEvent: Sendable, Equatable {
    case message(JSONRPCMessage)
    /// Input that is not a message, such as a banner on standard output.
    case noise
    /// The request with that id gets no answer.
    case failed(id: JSONRPCID, MCPClientError.Reason)
    /// No later input can be trusted.
    case broken(MCPClientError.Reason)
}
