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

/// What computes much and is small is optimised in every build: the tests take a third of
/// the time, and compiling it a few seconds more.
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

        // The layers. Each imports only those listed; `scripts/check-layers`
        // enforces it for the imports the compiler would let through.
        .target(
            name: "AgentCore", dependencies: ["CCurl", "CWords"],
            exclude: [
                "Redaction/Words/labels.txt",
                "Redaction/Words/name-words.txt",
                "Redaction/Words/places.txt",
                "Redaction/Words/domains.txt",
                "Redaction/Words/first-names.txt",
            ], swiftSettings: strict),
        .target(
            name: "ICalendar", dependencies: ["AgentCore", "CWords"],
            exclude: ["TimeZones/windows-zones.txt"], swiftSettings: strict),
        .target(
            name: "Persistence", dependencies: ["AgentCore", "CSQLite"], swiftSettings: strict),
        .target(
            name: "StoryKit", dependencies: ["AgentCore", "CWords"],
            exclude: [
                "Words/english.txt",
                "Words/first-names.txt",
                "Words/french.txt",
                "Words/german.txt",
                "Words/people.txt",
            ], swiftSettings: quick),
        .target(
            name: "ToolServers",
            dependencies: ["AgentCore", "CWords", "ICalendar", "Persistence", "StoryKit"],
            exclude: [
                "Language/Lexicon/english.txt",
                "Language/Lexicon/german.txt",
                "Letters/Claims/claims.txt",
                "Resumes/Words/headings.txt",
                "Resumes/Words/job-words.txt",
                "Resumes/Words/resume-words.txt",
                "Writing/Proofreading/Words/common-words.txt",
                "Writing/Proofreading/Words/proofreading.txt",
            ], swiftSettings: small),
        .target(
            name: "TerminalKit", dependencies: ["AgentCore", "CEditline"], swiftSettings: strict),
        .executableTarget(
            name: "chat",
            dependencies: [
                "AgentCore", "CWords", "ICalendar", "Persistence", "StoryKit", "ToolServers",
                "TerminalKit",
            ],
            swiftSettings: small,
            // Gold has no packed relocations, which the Makefile asks for.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(configuration: .release))]),

        .target(
            name: "TestSupport", dependencies: ["AgentCore"], path: "Tests/TestSupport",
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "AgentCoreTests", dependencies: ["AgentCore", "TestSupport"],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "ICalendarTests", dependencies: ["ICalendar", "AgentCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StoryKitTests", dependencies: ["StoryKit", "AgentCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PersistenceTests", dependencies: ["Persistence", "AgentCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ToolServersTests",
            dependencies: [
                "ToolServers", "ICalendar", "Persistence", "StoryKit", "AgentCore", "TestSupport",
            ],
            resources: [.copy("Fixtures")], swiftSettings: strict),
        .testTarget(
            name: "TerminalKitTests", dependencies: ["TerminalKit", "AgentCore", "TestSupport"],
            resources: [.copy("Fixtures"), .copy("Golden")], swiftSettings: strict),
        .testTarget(
            name: "ChatTests",
            dependencies: [
                "chat", "TerminalKit", "ToolServers", "Persistence", "AgentCore", "TestSupport",
            ],
            resources: [.copy("Golden")], swiftSettings: strict),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["AgentCore", "Persistence", "TestSupport", "TerminalKit", "chat"],
            resources: [.copy("Golden")], swiftSettings: strict),
    ]
)
