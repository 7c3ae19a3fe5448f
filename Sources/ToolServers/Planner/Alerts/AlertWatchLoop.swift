import Base
import FoundationEssentials
import Glibc
import Synchronization

/// The thread of `AlertWatch`: a `poll` over a timer, inotify and a pipe.
struct AlertWatchLoop {
    private let watch: AlertWatch
    private let wake: Int32
    private let timer: Int32
    private let inotify: Int32
    /// Watch descriptor → folder.
    private var folders: [Int32: String] = [:]
    private var zoneWatch: Int32 = -1
    private var orders = AlertWatch.Orders()
    private var armed: Date?
    private var wakes: AlertWakes
    private static let mask = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE_SELF
            | IN_MOVE_SELF)

    init(_ watch: AlertWatch, wake: Int32) {
        self.watch = watch
        self.wake = wake
        timer = TimerCalls.create()
        inotify = inotify_init()
        if inotify >= 0 {
            _ = fcntl(inotify, F_SETFL, O_NONBLOCK)
            _ = fcntl(inotify, F_SETFD, FD_CLOEXEC)
        }
        wakes = AlertWakes(at: Environment.systemUptime())
    }

    mutating func run() {
        defer {
            // poll skips a descriptor of -1, and so does this loop.
            for descriptor in [timer, inotify] where descriptor >= 0 { close(descriptor) }
        }
        // This detects a change of the machine's zone.
        zoneWatch = inotify_add_watch(
            inotify, "/etc", UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR))
        while true {
            if watch.orders.withLock({ $0.isNew }) { takeOrders() }
            if orders.isStopped { return }
            wait()
        }
    }

    private mutating func takeOrders() {
        orders = watch.orders.withLock { orders in
            orders.isNew = false
            return orders
        }
        armed = orders.next
        arm()
        follow()
    }

    // MARK: Time

    private func arm() {
        // A timer is always set, since it also reports changes of the clock.
        let next = armed ?? Date(timeIntervalSinceNow: 86_400)
        // 0 would disarm; a past time rings at once.
        let seconds = max(1, min(next.timeIntervalSince1970, 32_503_680_000))
        TimerCalls.set(timer, seconds: seconds)
    }

    private mutating func wait() {
        var entries = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
        ]
        let pause = wakes.pause(from: Environment.systemUptime()) * 1000
        _ = poll(&entries, nfds_t(entries.count), Int32(pause.rounded(.up)))
        // Three entries, in the order above.
        if entries[0].revents != 0 { drain(wake) }
        if entries[1].revents != 0 { readTimer() }
        if entries[2].revents != 0 { readChanges() }
        let events = wakes.due(at: Environment.systemUptime())
        if events.isEmpty { return }
        follow()
        watch.tell(events)
    }

    private mutating func readTimer() {
        var count: UInt64 = 0
        if read(timer, &count, 8) == 8 {
            armed = nil
            arm()
            watch.tell(.timer)
        } else if errno == ECANCELED {
            arm()
            watch.tell(.clock)
        }
    }

    private func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 256)
        while read(descriptor, &buffer, buffer.count) > 0 {}
    }

    // MARK: Folders

    /// Watches existing folders; for a missing one, its nearest existing parent.
    private mutating func follow() {
        guard inotify >= 0 else { return }
        var current: [Int32: String] = [:]
        for folder in orders.folders {
            var path = folder
            while !path.isEmpty {
                let number = inotify_add_watch(inotify, path, Self.mask | UInt32(IN_ONLYDIR))
                if number >= 0 {
                    // The same folder has the same number each time.
                    if number != zoneWatch { current[number] = path }
                    break
                }
                guard errno == ENOENT || errno == ENOTDIR, let slash = path.lastIndex(of: "/")
                else { break }
                path = slash == path.startIndex && path != "/" ? "/" : String(path[..<slash])
            }
        }
        for number in folders.keys where current[number] == nil {
            inotify_rm_watch(inotify, number)
        }
        // Changes in a folder before it was watched are not reported.
        if current != folders { changed() }
        folders = current
    }

    private mutating func readChanges() {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(inotify, &buffer, buffer.count)
            guard count > 0 else { return }
            buffer.withUnsafeBytes { bytes in
                var place = 0
                // The kernel writes whole events (inotify(7)).
                while place + 16 <= count {
                    let number = bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
                    let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                    let length = Int(
                        bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    let end = min(count, place + 16 + length)
                    let name = bytes[(place + 16)..<end].prefix { $0 != 0 }
                    note(number, mask, String(decoding: name, as: UTF8.self))
                    place += 16 + length
                }
            }
        }
    }

    private mutating func note(_ number: Int32, _ mask: UInt32, _ name: String) {
        if mask & UInt32(IN_Q_OVERFLOW) != 0 { return changed() }
        if number == zoneWatch {
            if name == "localtime" || name == "timezone" { watch.tell(.zone) }
            return
        }
        guard folders[number] != nil else { return }
        // Temporary files begin with a dot; other programs' do as well.
        let isFolder = mask & UInt32(IN_ISDIR | IN_DELETE_SELF | IN_MOVE_SELF) != 0
        if isFolder || (!name.hasPrefix(".") && name.hasSuffix(".ics")) { changed() }
    }

    private mutating func changed() {
        wakes.changed(at: Environment.systemUptime(), quiet: orders.quiet)
    }
}

