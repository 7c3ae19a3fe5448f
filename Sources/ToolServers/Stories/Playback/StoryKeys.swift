import AgentCore

/// What a letter and Enter do while a story plays, where there is no screen. Pure.
enum StoryKey: Sendable, Equatable {
    case togglePause
    case segments(Int)
    case chapters(Int)
    case goTo(Int)
    case rate(Int)
    case bookmark(note: String)
    case stop
    case help
    case unknown(String)

    static let summary = [
        "Enter pauses and resumes · n next · p previous · ] [ chapter · g 42 go to",
        "+ - faster, slower · b note bookmark · s stop, the place is kept · ? this",
    ]

    init(_ line: String) {
        let line = line.trimmingSpace()
        let rest = String(line.dropFirst()).trimmingSpace()
        switch (line.first, rest.isEmpty) {
        case (nil, _): self = .togglePause
        case ("n", true): self = .segments(1)
        case ("p", true): self = .segments(-1)
        case ("]", true): self = .chapters(1)
        case ("[", true): self = .chapters(-1)
        case ("+", true): self = .rate(1)
        case ("-", true): self = .rate(-1)
        case ("s", true), ("q", true): self = .stop
        case ("?", true), ("h", true): self = .help
        case ("g", false):
            if let number = Int(rest) { self = .goTo(number) } else { self = .unknown(line) }
        case ("b", _): self = .bookmark(note: rest)
        default: self = .unknown(line)
        }
    }
}
