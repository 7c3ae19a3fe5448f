// swift-tools-version: 6.2
import PackageDescription

// Swift 6 language mode everywhere; a warning is an error in every target. The
// standard library's module of regular expressions is not imported unasked, nor seen
// through the modules that import it: it would be 1.4 MB of the program
// (docs/decisions/0018).
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"]),
]

// Built for size where nothing is hot: what reads files, streams, rules and texts is
// below (docs/decisions/0018).
let small: [SwiftSetting] =
    strict + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// What computes much and is small is optimised in every build: its tests take a third of
/// the time or less (those of the redactor 3 seconds instead of 91), and compiling it three times
/// as long, beside other targets.
let quick: [SwiftSetting] =
    strict
    + [
        .unsafeFlags(
            ["-O", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"],
            .when(configuration: .debug))
    ]

let package = Package(
    name: "chat",
    products: [
        .executable(name: "chat", targets: ["chat"])
    ],
    targets: [
        // The C boundary: a module map and a shim each, no logic.
        .systemLibrary(name: "CEditline"),
        .systemLibrary(name: "CSQLite"),
        // Not linked: it loads libcurl with the first request.
        .target(name: "CCurl"),
        // The word lists of the other targets, which exclude them.
        .target(name: "CWords"),

        // AgentCore. Each target imports only those listed, and none has more than
        // 15,000 lines, so that two cores build side by side; `scripts/check-layers`
        // enforces both.
        .target(
            name: "Base", dependencies: ["CWords"],
            path: "Sources/AgentCore/Base",
            exclude: ["Markup/entity-names.txt"],
            swiftSettings: strict),
        .target(
            name: "Privacy", dependencies: ["Base", "CWords"],
            path: "Sources/AgentCore/Privacy",
            exclude: ["Words"],
            swiftSettings: quick),
        .target(
            name: "AgentCore", dependencies: ["Base", "CCurl", "CWords", "Privacy"],
            exclude: ["Agent/Claims/act-claims.txt", "Base", "MCP", "Privacy"],
            swiftSettings: strict),
        .target(
            name: "MCP", dependencies: ["AgentCore", "Base", "Privacy"],
            path: "Sources/AgentCore/MCP",
            swiftSettings: strict),

        // What is remembered, and three libraries of values.
        .target(
            name: "Persistence", dependencies: ["AgentCore", "Base", "CSQLite"],
            swiftSettings: strict),
        .target(
            name: "ICalendar", dependencies: ["Base", "CWords"],
            exclude: ["TimeZones/windows-zones.txt"],
            swiftSettings: quick),
        .target(
            name: "StoryKit", dependencies: ["Base", "CWords"],
            exclude: ["Words"],
            swiftSettings: quick),
        .target(
            name: "TerminalKit", dependencies: ["Base", "CEditline", "CWords"],
            exclude: ["Rendering/Code/languages.txt"],
            swiftSettings: strict),

        // ToolServers: libraries, then servers, then what joins servers.
        .target(
            name: "DateLanguage", dependencies: ["AgentCore", "Base", "CWords", "ICalendar"],
            path: "Sources/ToolServers/DateLanguage",
            exclude: ["Lexicon/english.txt", "Lexicon/german.txt"],
            swiftSettings: small),
        .target(
            name: "CalendarFiles",
            dependencies: [
                "AgentCore", "Base", "DateLanguage", "ICalendar", "Persistence",
            ],
            path: "Sources/ToolServers/CalendarFiles",
            swiftSettings: small),
        .target(
            name: "Sound", dependencies: ["AgentCore", "Base", "CWords", "StoryKit"],
            path: "Sources/ToolServers/Sound",
            swiftSettings: small),
        .target(
            name: "Documents",
            dependencies: ["AgentCore", "Base", "CWords", "Persistence", "Privacy"],
            path: "Sources/ToolServers/Documents",
            exclude: [
                "Resumes/headings.txt", "Resumes/job-words.txt",
                "Resumes/resume-words.txt",
            ],
            swiftSettings: small),

        .target(
            name: "Library",
            dependencies: [
                "AgentCore", "Base", "CalendarFiles", "DateLanguage", "Documents",
                "Persistence", "Privacy",
            ],
            path: "Sources/ToolServers/Library",
            swiftSettings: small),
        .target(
            name: "Planner",
            dependencies: [
                "AgentCore", "Base", "CalendarFiles", "DateLanguage", "ICalendar",
                "Persistence",
            ],
            path: "Sources/ToolServers/Planner",
            swiftSettings: small),
        .target(
            name: "Routines",
            dependencies: [
                "AgentCore", "Base", "CalendarFiles", "DateLanguage", "ICalendar", "Library",
                "Persistence", "Planner",
            ],
            path: "Sources/ToolServers/Routines",
            swiftSettings: small),
        .target(
            name: "Transcription", dependencies: ["AgentCore", "Base", "Persistence", "Sound"],
            path: "Sources/ToolServers/Transcription",
            swiftSettings: small),
        .target(
            name: "Texts",
            dependencies: [
                "AgentCore", "Base", "CWords", "CalendarFiles", "ICalendar", "Library",
                "Persistence", "Privacy",
            ],
            path: "Sources/ToolServers/Texts",
            exclude: ["Writing/Proofreading/Words"],
            swiftSettings: small),
        .target(
            name: "Letters",
            dependencies: [
                "AgentCore", "Base", "CWords", "Documents", "Library", "Persistence",
                "Privacy",
            ],
            path: "Sources/ToolServers/Letters",
            exclude: ["Claims/claims.txt", "Text/letters.txt"],
            swiftSettings: small),
        .target(
            name: "Stories",
            dependencies: [
                "AgentCore", "Base", "DateLanguage", "Documents", "ICalendar", "Library",
                "Persistence", "Sound", "StoryKit",
            ],
            path: "Sources/ToolServers/Stories",
            swiftSettings: small),
        .target(
            name: "Outside", dependencies: ["AgentCore", "Base", "Documents", "MCP"],
            path: "Sources/ToolServers/Outside",
            swiftSettings: small),
        .target(
            name: "ToolServers",
            dependencies: [
                "AgentCore", "CalendarFiles", "ICalendar", "Letters", "Library", "Persistence",
                "Planner", "Routines", "Stories", "Texts", "Transcription",
            ],
            exclude: [
                "CalendarFiles", "DateLanguage", "Documents", "Letters", "Library", "Outside",
                "Planner", "Routines", "Sound", "Stories", "Texts", "Transcription",
            ],
            swiftSettings: small),

        // The program.
        .target(
            name: "ChatKit",
            dependencies: [
                "AgentCore", "Base", "CWords", "CalendarFiles", "DateLanguage", "Documents",
                "ICalendar", "Library", "Outside", "Persistence", "Planner", "Privacy", "Routines",
                "Sound", "Stories", "StoryKit", "TerminalKit", "Texts", "ToolServers",
                "Transcription",
            ],
            path: "Sources/chat/ChatKit",
            swiftSettings: small),
        .executableTarget(
            name: "chat",
            dependencies: [
                "AgentCore", "Base", "CalendarFiles", "ChatKit", "DateLanguage", "Documents",
                "Letters", "Library", "MCP", "Outside", "Persistence", "Planner", "Privacy",
                "Routines",
                "Sound", "Stories", "TerminalKit", "Texts", "ToolServers", "Transcription",
            ],
            exclude: ["ChatKit"],
            swiftSettings: small,
            // Gold has no packed relocations, which the Makefile asks for.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),

        .target(
            name: "TestSupport", dependencies: ["AgentCore", "Base", "Privacy"],
            path: "Tests/TestSupport",
            resources: [.copy("Fixtures")],
            swiftSettings: strict),
        .testTarget(
            name: "AgentCoreTests",
            dependencies: ["AgentCore", "Base", "CCurl", "MCP", "Privacy", "TestSupport"],
            resources: [.copy("Fixtures")],
            swiftSettings: strict),
        .testTarget(
            name: "ICalendarTests", dependencies: ["Base", "ICalendar", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StoryKitTests", dependencies: ["Base", "StoryKit", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PersistenceTests",
            dependencies: ["AgentCore", "Base", "Persistence", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ToolServersTests",
            dependencies: [
                "AgentCore", "Base", "CalendarFiles", "DateLanguage", "Documents", "ICalendar",
                "Letters", "Library", "MCP", "Outside", "Persistence", "Planner", "Privacy",
                "Routines", "Sound", "Stories", "StoryKit", "TestSupport", "Texts", "ToolServers",
                "Transcription",
            ],
            resources: [.copy("Fixtures")],
            swiftSettings: strict),
        .testTarget(
            name: "TerminalKitTests", dependencies: ["Base", "TerminalKit", "TestSupport"],
            resources: [.copy("Fixtures"), .copy("Golden")],
            swiftSettings: strict),
        .testTarget(
            name: "ChatTests",
            dependencies: [
                "AgentCore", "Base", "CalendarFiles", "ChatKit", "DateLanguage", "Documents",
                "ICalendar", "Letters", "Library", "MCP", "Outside", "Persistence", "Planner",
                "Privacy", "Routines", "Sound", "Stories", "StoryKit", "TerminalKit", "TestSupport",
                "Texts", "Transcription", "chat",
            ],
            resources: [.copy("Fixtures"), .copy("Golden")],
            swiftSettings: strict),
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "AgentCore", "Base", "CalendarFiles", "ChatKit", "DateLanguage", "Documents",
                "ICalendar", "Library", "MCP", "Outside", "Persistence", "Privacy", "Routines",
                "Sound", "StoryKit", "TerminalKit", "TestSupport", "Texts", "Transcription", "chat",
            ],
            exclude: ["Runner"],
            resources: [.copy("Corpus")],
            swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "AgentCore", "Base", "MCP", "Persistence", "TerminalKit", "TestSupport",
                "chat",
            ],
            resources: [.copy("Golden")],
            swiftSettings: strict),
    ]
)

// The same files as a program with the fuzzer of the toolchain (`make fuzz`).
if Context.environment["CHAT_FUZZ"] != nil,
    let index = package.targets.firstIndex(where: { $0.name == "FuzzTests" })
{
    let tests = package.targets.remove(at: index)
    let folder = "Tests/FuzzTests"
    let fuzz = Target.executableTarget(name: "Fuzz", path: folder)
    fuzz.dependencies = tests.dependencies.filter {
        if case .byNameItem("TestSupport", _) = $0 { return false }
        if case .byNameItem("chat", _) = $0 { return false }
        return true
    }
    fuzz.exclude = ["Bounds", "Corpus", "CorpusTests.swift"]
    fuzz.swiftSettings = strict
    package.targets.append(fuzz)
}
