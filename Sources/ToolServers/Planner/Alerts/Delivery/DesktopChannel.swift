import Base
import FoundationEssentials
import Glibc

/// Desktop notifications (org.freedesktop.Notifications) with buttons for done
/// and snooze, through `notify-send` 0.8.
///
/// Each open notification is one waiting child process, which reports the
/// button pressed; their number is limited, and they end with the program. It
/// does not use D-Bus itself.
package actor DesktopChannel {
    private struct Open {
        var number: Int
        var uid: String
        var task: Task<Void, Never>
    }

    private let variables: [String: String]
    private let environment: Environment
    private let onButton: @Sendable (Button, Alert) async -> Void
    private var open: [Open] = []
    private var count = 0

    package enum Button: String, Sendable { case done, snooze }

    /// Maximum number of notifications with buttons; beyond it the oldest loses its own.
    static let openLimit = 8
    /// A notification that has not failed by then has reached the desktop.
    private static let settling = Duration.milliseconds(700)

    package init(
        environment: Environment,
        onButton: @escaping @Sendable (Button, Alert) async -> Void
    ) {
        self.environment = environment
        variables = environment.variables
        self.onButton = onButton
    }

    package nonisolated var channel: AlertChannel {
        AlertChannel(
            "desktop", obstacle: { [variables] in Self.obstacle(variables) },
            deliver: { await self.deliver($0) }, close: { await self.close() })
    }

    /// The reason why there is no desktop to notify; nil if there is one.
    package static func obstacle(_ variables: [String: String]) -> String? {
        guard hasBus(variables) else { return "there is no D-Bus session bus" }
        // Only its existence matters.
        guard (try? Subprocess.find("notify-send", in: variables)) != nil else {
            return "notify-send is missing (apt install libnotify-bin)"
        }
        return nil
    }

    static func hasBus(_ variables: [String: String]) -> Bool {
        if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
        guard let folder = variables["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return false }
        var status = stat()
        return stat(folder + "/bus", &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    func deliver(_ notice: AlertNotice) async -> Bool {
        // `obstacle` reports a missing program.
        guard let program = try? Subprocess.find("notify-send", in: variables) else {
            return false
        }
        let process = Subprocess(
            program: program, arguments: Self.words(notice),
            environment: Subprocess.baseEnvironment(from: variables),
            limits: Subprocess.Limits(outputBytes: 4096, errorBytes: 4096))
        count += 1
        let number = count
        // An item has one notification; the new one has the buttons.
        if let alert = notice.alert {
            for other in open where other.uid == alert.uid { other.task.cancel() }
        }
        if open.count >= Self.openLimit { open[0].task.cancel() }
        let ended = Ended()
        let task = Task { [onButton] in
            // A failure to start or run means "not accepted", as does a bad
            // exit status.
            let result = try? await process.run()
            await ended.set(result?.isSuccess ?? false)
            self.forget(number)
            guard let result, result.isSuccess, let alert = notice.alert,
                let button = Self.button(result.output)
            else { return }
            await onButton(button, alert)
        }
        open.append(Open(number: number, uid: notice.alert?.uid ?? "", task: task))
        let environment = environment
        let timer = Task {
            // Cancelled if the program ended before.
            try? await environment.sleep(Self.settling)
            await ended.set(true)
        }
        let isTaken = await ended.value()
        timer.cancel()
        return isTaken
    }

    private func forget(_ number: Int) { open.removeAll { $0.number == number } }

    /// Ends all child processes; their notifications stay, without buttons.
    func close() async {
        let tasks = open.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    // MARK: - Words

    /// Item text is never an option: both texts come after `--`.
    static func words(_ notice: AlertNotice) -> [String] {
        let isNote = if case .note = notice.content { true } else { false }
        var words = [
            "--app-name=chat", "--urgency=\(isNote ? "normal" : "critical")",
            "--icon=appointment-soon", "--print-id",
        ]
        if let alert = notice.alert, notice.canAnswer {
            if !alert.isEvent { words.append("--action=done=Done") }
            words.append("--action=snooze=Snooze \(notice.snoozeMinutes) min")
            words.append("--wait")
        }
        return words + ["--", notice.title, escaped(notice.when)]
    }

    /// The body may contain markup, and notify-send interprets backslashes in it.
    package static func escaped(_ text: String) -> String {
        MarkupText.escaped(text).replacing("\\", with: "\\\\")
    }

    /// The output is the id and the name of the button, one per line.
    static func button(_ output: [UInt8]) -> Button? {
        String(decoding: output, as: UTF8.self).split(separator: "\n").lazy
            .compactMap { Button(rawValue: String($0)) }.first
    }
}

/// A value that is set once, by the first caller, with one waiter.
private actor Ended {
    private var result: Bool?
    private var waiter: CheckedContinuation<Bool, Never>?

    func set(_ value: Bool) {
        guard result == nil else { return }
        result = value
        waiter?.resume(returning: value)
        waiter = nil
    }

    func value() async -> Bool {
        if let result { return result }
        return await withCheckedContinuation { waiter = $0 }
    }
}
