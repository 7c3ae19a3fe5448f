import FoundationEssentials

/// Other work that becomes due at times, done wherever alerts are delivered: routines.
package struct TimedWork: Sendable {
    /// Shows a notice through every channel of the alerts.
    package typealias Deliver = @Sendable (AlertNotice.Content) async -> Void

    /// A folder whose changes may make something else due.
    package var folder: String
    /// Starts what is due, without waiting for it; returns when to look again.
    package var start: @Sendable (@escaping Deliver) async -> Date?
    /// Waits for what was started.
    package var finish: @Sendable () async -> Void

    package init(
        folder: String, start: @escaping @Sendable (@escaping Deliver) async -> Date?,
        finish: @escaping @Sendable () async -> Void
    ) {
        (self.folder, self.start, self.finish) = (folder, start, finish)
    }
}