/// Computes when the thread wakes by itself: at a tick each minute, and once
/// changes of files have paused. Pure; times are seconds of uptime.
struct AlertWakes {
    private var tick: Double
    /// The times when changes are reported: after a pause, and the latest.
    private var told: (pause: Double, latest: Double)?

    /// Seconds.
    static let minute = 60.0
    /// Number of quiet periods after which changes that never pause are reported.
    private static let patience = 8.0

    init(at now: Double) { tick = now + Self.minute }

    private var at: Double? { told.map { min($0.pause, $0.latest) } }

    mutating func changed(at now: Double, quiet: Double) {
        told = (now + quiet, told?.latest ?? now + quiet * Self.patience)
    }

    /// Seconds until something has to be done, if nothing happens.
    func pause(from now: Double) -> Double { max(0, min(at ?? tick, tick) - now) }

    /// The events to report now.
    mutating func due(at now: Double) -> AlertWatch.Events {
        var events: AlertWatch.Events = []
        if let at, now >= at {
            told = nil
            events.insert(.files)
        }
        if now >= tick {
            tick = now + Self.minute
            events.insert(.tick)
        }
        return events
    }
}

/// timerfd_create(2): its types are those of <sys/timerfd.h>.
private enum TimerCalls {
    private static let creating: (@convention(c) (Int32, Int32) -> Int32)? =
        CFunction.named("timerfd_create")
    private static let setting:
        (
            @convention(c) (
                Int32, Int32, UnsafePointer<itimerspec>, UnsafeMutablePointer<itimerspec>?
            ) -> Int32
        )? = CFunction.named("timerfd_settime")
    /// TFD_TIMER_ABSTIME and TFD_TIMER_CANCEL_ON_SET.
    private static let flags: Int32 = 1 | 2

    static func create() -> Int32 { creating?(CLOCK_REALTIME, O_NONBLOCK | O_CLOEXEC) ?? -1 }

    static func set(_ timer: Int32, seconds: Double) {
        guard timer >= 0, let set = setting else { return }
        var time = itimerspec()
        time.it_value.tv_sec = Int(seconds)
        time.it_value.tv_nsec = Int((seconds - seconds.rounded(.down)) * 1e9)
        // After the clock was set, the first call fails once with ECANCELED.
        if set(timer, flags, &time, nil) != 0 { _ = set(timer, flags, &time, nil) }
    }
}
