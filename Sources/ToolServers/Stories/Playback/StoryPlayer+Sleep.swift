import Base
import DateLanguage
import ICalendar

/// The sleep timer: stops playback after a time and saves the place.
extension StoryPlayer {
    /// Parses "20m", "an hour", or "off".
    /// - Throws: `UsageError` for other text.
    package static func sleepSeconds(_ text: String) throws(UsageError) -> Double? {
        if text.lowercased() == "off" { return nil }
        guard let length = DurationParser.duration(of: text), length.days == 0,
            (1...86_400).contains(length.seconds)
        else {
            throw UsageError(
                "\"\(DisplayWidth.cut(text.oneLine, to: 40))\" is not a time to fall asleep in.",
                hint: "Use 20m, 1h30m or off.")
        }
        return Double(length.seconds)
    }

    /// Starts the timer, which also runs while paused; nil ends it.
    package func sleep(after seconds: Double?) {
        timer?.cancel()
        (timer, sleepsAt) = (nil, nil)
        defer { publish() }
        guard let seconds else { return }
        let environment = dependencies.environment
        sleepsAt = environment.uptime() + seconds
        timer = Task { [weak self] in
            // Cancelled: another timer was set, or it was turned off.
            guard (try? await environment.sleep(.seconds(seconds))) != nil else { return }
            await self?.fallAsleep()
        }
    }

    private func fallAsleep() async {
        guard !Task.isCancelled else { return }
        (timer, sleepsAt) = (nil, nil)
        guard phase != .ended else { return }
        report.fellAsleep = true
        await stop()
    }
}
