import Base
import Persistence
import Sound
import StoryKit

extension StoryPlayer {
    /// Where to begin. Segments and chapters are counted from 1.
    package enum Start: Sendable, Equatable {
        /// Where it was listened to last, or the beginning.
        case kept
        case segment(Int)
        case chapter(Int)
        /// A byte of the text.
        case offset(Int)
    }

    /// What a screen shows.
    package struct State: Sendable, Equatable {
        package enum Why: Sendable, Equatable {
            case user, alert, suspended, deviceGone, recording, speech
            /// What makes the sound failed several times in a row.
            case engineFailed
        }

        package enum Phase: Sendable, Equatable {
            /// Its speakers and voices are looked up.
            case preparing
            /// For sound, or for the device.
            case waiting
            case playing
            case paused(Why)
            /// It was heard to its end, or stopped.
            case ended
        }

        package struct Chapter: Sendable, Equatable {
            /// Counted from 1.
            package var number: Int
            package var count: Int
            package var title: String

            /// "The Pool of Tears" of "CHAPTER II. The Pool of Tears": the number stands
            /// beside it.
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
        /// While it is prepared and voices have to be tried.
        package var trial: VoiceTrial?
        package var item: ItemID
        /// Foreign text, as all texts here.
        package var title: String
        /// Counted from 1; 0 while it is not known.
        package var segment = 0
        package var segments = 0
        /// Of the lines of `StoryPlayer.reading`.
        package var lineIndex = 0
        /// The bytes of the sentence that is heard.
        package var line = 0..<0
        /// It, as it is spoken.
        package var text = ""
        /// Of the cast; nil for the narrator and for an unknown speaker.
        package var speaker: String?
        package var isNarrator = true
        /// How well that is known; nil for narration.
        package var tier: Attribution.Tier?
        /// Nil before the first chapter.
        package var chapter: Chapter?
        /// It ends with this chapter.
        package var isChapterAlone = false
        /// How much of it was heard, from 0 to 1.
        package var fraction = 0.0
        package var secondsLeft = 0.0
        /// Seconds until it stops by itself; nil without a timer.
        package var sleepsIn: Double?
        /// So many times as fast as the voices' own rates.
        package var rate = 1.0
        /// Sentences that could not be read, and why it is not heard any more, for people.
        package var problems: [String] = []

        package init(phase: Phase, item: ItemID, title: String, rate: Double = 1) {
            self.phase = phase
            self.item = item
            self.title = title
            self.rate = rate
        }

        /// "Narrator", "Unknown", or a name of the cast; foreign.
        package var speakerName: String { isNarrator ? "Narrator" : speaker ?? "Unknown" }
    }

    /// What came of it.
    package struct Report: Sendable, Equatable {
        /// Sentences that were heard to their end.
        package var spoken = 0
        package var problems: [String] = []
        /// Also where it could not begin.
        package var wasStopped = false
        /// By the sleep timer.
        package var fellAsleep = false
        /// The chapter that was heard to its end, where no more was asked for.
        package var chapter: State.Chapter?
    }

    package static let rates = 0.5...2.0
    package static let rateStep = 0.1
}
