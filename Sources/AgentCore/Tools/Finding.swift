/// One result of a check: its state, and a remedy. A value; capabilities and `doctor` produce it.
package struct Finding: Sendable, Equatable {
    package enum Level: String, Sendable {
        /// Works as it should.
        case good
        /// Missing, but not needed by everyone.
        case absent
        /// Works, but less well than it could.
        case warning
        /// Does not work.
        case broken
    }

    package var area: Area
    package var level: Level
    package var text: String
    /// A command to type, or a program to install.
    package var remedy: String?

    /// Groups of findings, in the order they are shown.
    package enum Area: String, Sendable, CaseIterable {
        case program, settings, conversations, models, voice, calendar, terminal, helpers

        package var title: String {
            switch self {
            case .program: "Program"
            case .settings: "Settings"
            case .conversations: "Conversations"
            case .models: "Models"
            case .voice: "Voice"
            case .calendar: "Reminders and calendar"
            case .terminal: "Terminal"
            case .helpers: "Helper programs"
            }
        }
    }

    package init(_ area: Area, _ level: Level, _ text: String, remedy: String? = nil) {
        self.area = area
        self.level = level
        self.text = text
        self.remedy = remedy
    }
}
