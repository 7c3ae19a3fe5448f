# Writes calendar files as others write them, with a command for each and what
# takes place after it, and reads what has become of such files, by
# python-icalendar and python-dateutil.
#
# A line in: "events SEED COUNT FOLDER", "tasks SEED COUNT FOLDER" or "read FOLDER";
# a JSON object out for each case: the commands, and [title, time] of all
# occurrences, or open tasks, before and after; or what the files of a folder say,
# with the alarms of fixed times that do not lie as far before their item as all
# were made to.
import glob
import json
import os
import random
import sys
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo
from dateutil.rrule import rrulestr
from icalendar import Calendar

UTC = timezone.utc
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [BERLIN, ZoneInfo("America/New_York"), UTC]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
LEAD = timedelta(minutes=45)
FAR = datetime(2027, 6, 1)


def instant(wall, zone):
    return wall.replace(tzinfo=zone).astimezone(UTC)


def shown(title, at):
    return [title, at.strftime("%Y-%m-%dT%H:%M:%SZ")]


# ---- making ------------------------------------------------------------------

class Case:
    def __init__(self, rng, number):
        self.rng = rng
        self.zone = rng.choice(ZONES)
        self.kind = rng.choice(["loose", "revisions", "mixed", "rules"])
        day = date(2026, 3, 6) + timedelta(days=rng.randrange(70))
        self.start = datetime.combine(day, time(rng.randint(9, 13), rng.choice([0, 15, 30])))
        self.components = []
        # Whether days name occurrences.
        self.days = True

    def form(self):
        return self.rng.choice(["own", "utc", "other"] + ["date"] * self.days)

    def line(self, name, wall, form="own"):
        if form == "date":
            return "%s;VALUE=DATE:%s" % (name, wall.strftime("%Y%m%d"))
        if form == "utc" or self.zone is UTC:
            return "%s:%s" % (name, instant(wall, self.zone).strftime("%Y%m%dT%H%M%SZ"))
        if form == "other":
            there = instant(wall, self.zone).astimezone(ZoneInfo("Asia/Tokyo"))
            return "%s;TZID=Asia/Tokyo:%s" % (name, there.strftime("%Y%m%dT%H%M%S"))
        return "%s;TZID=%s:%s" % (name, self.zone.key, wall.strftime("%Y%m%dT%H%M%S"))

    def component(self, wall, title, more, sequence=None):
        """An event with an alarm of a fixed time, often."""
        rng = self.rng
        lines = ["UID:u", "SUMMARY:" + title, self.line("DTSTART", wall),
                 rng.choice(["DURATION:PT30M", self.line("DTEND", wall + timedelta(minutes=30))])]
        lines += more
        if sequence is not None:
            lines.append("SEQUENCE:%d" % sequence)
        if rng.random() < .5:
            at = instant(wall - LEAD, self.zone)
            lines += ["BEGIN:VALARM", "ACTION:DISPLAY",
                      "TRIGGER;VALUE=DATE-TIME:" + at.strftime("%Y%m%dT%H%M%SZ"), "END:VALARM"]
        self.components.append(["BEGIN:VEVENT"] + lines + ["END:VEVENT"])

    def rule(self, weekday=None):
        rng = self.rng
        if weekday is not None:
            last = self.start + timedelta(days=rng.randint(20, 40))
            return "FREQ=WEEKLY;BYDAY=%s;UNTIL=%s" % (
                DAYS[weekday], instant(last, self.zone).strftime("%Y%m%dT%H%M%SZ"))
        rule = rng.choice(["FREQ=DAILY", "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY",
                           "FREQ=WEEKLY;INTERVAL=2", "FREQ=MONTHLY",
                           "FREQ=WEEKLY;BYDAY=" + DAYS[self.start.weekday()]])
        return rule + ";COUNT=%d" % rng.randint(4, 8)

    def make(self):
        rng, start = self.rng, self.start
        # Each occurrence by its time in the series: title, start, changed apart.
        self.found = {}
        if self.kind == "loose":
            for n in range(rng.randint(2, 5)):
                self.override(start + timedelta(days=7 * n))
        else:
            lines = []
            for rule in [self.rule()] + (
                    [self.rule((start.weekday() + rng.randint(1, 6)) % 7)]
                    if self.kind == "rules" else []):
                lines.append("RRULE:" + rule)
                for wall in between(rule, start, self.zone):
                    self.found[wall] = ("thing", wall, False)
            if rng.random() < .5:
                for _ in range(rng.randint(1, 2)):
                    wall = start + timedelta(days=rng.randint(2, 25), minutes=150)
                    if not any(w.date() == wall.date() for w in self.found):
                        form = rng.choice(["own", "utc", "other"])
                        lines.append(self.line("RDATE", wall, form))
                        # Its day is the one there (docs/recurrence.md).
                        self.days = self.days and form != "other"
                        self.found[wall] = ("thing", wall, False)
            for wall in rng.sample(sorted(self.found), rng.randint(0, 2)):
                lines.append(self.line("EXDATE", wall, self.form()))
                del self.found[wall]
            if not self.found:
                return None
            sequence = rng.randint(3, 9) if self.kind == "revisions" else None
            self.component(start, "thing", lines, sequence)
            if self.kind == "revisions":
                self.component(start + timedelta(days=1), "old", ["RRULE:FREQ=DAILY;COUNT=40"],
                               rng.randint(0, 2))
            for wall in rng.sample(sorted(self.found), rng.randint(0, min(3, len(self.found)))):
                self.override(wall)
        rng.shuffle(self.components)
        return self.command()

    def override(self, wall):
        rng = self.rng
        title = rng.choice(["thing", "special"])
        moved = wall + rng.choice([timedelta(), timedelta(hours=2), timedelta(days=1, hours=-1)])
        form = self.form()
        sequence = rng.randint(3, 9) if self.kind == "revisions" else None
        self.component(moved, title, [self.line("RECURRENCE-ID", wall, form)], sequence)
        if self.kind == "revisions":
            self.component(wall + timedelta(hours=3), "old", [self.line("RECURRENCE-ID", wall)],
                           rng.randint(0, 2))
        self.found[wall] = (title, moved, True)

    def command(self):
        rng, found = self.rng, self.found
        loose = self.kind == "loose"
        here = lambda w: instant(w, self.zone).astimezone(BERLIN).date()
        days = [here(start) for _, start, _ in found.values()]
        walls = [w for w in sorted(found) if days.count(here(found[w][1])) == 1]
        first = min(found, key=lambda w: found[w][1])
        scope = rng.choice(["this", "following", "all"])
        what = rng.choice(["title", "by", "delete"])
        if not walls:
            return None
        chosen = rng.choice(walls)
        if scope == "all":
            chosen = first
        title, start, apart = found[chosen]
        # Where one that was moved by itself is named, how far is not plain.
        if what == "by" and scope != "this" and apart and not loose:
            return None
        minutes = rng.choice([-90, -30, 30, 45, 120])
        option = {"title": "--title new", "by": "--by %dm" % minutes, "delete": ""}[what]
        verb = "delete" if what == "delete" else "edit"
        day = "" if scope == "all" else " " + here(start).isoformat()
        name = title if loose else "thing"
        command = ("%s %s --%s%s %s" % (verb, name, scope, day, option)).strip()
        after = {}
        for wall, (own, at, isApart) in found.items():
            concerned = (wall == chosen if scope == "this"
                         else wall >= chosen if scope == "following" else True)
            if concerned and what == "delete":
                continue
            if concerned and what == "title":
                if scope == "this" or own == name:
                    own = "new"
            elif concerned and (scope == "this" or loose or at == wall):
                at = at + timedelta(minutes=minutes)
            after[wall] = (own, at)
        times = lambda entries: sorted(shown(t, instant(a, self.zone)) for t, a in entries)
        return dict(command=command, after=times(after.values()),
                    before=times((t, a) for t, a, _ in found.values()))

    def text(self):
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//somebody//else//EN"]
        for component in self.components:
            lines += component
        return "\r\n".join(lines + ["END:VCALENDAR", ""])


