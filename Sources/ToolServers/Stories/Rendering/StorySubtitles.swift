import Base
import Sound

/// The lines of a story with their times and speakers, as SubRip or WebVTT. Pure.
struct StorySubtitles: Sendable, Equatable {
    private struct Cue: Equatable {
        var start: Int
        var end: Int
        var speaker: String?
        var text: String
    }

    private var cues: [Cue] = []

    /// - Parameter names: the names of the cast.
    init(_ script: StoryScript, names: [String], _ rendered: StoryRenderer.Rendered) {
        let rate = rendered.format?.rate ?? 1
        cues = rendered.cues.map { cue in
            let line = script.lines[cue.line]
            var speaker: String?
            if case .character(let index?) = line.speaker, names.indices.contains(index) {
                speaker = names[index].oneLine
            }
            return Cue(
                start: cue.frames.lowerBound * 1_000 / rate,
                end: cue.frames.upperBound * 1_000 / rate, speaker: speaker, text: line.text)
        }
    }

    /// The speaker is written before the text: `Alice: “Oh dear!”`. An empty line would end
    /// a cue; lines of a script are never empty.
    var srt: String {
        cues.enumerated().map { number, cue in
            let text = (cue.speaker.map { "\($0): " } ?? "") + cue.text
            return """
                \(number + 1)
                \(Self.time(cue.start, ",")) --> \(Self.time(cue.end, ","))
                \(text)

                """
        }.joined(separator: "\n")
    }

    /// The speaker is a voice tag (WebVTT §3.5): `<v Alice>“Oh dear!”`.
    var vtt: String {
        "WEBVTT\n\n"
            + cues.map { cue in
                let voice = cue.speaker.map { "<v \(MarkupText.escaped($0))>" } ?? ""
                return """
                    \(Self.time(cue.start, ".")) --> \(Self.time(cue.end, "."))
                    \(voice)\(MarkupText.escaped(cue.text))

                    """
            }.joined(separator: "\n")
    }

    /// `01:02:03,456`.
    private static func time(_ milliseconds: Int, _ mark: String) -> String {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let seconds = milliseconds / 1_000
        return
            "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + mark + digits(milliseconds % 1_000, 3)
    }
}
