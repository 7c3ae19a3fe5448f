import AgentCore

/// Where a dictation is shown: below the talk, on stderr, or nowhere.
struct DictationScreen: Sendable {
    /// Nil where there is no cursor.
    var openPanel: @Sendable () async -> TerminalPanel?
    var upload: TranscriptionScreen.Place
    /// For people; stderr in the shell.
    var say: @Sendable ([StyledLine]) async -> Void
    var glyphs: VoiceGlyphs
    /// What ends a recording without a panel: "Ctrl-C".
    var plainEnd: String
}
