import Base

/// The reason why an iCalendar file is left unchanged: it cannot be read within bounds, or cannot
/// be changed without guessing. Facts only; the caller knows the file's name.
package struct ICalendarError: Error, Sendable, Equatable {
    package enum Reason: String, Sendable, CaseIterable {
        case tooLarge
        case tooManyLines
        case tooManyComponents
        case tooDeep
        /// A component to be changed has no END line.
        case unterminated
    }

    package var reason: Reason
    /// Counted from 1; 0 is the file as a whole.
    package var line: Int

    package init(_ reason: Reason, line: Int = 0) {
        self.reason = reason
        self.line = line
    }
}

extension ICalendarError: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            reason == .unterminated
                ? "A calendar file is cut off, or an END line in it is misspelt; it was not changed."
                : "A calendar file cannot be changed safely (\(Diagnostic.words(reason.rawValue)))."
        )
    }
}
