/// One tool call for the log: what ran, how long and how it ended. Names of
/// arguments only: their values are the user's.
package struct ToolCallRecord: Sendable, Equatable {
    package enum Outcome: String, Sendable {
        case ok, error, denied, invalid, interrupted
    }

    package var tool: String
    package var argumentNames: [String]
    package var duration: Duration
    package var outcome: Outcome

    package init(tool: String, argumentNames: [String], duration: Duration, outcome: Outcome) {
        self.tool = tool
        self.argumentNames = argumentNames
        self.duration = duration
        self.outcome = outcome
    }
}
