import Foundation
import TestSupport
import XCTest

/// The real program is killed while ffmpeg converts for it: ffmpeg, which
/// ignores a broken pipe but not an output that nobody takes, ends too.
final class ConversionKillTests: XCTestCase {
    func testAKilledProgramLeavesNoConverter() throws {
        let ffmpeg = try TestMachine.find("ffmpeg", package: "ffmpeg")
        let chat = try ChatProgram()
        let sound = chat.folder.path("talk.aiff")
        let making = try RunningProgram(
            ffmpeg,
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine", "-t", "60", "-ar", "8000"]
                + [sound], environment: chat.variables)
        XCTAssertEqual(try making.finish().exit, 0)
        // As fast as one listens, and it says who it is.
        let script = "#!/bin/sh\necho $$ >\"$HOME/pid\"\nexec \(ffmpeg) -re \"$@\"\n"
        let wrapper = try chat.folder.write(script.utf8, to: "ffmpeg")
        XCTAssertEqual(chmod(wrapper, 0o700), 0)
        chat.variables["PATH"] = chat.folder.path + ":" + TestMachine.path
        chat.variables["OPENAI_API_KEY"] = "sk-none"
        chat.variables["OPENAI_BASE_URL"] = "http://127.0.0.1:1/v1"

        let running = try chat.start(["transcribe", sound])
        let pid = try OtherProcess.waitUntil("samples come") { () -> pid_t? in
            guard let part = chat.files.first(where: { $0.hasSuffix(".part") }),
                try chat.bytes(part).count > 44
            else { return nil }
            let pid = try String(contentsOfFile: chat.folder.path("account/pid"), encoding: .utf8)
            return pid_t(pid.trimmingCharacters(in: .newlines))
        }
        running.signal(SIGKILL)
        XCTAssertEqual(try running.finish().exit, -SIGKILL)
        // It would go on for a minute.
        _ = try OtherProcess.waitUntil("ffmpeg ends") { OtherProcess.hasEnded(pid) ? true : nil }
    }
}
