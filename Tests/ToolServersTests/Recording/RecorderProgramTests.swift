import XCTest

@testable import Sound

final class RecorderProgramTests: XCTestCase {
    func testTheKnownProgramsAreTriedInThisOrder() {
        let candidates = RecorderProgram.candidates()
        XCTAssertEqual(
            candidates.map { ([$0.name] + $0.arguments).joined(separator: " ") }
                .joined(separator: "\n"),
            """
            pw-record --rate 16000 --channels 1 --format s16 -
            parecord --raw --rate=16000 --channels=1 --format=s16le --latency-msec=50 \
            --client-name=chat
            arecord -q -t raw -f S16_LE -r 16000 -c 1 -
            rec -q --buffer 2048 -t raw -e signed-integer -b 16 -L -r 16000 -c 1 -
            ffmpeg -nostdin -hide_banner -loglevel error -f pulse -sample_rate 16000 \
            -channels 1 -fragment_size 1600 -i default -ac 1 -ar 16000 \
            -flush_packets 1 -f s16le pipe:1
            ffmpeg -nostdin -hide_banner -loglevel error -f alsa -i default -ac 1 \
            -ar 16000 -flush_packets 1 -f s16le pipe:1
            """)
        var names: [String] = []
        for candidate in candidates where !names.contains(candidate.name) {
            names.append(candidate.name)
        }
        XCTAssertEqual(RecorderProgram.knownNames, names)
    }

    func testWhereTheSoundServersListen() {
        let run = ["XDG_RUNTIME_DIR": "/run/user/1"]
        XCTAssertEqual(
            RecorderProgram.candidates().map { $0.server?.sockets(run)?.first },
            [
                "/run/user/1/pipewire-0", "/run/user/1/pulse/native", nil, nil,
                "/run/user/1/pulse/native", nil,
            ])
        // Led elsewhere, it is not ours to say that it is not there.
        for (name, value) in [
            ("PIPEWIRE_REMOTE", "other"), ("PULSE_SERVER", "tcp:x"), ("PULSE_RUNTIME_PATH", "/p"),
        ] {
            let variables = run.merging([name: value]) { $1 }
            let server: RecorderProgram.Server = name.hasPrefix("PULSE") ? .pulseAudio : .pipeWire
            XCTAssertNil(server.sockets(variables), name)
        }
        XCTAssertNil(RecorderProgram.Server.pulseAudio.sockets([:]))
        XCTAssertEqual(
            RecorderProgram.Server.pipeWire.sockets(["PIPEWIRE_RUNTIME_DIR": "/p"])?.first,
            "/p/pipewire-0")
    }

    func testThePersonsOwnProgramIsTheOnlyOne() {
        XCTAssertEqual(
            RecorderProgram.candidates(own: ["/opt/mic", "--raw", "a b"]),
            [RecorderProgram(name: "/opt/mic", arguments: ["--raw", "a b"])])
        XCTAssertEqual(RecorderProgram.candidates(own: []), RecorderProgram.candidates())
    }

    func testARecorderGetsTheWayToTheSoundServerAndNoKey() {
        let given = RecorderProgram.environment(from: [
            "PATH": "/bin", "HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1", "LC_ALL": "C",
            "PULSE_SERVER": "tcp:x", "PIPEWIRE_REMOTE": "pw", "ALSA_CONFIG_PATH": "/a",
            "AUDIODEV": "hw:1", "AUDIODRIVER": "alsa", "XDG_CONFIG_HOME": "/c",
            "OPENAI_API_KEY": "k", "CHAT_RECORDER": "x", "LD_PRELOAD": "y", "PULSE": "z",
        ])
        XCTAssertEqual(
            given.keys.sorted(),
            [
                "ALSA_CONFIG_PATH", "AUDIODEV", "AUDIODRIVER", "HOME", "LC_ALL", "PATH",
                "PIPEWIRE_REMOTE", "PULSE_SERVER", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR",
            ])
    }

    func testTheLastLineIsTheOneThatSaysWhy() {
        let alsa = """
            ALSA lib confmisc.c:855:(parse_card) cannot find card '0'
            ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM default
            arecord: main:831: audio open error: No such file or directory

            """
        XCTAssertEqual(
            RecorderProgram.lastWords(of: Array(alsa.utf8) + [0x20, 0x0A]),
            "arecord: main:831: audio open error: No such file or directory")
        XCTAssertEqual(RecorderProgram.lastWords(of: []), "")
        XCTAssertEqual(
            RecorderProgram.lastWords(of: [UInt8](repeating: 0x61, count: 90_000)).count, 300)
    }
}
