import AgentCore
import Base
import StoryKit

/// A cast as commands print it: `Alice          120 lines  female, Miss Alice`. Pure.
enum StoryCastTable {
    static func output(_ cast: StoryCast, width: Int?) -> CommandOutput {
        var output = CommandOutput(json: cast.json(all: true))
        guard !cast.members.isEmpty else {
            output.lines = [StyledLine("No characters were found.", .hint)]
            return output
        }
        let width = width ?? .max
        let rows = cast.members.map { member -> [StyledLine.Span] in
            let name = member.character.name.oneLine
            return [
                .init(DisplayWidth.cut(name, to: max(12, min(32, width / 3))), .accent),
                .init(member.lines.map { Quantities.count($0, "line") } ?? ""),
            ]
        }
        let table = StyledLine.table(rows, columns: 2, isContinued: true)
        output.lines = zip(table, cast.members).map { line, member in
            var line = line
            let character = member.character
            let known = [
                character.gender?.rawValue, member.isNarrator ? "narrator" : nil, character.age,
                character.accent, character.personality,
            ]
            let facts = (known.compactMap { $0 } + character.aliases).map { $0.oneLine }
            if facts.isEmpty {
                line.spans[1].text = line.spans[1].text.trimmingSpace()
                return line
            }
            // Leave the terminal's last column free.
            let room = width == .max ? width : width - DisplayWidth.of(line.text) - 1
            line.spans.append(
                .init(DisplayWidth.cut(facts.joined(separator: ", "), to: max(0, room)), .dim))
            return line
        }
        return output
    }
}
