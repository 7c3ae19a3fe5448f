"""A week of use with a clock that runs faster (clock.c): a chat that is left and resumed, the
alert service beside it, reminders, routines, and files that another program syncs.
"""

import datetime
import json
import os
import re
import subprocess
import tempfile
import time

from rig import Home, Program, demand

HERE = os.path.dirname(os.path.abspath(__file__))
# After the last routine of a day: what is measured at the end is over before the next.
START = datetime.datetime(2027, 2, 28, 22, 30, tzinfo=datetime.timezone.utc)
FASTEST = 720  # Told seconds in a second: a day is two minutes
SITTINGS = 8
GROWTH = 1.15
IDLE = 10  # Seconds
WAKES = 2  # in a minute of the clock that runs faster, of each process
EVENT = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//phone//EN\r
BEGIN:VEVENT\r
UID:{name}\r
DTSTART:{at:%Y%m%dT%H%M%SZ}\r
SUMMARY:{name}\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
TRIGGER:PT0S\r
END:VALARM\r
END:VEVENT\r
END:VCALENDAR\r
"""


class Week:
    def __init__(self, binary, provider, folder, random):
        self.provider, self.random = provider, random
        self.home = Home(binary, provider, tempfile.mkdtemp(dir=folder))
        self.library = os.path.join(folder, "clock.so")
        subprocess.run(
            [os.environ.get("CC", "cc"), "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o",
             self.library, os.path.join(HERE, "clock.c"), "-ldl", "-lm"], check=True)
        os.makedirs(self.home.file(), mode=0o700)
        self.rung = self.home.file("rung")
        with open(self.home.file("config.json"), "w") as file:
            json.dump({"context_window": 16_384, "title": False, "provider": "claude", "alerts": {
                "hook": f'echo "$CHAT_ALERT_TITLE" >>{self.rung}'}}, file)
        self.expected, self.synced, self.turns, self.held = [], {}, 0, []

    @property
    def now(self):
        return START + datetime.timedelta(seconds=(time.time() - self.base) * self.rate)

    def shell(self, *words):
        result = self.home.run(*words)
        demand(result.returncode == 0, f"{' '.join(words)}: {result.stderr.decode()!r}")

    def run(self, minutes):
        days = max(1, min(7, minutes * 60 * FASTEST // 86_400))
        self.rate = days * 1440 / minutes
        self.base = time.time()
        self.home.variables.update(
            LD_PRELOAD=self.library, SOAK_CLOCK=f"{self.base} {START.timestamp()} {self.rate}")
        for number, hour in enumerate(("10:00", "16:00", "22:00")):
            self.shell("routine", "add", f"every day at {hour}", f"plain n90{number}",
                       "--name", f"r{number}", "--model", "claude/soak")
        self.service = Program([self.home.binary, "alerts", "run"], self.home.variables)
        chat, hour, end = None, 0, START + datetime.timedelta(days=days)
        while hour < days * 24:
            if hour % (days * 24 // SITTINGS) == 0:
                chat = self.sit_down(chat)
            self.one_hour(chat, hour)
            hour += 1
            while self.now < START + datetime.timedelta(hours=hour):
                chat.read(0.05)
                self.service.read(0)
        self.held.append(self.measure(chat))
        idle = self.idle(chat)
        self.leave(chat)
        self.service.send_signal(15)
        demand(self.service.end(10) is not None, "the service does not end")
        self.service.close()
        self.check(end)
        (first, service), (last, after) = self.held[1], self.held[-1]
        detail = (f"{days} d at {self.rate:.0f}×: {self.turns} turns, {len(self.expected)} rung once, "
                  f"{3 * days} routines; chat {first[0] >> 10} → {last[0] >> 10} MB, {last[1]} descriptors, "
                  f"service {service[0] >> 10} → {after[0] >> 10} MB, {after[1]} descriptors; "
                  f"idle {idle[0]:.1f} and {idle[1]:.1f} wake-ups a minute")
        for before, now in ((first, last), (service, after)):
            demand(now[0] <= before[0] * GROWTH, f"memory grows: {detail}")
            demand(now[1] <= before[1], f"descriptors are left open: {detail}")
        demand(max(idle) <= WAKES, f"not idle: {detail}")
        return detail

    def sit_down(self, chat):
        if chat:
            self.held.append(self.measure(chat))
            self.leave(chat)
        chat = Program(self.home.words(), self.home.variables)
        chat.ready()
        return chat

    def leave(self, chat):
        chat.type("\x04")
        demand(chat.end(10) is not None and chat.status == 0, "Ctrl-D does not leave")
        chat.close()

    def one_hour(self, chat, hour):
        verb = "tool" if hour % 4 == 3 else "plain"
        chat.type(f"{verb} n{hour:04}\r")
        demand(chat.wait_for(f"END-n{hour:04}".encode()), f"no answer in hour {hour}: {chat.text[-300:]!r}")
        self.turns += 1
        due = self.now.replace(second=0, microsecond=0) + datetime.timedelta(
            minutes=self.random.randrange(90, 150))
        self.shell("reminders", "add", f"ring{hour:04}", "--due", f"{due:%Y-%m-%dT%H:%M}")
        self.expected.append((due, f"ring{hour:04}"))
        if hour % 4 == 1:
            self.shell("reminders", "list")
        if hour % 2 == 0:
            self.sync(f"event{hour:04}", due + datetime.timedelta(minutes=7))
        elif hour % 4 == 3:
            # Moved on the phone; the one of the hour before that is deleted there.
            moved, gone = f"event{hour - 1:04}", f"event{hour - 3:04}"
            self.sync(moved, self.synced[moved] + datetime.timedelta(minutes=40))
            if self.synced[gone] > self.now + datetime.timedelta(minutes=30):
                os.unlink(self.home.file("calendars", "phone", gone + ".ics"))
                del self.synced[gone]

    def sync(self, name, at):
        """As vdirsyncer writes: beside it, then renamed."""
        folder = self.home.file("calendars", "phone")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(os.path.join(folder, ".tmp"), "w", newline="") as file:
            file.write(EVENT.format(name=name, at=at))
        os.rename(os.path.join(folder, ".tmp"), os.path.join(folder, name + ".ics"))
        self.synced[name] = at

    def measure(self, chat):
        """For the chat and the service: KB in memory, and open descriptors."""
        found = []
        for program in (chat, self.service):
            with open(f"/proc/{program.pid}/status") as file:
                memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
            found.append((memory, len(os.listdir(f"/proc/{program.pid}/fd"))))
        return found

    def idle(self, chat):
        """Wake-ups a minute while only what is due rings: switches that a thread chose itself."""
        def switches(program):
            total = 0
            for thread in os.listdir(f"/proc/{program.pid}/task"):
                with open(f"/proc/{program.pid}/task/{thread}/status") as file:
                    total += int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M)[1])
            return total
        both = (chat, self.service)
        for program in both:
            program.wait_until(lambda: False, 2)
        before = [switches(program) for program in both]
        time.sleep(IDLE)
        return [(switches(program) - count) * 60 / IDLE / self.rate for program, count in zip(both, before)]

    def check(self, end):
        with open(self.rung) as file:
            rung = file.read().split()
        self.expected += [(at, name) for name, at in self.synced.items()]
        # What is due at the very end may ring just after it.
        late = end - datetime.timedelta(hours=1)
        self.expected = [(at, name) for at, name in self.expected if at < late]
        for _, name in self.expected:
            demand(rung.count(name) == 1, f"{name} rang {rung.count(name)} times")
        kept = {name for _, name in self.expected}
        for name in set(rung) - kept:
            demand(name.startswith("ring") or name in self.synced or not name.startswith("event"),
                   f"{name} rang, though it was deleted")
        days = (end - START).days
        for number in range(3):
            ran = self.provider.asked.get(f"n90{number}", 0)
            demand(ran == days, f"routine {number} ran {ran} times in {days} days")
        for hour in range(self.turns):
            demand(self.provider.asked.get(f"n{hour:04}") == 1, f"message {hour} was not sent once")
