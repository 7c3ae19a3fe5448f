import AgentCore
import Base

/// Findings as `doctor` prints them.
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
            return StyledLine("\(Quantities.count(broken, "thing")) must be fixed.", .failure)
        }
        if warnings > 0 {
            return StyledLine(
                "Everything works; \(Quantities.count(warnings, "thing")) could be better.")
        }
        return StyledLine("Everything is fine.", .success)
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
