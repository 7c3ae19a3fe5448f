import Base
import Persistence
import Sound
import StoryKit

/// The place where playback starts, and its state for display.
extension StoryPlayer {
    /// The place to start. Segments and chapters are counted from 1.
    package enum Start: Sendable, Equatable {
        /// The saved place, or the beginning.
        case kept
        case segment(Int)
        case chapter(Int)
        /// A byte offset in the text.
        case offset(Int)
    }

    /// The playback state that a screen shows.
    package struct State: Sendable, Equatable {
        package enum Why: Sendable, Equatable {
            case user, alert, suspended, deviceGone, recording, speech
            /// The engine failed several times in a row.
            case engineFailed
        }

        package enum Phase: Sendable, Equatable {
            /// Looking up speakers and voices.
            case preparing
            /// Waiting for sound, or for the device.
            case waiting
            case playing
            case paused(Why)
            /// Played to the end, or stopped.
            case ended
        }

        package struct Chapter: Sendable, Equatable {
            /// Counted from 1.
            package var number: Int
            package var count: Int
            package var title: String

            /// "The Pool of Tears" of "CHAPTER II. The Pool of Tears": the number is shown
            /// separately.
            package var name: String {
                let words = title.split(separator: " ", maxSplits: 2)
                guard words.count == 3, let mark = words[1].last, ".:".contains(mark),
                    words[1].dropLast().allSatisfy({ $0.isNumber || "IVXLCDM".contains($0) })
                else { return title }
                return String(words[2]).trimmingSpace()
            }

            package init(number: Int, count: Int, title: String) {
                (self.number, self.count, self.title) = (number, count, title)
            }
        }

        package var phase: Phase
        /// Progress of trying voices, while preparing.
        package var trial: VoiceTrial?
        package var item: ItemID
        /// Untrusted text, like all strings here.
        package var title: String
        /// Counted from 1; 0 while unknown.
        package var segment = 0
        package var segments = 0
        /// Index into the lines of `StoryPlayer.reading`.
        package var lineIndex = 0
        /// Byte range of the current sentence.
        package var line = 0..<0
        /// The current sentence, as spoken.
        package var text = ""
        /// A name of the cast; nil for the narrator or an unknown speaker.
        package var speaker: String?
        package var isNarrator = true
        /// The certainty of the speaker; nil for narration.
        package var tier: Attribution.Tier?
        /// Nil before the first chapter.
        package var chapter: Chapter?
        /// Whether playback ends with this chapter.
        package var isChapterAlone = false
        /// Fraction played, from 0 to 1.
        package var fraction = 0.0
        package var secondsLeft = 0.0
        /// Seconds until the sleep timer stops playback; nil without a timer.
        package var sleepsIn: Double?
        /// Speed, as a multiple of the voices' own rates.
        package var rate = 1.0
        /// Messages for the user: sentences that could not be read, and why playback
        /// stopped.
        package var problems: [String] = []

        package init(phase: Phase, item: ItemID, title: String, rate: Double = 1) {
            self.phase = phase
            self.item = item
            self.title = title
            self.rate = rate
        }

        /// "Narrator", "Unknown", or a name of the cast (untrusted).
        package var speakerName: String { isNarrator ? "Narrator" : speaker ?? "Unknown" }
    }

    /// The result of playback.
    package struct Report: Sendable, Equatable {
        /// Number of sentences played to their end.
        package var spoken = 0
        package var problems: [String] = []
        /// Whether it was stopped, or playback could not start.
        package var wasStopped = false
        /// Stopped by the sleep timer.
        package var fellAsleep = false
        /// The chapter that was played to its end, if only one was requested.
        package var chapter: State.Chapter?
    }

    package static let rates = 0.5...2.0
    package static let rateStep = 0.1
}
