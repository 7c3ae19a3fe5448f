import Foundation
import TestSupport
import XCTest

/// A desktop's notification server on a session bus of its own, written in
/// Python against Debian's D-Bus: it prints what it is shown and presses a
/// button, as a person would.
///
/// The bus ends with the server, and both with `finish`.
final class NotificationServer {
    private let program: RunningProgram
    let address: String
    private let log: String

    /// - Parameters:
    ///   - button: the name of the action to press at once, or nothing.
    init(folder: TemporaryFolder, pressing button: String) throws {
        _ = try TestMachine.find("dbus-run-session", package: "dbus-daemon")
        _ = try TestMachine.find("notify-send", package: "libnotify-bin")
        let probe = try RunningProgram(
            "/usr/bin/python3", ["-c", "import dbus, gi"], environment: [:])
        probe.endInput()
        guard try probe.finish().exit == 0 else {
            throw XCTSkip("python3 has no dbus or gi (Debian: python3-dbus, python3-gi)")
        }
        log = folder.path("notifications")
        let script = folder.path("server.py")
        try Data(Self.script.utf8).write(to: URL(fileURLWithPath: script))
        program = try RunningProgram(
            "/usr/bin/dbus-run-session", ["--", "/usr/bin/python3", script, log, button],
            environment: [
                "PATH": TestMachine.path, "LANG": "C.UTF-8",
                // Else the bus looks for services in the home of the account.
                "XDG_DATA_HOME": folder.path,
            ])
        try program.waitFor(output: "address ")
        let first = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").first
        address = String(try XCTUnwrap(first).dropFirst("address ".count))
    }

    /// Waits until the server was shown, or has pressed, what begins so.
    func wait(_ beginning: String) throws { try program.waitFor(output: beginning) }

    var lines: [String] {
        ((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")
            .split(separator: "\n").map(String.init)
    }

    func finish() {
        // Its input is what keeps it.
        program.endInput()
        _ = try? program.finish()
    }

    private static let script = #"""
        import os, sys, dbus, dbus.service, dbus.mainloop.glib
        from gi.repository import GLib
        log, press = open(sys.argv[1], "w", buffering=1), sys.argv[2]
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        NAME = "org.freedesktop.Notifications"
        def say(line):
            log.write(line + "\n")
            print(line, flush=True)
        class Server(dbus.service.Object):
            count = 0
            @dbus.service.method(NAME, in_signature="", out_signature="as")
            def GetCapabilities(self): return ["actions", "body", "body-markup"]
            @dbus.service.method(NAME, in_signature="", out_signature="ssss")
            def GetServerInformation(self): return ("test", "chat", "1", "1.2")
            @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
            def Notify(self, app, replaces, icon, summary, body, actions, hints, expires):
                Server.count += 1
                number = dbus.UInt32(Server.count)
                say("shown %s|%s|%s|%s|urgency %d" % (
                    app, summary, body, ",".join(actions), hints.get("urgency", 9)))
                if press in actions:
                    GLib.timeout_add(100, self.click, number)
                return number
            def click(self, number):
                say("pressed " + press)
                self.ActionInvoked(number, press)
                self.NotificationClosed(number, dbus.UInt32(2))
                return False
            @dbus.service.method(NAME, in_signature="u", out_signature="")
            def CloseNotification(self, number):
                # notify-send waits for this signal.
                self.NotificationClosed(number, dbus.UInt32(3))
            @dbus.service.signal(NAME, signature="us")
            def ActionInvoked(self, number, action): pass
            @dbus.service.signal(NAME, signature="uu")
            def NotificationClosed(self, number, reason): pass
        bus = dbus.SessionBus()
        name = dbus.service.BusName(NAME, bus)
        server = Server(bus, "/org/freedesktop/Notifications")
        loop = GLib.MainLoop()
        def ended(source, condition):
            loop.quit()
            return False
        GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, ended)
        say("address " + os.environ["DBUS_SESSION_BUS_ADDRESS"])
        loop.run()
        """#
}
