/// How loud a recording is, 50 times a second: what it takes to find the
/// pauses in it. A day takes 9 MB.
package struct LoudnessMap: Sendable, Equatable {
    package static let windowsPerSecond = 50

    /// Frames a second.
    package let rate: Int
    /// Frames of the whole recording.
    package let frames: Int
    package let framesPerWindow: Int
    /// Root mean square of each window over all channels, around its mean;
    /// 32,768 is the loudest a square wave can be. The last may be short.
    package let levels: [UInt16]

    package init(rate: Int, frames: Int, levels: [UInt16]) {
        self.rate = rate
        self.frames = frames
        self.levels = levels
        framesPerWindow = Self.framesPerWindow(rate: rate)
    }

    package static func framesPerWindow(rate: Int) -> Int { max(1, rate / windowsPerSecond) }

    package var duration: Double { Double(frames) / Double(max(1, rate)) }
}
