import AgentCore
import Base
import CalendarFiles
import ChatKit
import Glibc
import Persistence
import Planner
import Texts

/// Checks one area after the other. Read-only. A check without an answer is a finding, and never
/// makes the whole fail.
struct Checkup: Sendable {
    let services: Services

    var variables: [String: String] { services.variables }

    func program() -> [Finding] {
        var findings = [Finding(.program, .good, "chat \(HelpText.fullVersion)")]
        for (name, folder) in [
            ("settings", services.paths.configurationFolder),
            ("data", services.paths.dataFolder), ("state", services.paths.stateFolder),
        ] {
            findings.append(self.folder(name, folder))
        }
        do {
            try CurlTransport.loadLibrary()
            if let path = CurlTransport.missingCertificates() {
                findings.append(
                    Finding(
                        .program, .broken, "no CA certificates (\(path)): no https server works",
                        remedy: PackageManager.here.line(forOneOf: ["ca-certificates"])))
            }
        } catch {
            findings.append(
                Finding(
                    .program, .broken, "libcurl, for servers: \(error.detail)",
                    remedy: "sudo apt install libcurl4"))
        }
        return findings
    }

    private func folder(_ name: String, _ path: String) -> Finding {
        let shown = services.paths.shortened(path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            return errno == ENOENT
                ? Finding(.program, .absent, "\(name): \(shown), created when needed")
                : Finding(
                    .program, .broken, "\(name): \(shown): \(Diagnostic.system(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR, access(path, R_OK | W_OK | X_OK) == 0 else {
            return Finding(
                .program, .broken, "\(name): \(shown) is not a folder you can write to",
                remedy: "ls -ld \(shown)")
        }
        var disk = statvfs()
        if statvfs(path, &disk) == 0, disk.f_blocks > 0, disk.f_bavail == 0 {
            return Finding(
                .program, .broken, "\(name): \(shown): the disk is full", remedy: "df -h \(shown)")
        }
        if status.st_mode & 0o077 != 0 {
            return Finding(
                .program, .warning, "\(name): \(shown) can be read by others",
                remedy: "chmod 700 \(shown)")
        }
        return Finding(.program, .good, "\(name): \(shown)")
    }

    /// The findings reported by the capabilities.
    func capabilities() async -> [Finding] {
        var findings: [Finding] = []
        for capability in services.capabilities { findings += await capability.check() }
        return findings
    }

    func configuration() async -> [Finding] {
        let path = services.paths.shortened(services.paths.configuration)
        var findings: [Finding] = []
        if let error = services.settings.error {
            let diagnostic = ErrorDescriber().describe(error)
            findings.append(
                Finding(
                    .settings, .broken, diagnostic.what,
                    remedy: diagnostic.todo ?? "chat config edit"))
        } else if access(services.paths.configuration, F_OK) != 0 {
            findings.append(
                Finding(
                    .settings, .absent, "no \(path): using the defaults", remedy: "chat config edit"
                )
            )
        } else if services.settings.warnings.isEmpty, services.settings.broken.isEmpty {
            findings.append(Finding(.settings, .good, path))
        }
        findings += services.settings.brokenLines.map {
            Finding(.settings, .broken, $0, remedy: "chat config edit")
        }
        findings += services.settings.warnings.map {
            Finding(.settings, .warning, $0, remedy: "chat config edit")
        }
        findings += leftByRestore()
        let instructions = await InstructionsFile(services.paths).read()
        if let problem = instructions.problem {
            findings.append(
                Finding(
                    .settings, .broken, problem,
                    remedy: "ls -l \(services.paths.shortened(services.paths.instructions))"))
        } else if !instructions.text.isEmpty {
            findings.append(Finding(.settings, .good, instructions.line(services.paths).text))
        }
        findings += services.unknownRules.map {
            Finding(.settings, .warning, $0, remedy: "chat tools list")
        }
        let zones = TimeZoneDatabase()
        if zones.isMissing {
            findings.append(
                Finding(
                    .settings, .broken,
                    "no time zones are installed (\(zones.folder)): no zone but UTC is known",
                    remedy: PackageManager.here.line(forOneOf: ["tzdata"])))
        } else if let notice = TimeZoneNotice.text(LocalTime()) {
            findings.append(
                Finding(.settings, .warning, notice, remedy: "export TZ=Area/City, or timedatectl"))
        } else {
            findings.append(
                Finding(
                    .settings, .good,
                    "time zone \(LocalTime().zoneName ?? "as /etc/localtime says")"))
        }
        return findings
    }

    /// Parts of a backup's configuration that are not used.
    private func leftByRestore() -> [Finding] {
        let suffix = BackupEngine.leftSuffix
        let paths = services.paths
        let roles = paths.configurationFolder + "/roles"
        let files =
            [paths.configuration, paths.instructions, paths.ideas].map { $0 + suffix }
            + (FilePath.names(in: roles) ?? []).sorted().map { "\(roles)/\($0)" }
        return files.filter { $0.hasSuffix(suffix) && access($0, F_OK) == 0 }.map { path in
            let shown = paths.shortened(path)
            var text = "\(shown) was left by a restore and is not used"
            // An unreadable configuration has no names to report.
            if path == paths.configuration + suffix, let bytes = try? Settings.bytes(of: path),
                // Neither has a damaged one.
                let settings = try? Settings.widening(bytes, file: path), !settings.isEmpty
            {
                text += ": " + settings.prefix(10).map(\.name).joined(separator: ", ")
                if settings.count > 10 { text += " and \(settings.count - 10) more" }
            }
            return Finding(
                .settings, .warning, text, remedy: "Take over what you want, then: rm \(shown)")
        }
    }

    func conversations() async -> [Finding] {
        let path = services.paths.shortened(services.paths.database)
        guard access(services.paths.database, F_OK) == 0 else {
            return [Finding(.conversations, .absent, "none yet: \(path) is created when needed")]
        }
        do {
            // The file exists, so opening it changes nothing and takes little time.
            let store = try services.store()
            let problems = try await store.problems()
            var status = stat()
            let size = stat(services.paths.database, &status) == 0 ? Int(status.st_size) : 0
            if let problem = problems.first {
                return [
                    Finding(
                        .conversations, .broken, "\(path) is damaged: \(problem)",
                        remedy: "Copy the file before you do anything else with it.")
                ]
            }
            return [
                Finding(.conversations, .good, "\(path), \(Quantities.bytes(size)), sound")
            ]
        } catch {
            let diagnostic = services.diagnostics.describe(error)
            return [
                Finding(.conversations, .broken, diagnostic.what, remedy: diagnostic.todo)
            ]
        }
    }

    /// Maximum number of items named; the rest is only counted.
    private static let namedItems = 20

    /// Items whose times cannot be interpreted. Their files are left alone.
    private func items() async -> [Finding] {
        guard let alerts = services.alerts else { return [] }
        let problems: [CalendarStore.Problem]
        do {
            problems = try await alerts.problems()
        } catch {
            let diagnostic = services.diagnostics.describe(error)
            return [Finding(.calendar, .broken, diagnostic.what, remedy: diagnostic.todo)]
        }
        var findings = problems.prefix(Self.namedItems).map { problem in
            var problem = problem
            problem.path = services.paths.shortened(problem.path)
            return Finding(.calendar, .warning, problem.sentence)
        }
        if problems.count > Self.namedItems {
            let rest = problems.count - Self.namedItems
            findings.append(
                Finding(
                    .calendar, .warning,
                    "\(Quantities.count(rest, "more item")) cannot be read or followed"))
        }
        return findings
    }

    func calendar() async -> [Finding] {
        var findings: [Finding] = []
        for root in services.settings.calendars {
            let shown = services.paths.shortened(root)
            if access(root, F_OK) != 0 {
                findings.append(
                    Finding(.calendar, .absent, "\(shown): created with the first reminder"))
            } else if access(root, R_OK | W_OK | X_OK) != 0 {
                findings.append(
                    Finding(
                        .calendar, .broken, "\(shown) cannot be written to",
                        remedy: "ls -ld \(shown)"))
            } else {
                findings.append(Finding(.calendar, .good, shown))
            }
        }
        findings += await items()
        guard let alerts = services.alerts else { return findings }
        let reach = await alerts.reach(log: services.log)
        if let warning = reach.warning, reach.isWatched || !reach.ways.isEmpty {
            findings.append(Finding(.calendar, .warning, warning, remedy: "chat alerts status"))
        } else if reach.isDaemonRunning || reach.ways.contains(.cron) {
            findings.append(Finding(.calendar, .good, "alerts ring even when no chat is open"))
        } else {
            findings.append(
                Finding(
                    .calendar, .warning, "alerts ring only while a chat is open",
                    remedy: "chat alerts install"))
        }
        return findings
    }
}
