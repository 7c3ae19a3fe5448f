import FoundationEssentials

/// Other work that becomes due at times, done wherever alerts are delivered: routines.
package struct TimedWork: Sendable {
    /// Shows a notice through every channel of the alerts.
    package typealias Deliver = @Sendable (AlertNotice.Content) async -> Void

    /// A folder whose changes may make something else due.
    package var folder: String
    /// Starts the due work without waiting for it; returns the time of the next check.
    package var start: @Sendable (@escaping Deliver) async -> Date?
    /// Waits for the started work.
    package var finish: @Sendable () async -> Void

    package init(
        folder: String, start: @escaping @Sendable (@escaping Deliver) async -> Date?,
        finish: @escaping @Sendable () async -> Void
    ) {
        (self.folder, self.start, self.finish) = (folder, start, finish)
    }
}
