import Base
import FoundationEssentials
import ICalendar

/// Runs the user's own command for each alert: a program with its arguments, or a line for
/// `/bin/sh -c`. The alert's content is passed only in variables, so that no title can
/// become a command.
package enum HookChannel {
    /// A hanging hook is ended after this.
    private static let limit = Duration.seconds(20)

    package static func channel(
        _ hook: AlertSettings.Hook, variables: [String: String]
    ) -> AlertChannel {
        AlertChannel(
            "hook",
            obstacle: {
                do throws(SubprocessError) {
                    _ = try program(hook, variables)
                    return nil
                } catch {
                    return "\(error.program) was not found"
                }
            },
            deliver: { notice in
                // `obstacle` gives the reason if it cannot be started; a failed
                // hook has not delivered the alert.
                guard let (program, arguments) = try? program(hook, variables) else { return false }
                let process = Subprocess(
                    program: program, arguments: arguments,
                    environment: environment(notice, variables),
                    limits: Subprocess.Limits(time: limit, outputBytes: 4096, errorBytes: 4096))
                // A failed run has not delivered the alert.
                let result = try? await process.run()
                return result?.isSuccess ?? false
            })
    }

    private static func program(
        _ hook: AlertSettings.Hook, _ variables: [String: String]
    ) throws(SubprocessError) -> (String, [String]) {
        switch hook {
        case .line(let line): return ("/bin/sh", ["-c", line])
        case .words(let words):
            let name = words.first ?? ""
            return (try Subprocess.find(name, in: variables), Array(words.dropFirst()))
        }
    }

    static func environment(
        _ notice: AlertNotice, _ variables: [String: String]
    ) -> [String: String] {
        var result = Subprocess.baseEnvironment(from: variables)
        result["CHAT_ALERT_TITLE"] = notice.title
        result["CHAT_ALERT_TEXT"] = notice.when
        let kind: String
        switch notice.content {
        case .alert(let alert, let isLate):
            result["CHAT_ALERT_TIME"] =
                alert.time.isDate
                ? alert.time.civilDate.isoText
                : notice.local.isoText(alert.time.instant(in: notice.local))
            // A UID is untrusted text; a NUL would be refused.
            result["CHAT_ALERT_UID"] = AlertNotice.plain(alert.uid)
            kind = isLate ? "late" : "alert"
        case .older:
            kind = "missed"
            result["CHAT_ALERT_TIME"] = notice.local.isoText(notice.now)
        case .note:
            kind = "routine"
            result["CHAT_ALERT_TIME"] = notice.local.isoText(notice.now)
        case .test:
            kind = "test"
            result["CHAT_ALERT_TIME"] = notice.local.isoText(notice.now)
        }
        result["CHAT_ALERT_KIND"] = kind
        return result
    }
}
