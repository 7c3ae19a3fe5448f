import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import Glibc
import Library
import Persistence
import Planner
import Routines
import Sound
import TerminalKit

/// The parts of the alerts, shared by the chat, the daemon and the commands. Nothing is opened or
/// started before its first use.
package struct AlertAssembly: Sendable {
    let settings: AlertSettings
    package let rung: RungAlerts
    let presence: AlertPresence
    private let store: CalendarStore
    private let undo: UndoHistory
    private let book: AlertBook
    private let zones: TimeZoneDatabase
    private let environment: Environment
    private let paths: Paths
    private let routines: RoutineBook?

    /// - Parameter routines: those to start when they are due.
    package init(
        store: CalendarStore, undo: UndoHistory? = nil, reminders: ReminderActions,
        zones: TimeZoneDatabase, settings: AlertSettings, paths: Paths, environment: Environment,
        routines: RoutineBook? = nil
    ) {
        self.routines = routines
        self.store = store
        self.undo = undo ?? UndoHistory([CalendarUndoSource(store)])
        self.zones = zones
        self.settings = settings
        self.paths = paths
        self.environment = environment
        presence = AlertPresence(folder: paths.stateFolder)
        book = AlertBook(folder: paths.stateFolder, environment: environment)
        rung = RungAlerts(
            book: book, actions: AlertActions(reminders), settings: settings,
            environment: environment, local: { LocalTime() })
    }

    /// Whether an alert rang or a local change was made since that answer.
    package func hasActed(since answer: StoredTurn) async -> Bool {
        if await rung.hasRung(since: answer.started) { return true }
        guard let latest = await undo.latestAct() else { return false }
        return latest > answer.ended ?? answer.started
    }

    /// The lists and calendars for completion.
    package var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]] {
        let collections: @Sendable () async -> [CompletionWord] = { [store] in
            // An unreadable folder offers none.
            ((try? await store.collections()) ?? []).map {
                CompletionWord($0.name, $0.displayName == $0.name ? "" : $0.displayName)
            }
        }
        return [.list: collections, .calendar: collections]
    }

    /// Entries that cannot be read or scheduled.
    package func problems() async throws -> [CalendarStore.Problem] {
        try await EventBook.problems(
            in: store, DateContext(now: environment.now(), local: LocalTime(), zones: zones))
    }

    /// - Parameter isChat: whether the user sees what the terminal prints.
    private func work(isChat: Bool, log: LogFile) -> TimedWork? {
        guard let routines, let program = AlertInstaller.ownProgram() else { return nil }
        let variables = environment.variables
        return RoutineClock(
            book: routines, isChat: isChat, local: { LocalTime() }, note: { log.write($0) }
        ) { id in
            let process = Subprocess(
                program: program, arguments: [RoutineServer.noun, "run", "--due", id],
                environment: variables,
                limits: Subprocess.Limits(outputBytes: 0, errorBytes: 4_096))
            do {
                let result = try await process.run()
                // The routine's own log line has the details.
                if case .signalled(let signal) = result.status {
                    log.write("routines: a run was ended by signal \(signal)")
                }
            } catch {
                log.write("routines: \(Diagnostic(of: error).what)")
            }
        }.work
    }

    /// The variables of the installed service, as far as they are known; nil if nothing is
    /// installed.
    package func serviceVariables() async -> [String: String]? {
        await installer?.serviceVariables()
    }

    /// `terminal` prints; `onAnswer` gets the result of a notification button.
    package func dependencies(
        terminal: AlertChannel?, log: LogFile, isChat: Bool = false,
        onAnswer: @escaping @Sendable (Alert, Bool) async -> Void = { _, _ in }
    ) -> AlertScheduler.Dependencies {
        var channels: [AlertChannel] = []
        if settings.terminal, let terminal { channels.append(terminal) }
        if settings.desktop {
            let desktop = DesktopChannel(environment: environment) { [rung] button, alert in
                let isDone = await rung.press(button, alert)
                log.write(
                    "alerts: a button " + (isDone ? "was carried out" : "could not be carried out"))
                await onAnswer(alert, isDone)
            }
            channels.append(desktop.channel)
        }
        if let hook = settings.hook {
            channels.append(HookChannel.channel(hook, variables: environment.variables))
        }
        var dependencies = AlertScheduler.Dependencies(
            store: store, book: book, delivery: AlertDelivery(channels), rung: rung,
            settings: settings, environment: environment, zones: zones, local: { LocalTime() })
        dependencies.note = { log.write($0) }
        dependencies.work = work(isChat: isChat, log: log)
        return dependencies
    }

    /// Prints to stdout for `chat alerts run`.
    package func printing(
        style: Style, to output: StandardOutput, sound: SoundOwner
    ) -> AlertChannel {
        let (rings, isTerminal) = (settings.bell, isatty(1) == 1)
        return AlertChannel(
            "terminal", isQuick: true,
            obstacle: { isTerminal ? nil : "no terminal" },
            deliver: { notice in
                guard await output.write(style.bytes(notice.line(hints: false))) else {
                    return false
                }
                // Print the text before the bell interrupts speech elsewhere.
                if rings { await sound.ring { _ = await output.write([0x07]) } }
                return true
            })
    }

    package func command(dependencies: AlertScheduler.Dependencies, isChat: Bool) -> Command {
        commands(dependencies, isChat: isChat).command.with(\.answersInLocalTime)
    }

    /// The ways in which an alert would reach the user now, judged from outside a chat.
    package func reach(log: LogFile) async -> AlertReach {
        await commands(dependencies(terminal: nil, log: log), isChat: false).reach()
    }

    private func commands(_ dependencies: AlertScheduler.Dependencies, isChat: Bool)
        -> AlertsCommand
    {
        AlertsCommand(
            AlertsCommand.Dependencies(
                scheduler: dependencies, presence: presence, installer: installer, isChat: isChat,
                untilStopped: { watch in EndSignals.call { watch.stop() } }))
    }

    private var installer: AlertInstaller? {
        guard let program = AlertInstaller.ownProgram() else { return nil }
        let variables = environment.variables
        // The variables that locate our files and the system's units.
        let names = ["CHAT_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]
        var kept = names.compactMap { name in
            variables[name].flatMap { $0.hasPrefix("/") ? (name: name, value: $0) : nil }
        }
        // Otherwise all-day entries would ring at an hour of the system's zone.
        if let zone = variables["TZ"], !zone.isEmpty { kept.append(("TZ", zone)) }
        let folder = variables["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return AlertInstaller(
            variables: variables, configFolder: folder ?? paths.home + "/.config",
            startup: AlertStartup(program: program, variables: kept))
    }
}
