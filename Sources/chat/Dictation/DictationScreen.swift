import AgentCore
import TerminalKit

/// Where a dictation is shown: below the talk, on stderr, or nowhere.
struct DictationScreen: Sendable {
    /// Nil where there is no cursor.
    var openPanel: @Sendable () async -> TerminalPanel?
    /// For the upload: it shows how far that is, and asks.
    var progress: @Sendable () -> ProgressScreen
    /// For people; stderr in the shell.
    var say: @Sendable ([StyledLine]) async -> Void
    var glyphs: VoiceGlyphs
    /// What ends a recording without a panel: "Ctrl-C".
    var plainEnd: String
    /// Where lines can be read without a panel: shows the words, and returns
    /// when the recording is to end; not before it was cancelled otherwise.
    var waitForEnter: (@Sendable (_ words: String) async -> Void)?
}