class Task(Case):
    """A VTODO; the time is noon in UTC on 21 November 2026."""

    NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)

    def __init__(self, rng, number):
        super().__init__(rng, number)
        self.kind = rng.choice(["once", "repeat", "repeat", "loose", "revisions"])
        day = date(2026, 11, 17) + timedelta(days=rng.randrange(12))
        self.start = datetime.combine(day, time(rng.randint(9, 13), rng.choice([0, 15, 30])))

    def todo(self, wall, title, more):
        at = instant(wall - LEAD, self.zone)
        lines = ["UID:u", "SUMMARY:" + title, self.line("DUE", wall)] + more
        if self.rng.random() < .7:
            lines += ["BEGIN:VALARM", "ACTION:DISPLAY", "UID:alarm",
                      "TRIGGER;VALUE=DATE-TIME:" + at.strftime("%Y%m%dT%H%M%SZ"), "END:VALARM"]
        self.components.append(["BEGIN:VTODO"] + lines + ["END:VTODO"])

    def make(self):
        rng, start = self.rng, self.start
        dues, rule = [start], None
        if self.kind == "loose":
            dues = [start + timedelta(days=7 * n) for n in range(rng.randint(2, 4))]
            for wall in dues:
                self.todo(wall, "thing", [self.line("RECURRENCE-ID", wall, self.form())])
        elif self.kind == "repeat":
            rule = self.rule()
            self.todo(start, "thing", [self.line("DTSTART", start), "RRULE:" + rule])
        elif self.kind == "revisions":
            self.todo(start, "thing", ["SEQUENCE:%d" % rng.randint(3, 9)])
            self.todo(start + timedelta(days=1), "old", ["SEQUENCE:%d" % rng.randint(0, 2)])
        else:
            self.todo(start, "thing", [])
        rng.shuffle(self.components)
        opened = [("thing", instant(w, self.zone)) for w in dues]
        before, commands, name, wall = list(opened), [], "thing", start
        for _ in range(rng.randint(1, 3)):
            if not opened:
                break
            verb = rng.choice(["done", "title", "due", "snooze", "delete"])
            if verb in ("done", "delete"):
                commands.append("%s %s" % (verb, name))
                opened.pop(0)
                later = []
                if verb == "done" and rule:
                    after = max(wall, self.NOW.astimezone(self.zone).replace(tzinfo=None))
                    later = [w for w in between(rule, start, self.zone) if w > after]
                if later:
                    wall = later[0]
                    opened = [(name, instant(wall, self.zone))]
                if self.kind == "loose":
                    name = "thing"
            elif verb == "snooze":
                commands.append("snooze %s 10m" % name)
            elif verb == "title" and name == "thing" and self.kind != "loose":
                name = "other"
                commands.append("edit thing --title other")
                opened[0] = (name, opened[0][1])
            elif verb == "due" and self.kind != "repeat" and len(opened) == 1:
                due = datetime(2026, 12, 1, 9) + timedelta(days=rng.randrange(150))
                commands.append("edit %s --due %s" % (name, due.isoformat()))
                opened[0] = (name, instant(due, BERLIN))
        times = lambda entries: sorted(shown(t, a) for t, a in entries)
        return dict(command="; ".join(commands), before=times(before),
                    after=times(opened)) if commands else None


