import AgentCore
import TerminalKit

/// One thing that was looked at: how it is, and the line that would help.
/// A value; looking is the work of `Checkup`.
struct Finding: Sendable, Equatable {
    enum Level: String, Sendable {
        /// As it should be.
        case good
        /// Not there, and not missed by everybody.
        case absent
        /// Works, but less well than it could.
        case warning
        /// Does not work.
        case broken
    }

    var area: Area
    var level: Level
    var text: String
    /// What to type or to install.
    var remedy: String?

    /// What belongs together, in the order it is shown.
    enum Area: String, Sendable, CaseIterable {
        case program, settings, conversations, models, voice, calendar, terminal, helpers

        var title: String {
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

    init(_ area: Area, _ level: Level, _ text: String, remedy: String? = nil) {
        self.area = area
        self.level = level
        self.text = text
        self.remedy = remedy
    }
}

extension Finding {
    static func lines(_ findings: [Finding]) -> [StyledLine] {
        var lines: [StyledLine] = []
        for area in Area.allCases {
            let here = findings.filter { $0.area == area }
            if here.isEmpty { continue }
            lines.append(StyledLine(area.title, .bold))
            for finding in here {
                let (glyph, style): (String, StyledLine.Style) =
                    switch finding.level {
                    case .good: ("✓", .success)
                    case .absent: ("·", .dim)
                    case .warning: ("!", .warning)
                    case .broken: ("✗", .failure)
                    }
                lines.append(
                    StyledLine([
                        StyledLine.Span("  \(glyph) ", style),
                        StyledLine.Span(finding.text, finding.level == .absent ? .dim : .plain),
                    ]))
                if let remedy = finding.remedy {
                    lines.append(StyledLine("      \(remedy)", .hint))
                }
            }
        }
        lines.append(summary(findings))
        return lines
    }

    private static func summary(_ findings: [Finding]) -> StyledLine {
        let broken = findings.filter { $0.level == .broken }.count
        let warnings = findings.filter { $0.level == .warning }.count
        if broken > 0 {
            return StyledLine("\(Quantities.count(broken, "thing")) must be mended.", .failure)
        }
        if warnings > 0 {
            return StyledLine("All works; \(Quantities.count(warnings, "thing")) could be better.")
        }
        return StyledLine("All is well.", .success)
    }

    static func json(_ findings: [Finding]) -> JSONValue {
        .array(
            findings.map { finding in
                .compact([
                    "area": .string(finding.area.rawValue),
                    "level": .string(finding.level.rawValue),
                    "text": .string(finding.text), "remedy": finding.remedy.map(JSONValue.string),
                ])
            })
    }
}
