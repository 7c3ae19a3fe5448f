import Base
import ChatKit
import Glibc
import Routines
import TerminalKit

/// The summary of the day, shown at its first launch. The prompt does not wait for it.
struct TodayLine: Sendable {
    let services: Services
    let terminal: TerminalSession
    let style: Style

    func show() async {
        await showRoutines()
        await showDay()
    }

    /// Routines that ran since the last launch.
    private func showRoutines() async {
        guard terminal.isInteractive, let routines = services.routines else { return }
        do {
            let news = try await routines.takeNews()
            if news.isEmpty { return }
            var lines = RoutineText.launch(
                news, names: try await routines.names(), local: LocalTime())
            let held = try await routines.held().count
            if held > 0 {
                lines.append(
                    StyledLine([
                        .init("\(Quantities.count(held, "run")) held calls back", .warning),
                        .init(" · /routine held", .hint),
                    ]))
            }
            await terminal.write(
                CommandGrammar.prompt.lines(lines.map(\.indented)).flatMap { style.bytes($0) })
        } catch {
            services.log.write("routines: \(services.diagnostics.describe(error).what)")
        }
    }

    private func showDay() async {
        guard services.settings.today, terminal.isInteractive else { return }
        let mark = DayMark(path: services.paths.today)
        do {
            guard let glance = try await services.glance(await mark.day), !Task.isCancelled,
                await mark.set(glance.day), let text = glance.line
            else { return }
            let line = StyledLine([.init("  \(text)", .dim), .init(" · /today", .hint)])
            await terminal.write(
                CommandGrammar.prompt.lines([line]).flatMap { style.bytes($0) })
        } catch {
            services.log.write("today: \(services.diagnostics.describe(error).what)")
        }
    }
}

/// The last day whose summary was shown, stored in a file. Two launches at once both show it.
private actor DayMark: QueuedActor {
    private let path: String
    nonisolated let executor = QueueExecutor(label: "chat.today")

    init(path: String) { self.path = path }

    /// `2026-11-23`; nil if there is no such file yet.
    var day: String? {
        // No file yet, or it cannot be read: the day is not known.
        (try? WholeFile.read(path, limit: 64)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// False if it cannot be stored: the summary would then appear at every launch.
    func set(_ day: String) -> Bool {
        PrivateFolder.make(FilePath.folder(of: path)) == 0
            && WholeFile.replace(day.utf8, at: path, temporary: "\(path).\(getpid())") == 0
    }
}