def between(rule, start, zone):
    """The walls of a rule; UNTIL is an instant."""
    parts = rule.split(";")
    until = [p[6:] for p in parts if p.startswith("UNTIL=")]
    bare = ";".join(p for p in parts if not p.startswith("UNTIL="))
    walls = rrulestr(bare, dtstart=start).between(datetime(1990, 1, 1), FAR, inc=True)
    if not until:
        return walls
    if until[0].endswith("Z"):
        last = datetime.strptime(until[0], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return [w for w in walls if instant(w, zone) <= last]
    last = datetime.strptime(until[0], "%Y%m%dT%H%M%S")
    return [w for w in walls if w <= last]


# ---- reading -----------------------------------------------------------------

def many(component, name):
    value = component.get(name)
    return [] if value is None else value if isinstance(value, list) else [value]


def home(component):
    """The zone that the series runs on, and its start there."""
    at = component["DTSTART"].dt
    name = component["DTSTART"].params.get("TZID")
    zone = ZoneInfo(str(name)) if name else UTC
    return zone, at.astimezone(zone).replace(tzinfo=None)


def newest(components):
    return max(enumerate(components),
               key=lambda e: (int(e[1].get("SEQUENCE", 0)),
                              str(e[1]["DTSTAMP"].dt) if "DTSTAMP" in e[1] else "", e[0]))[1]


def read(folder):
    found, alarms, components = [], [], []
    for path in sorted(glob.glob(folder + "/*.ics")):
        with open(path, "rb") as f:
            calendar = Calendar.from_ical(f.read())
        components.append(calendar.walk("VEVENT"))
        todos = [c for c in calendar.walk("VTODO")]
        opened = lambda c: str(c.get("STATUS", "")) != "COMPLETED"
        masters = [c for c in todos if "RECURRENCE-ID" not in c]
        groups = [masters] + [
            [c for c in todos if "RECURRENCE-ID" in c and c["RECURRENCE-ID"].to_ical() == id]
            for id in {c["RECURRENCE-ID"].to_ical() for c in todos if "RECURRENCE-ID" in c}]
        for c in (newest(g) for g in groups if g):
            if opened(c):
                due = c["DUE"].dt.astimezone(UTC)
                found.append(shown(str(c["SUMMARY"]), due))
                alarms += late(c, UTC, [due.replace(tzinfo=None)])
    for own in components:
        for uid in sorted({str(c["UID"]) for c in own}):
            of = [c for c in own if str(c["UID"]) == uid]
            masters = [c for c in of if "RECURRENCE-ID" not in c]
            master = newest(masters) if masters else None
            times = {}
            if master:
                zone, start = home(master)
                walls = [start]
                for rule in many(master, "RRULE"):
                    walls += between(rule.to_ical().decode(), start, zone)
                times = {instant(w, zone): w for w in walls}
                for value in many(master, "RDATE"):
                    for each in value.dts:
                        times[each.dt.astimezone(UTC)] = each.dt.astimezone(zone).replace(tzinfo=None)
                alarms += late(master, zone, times.values())
                out = [e.dt for v in many(master, "EXDATE") for e in v.dts]
                times = {k: w for k, w in times.items()
                         if not any(hits(each, k, w) for each in out)}
            groups = {}
            for c in of:
                if "RECURRENCE-ID" in c:
                    id = c["RECURRENCE-ID"].dt
                    named = [k for k, w in times.items() if hits(id, k, w)]
                    key = named[0] if named else id if not isinstance(id, datetime) \
                        else id.astimezone(UTC)
                    groups.setdefault(key, []).append(c)
            for key, revisions in groups.items():
                c = newest(revisions)
                times.pop(key, None)
                zone, start = home(c)
                alarms += late(c, zone, [start])
                found.append(shown(str(c["SUMMARY"]), instant(start, zone)))
            found += [shown(str(master["SUMMARY"]), k) for k in times]
    return dict(found=sorted(found), alarms=alarms)


def hits(id, at, wall):
    return at == id.astimezone(UTC) if isinstance(id, datetime) else wall.date() == id


def late(component, zone, walls):
    """Alarms of fixed times that lie before none of these."""
    wanted = {instant(w - LEAD, zone) for w in walls}
    given = [a["TRIGGER"].dt.astimezone(UTC) for a in component.walk("VALARM")
             if "RELATED-TO" not in a]
    return [str(at) for at in given if at not in wanted]


def main():
    for line in sys.stdin:
        verb, *rest = line.split()
        if verb == "read":
            print(json.dumps(read(rest[0])))
            continue
        seed, count, folder = rest
        made = number = 0
        while made < int(count):
            case = {"events": Case, "tasks": Task}[verb](random.Random("%s/%d" % (seed, number)), number)
            number += 1
            told = case.make()
            if not told:
                continue
            told["folder"] = "%s/%03d" % (folder, made)
            os.makedirs(told["folder"] + "/calendar")
            with open(told["folder"] + "/calendar/a.ics", "wb") as f:
                f.write(case.text().encode())
            print(json.dumps(told))
            made += 1


main()
