# Writes calendar files as other programs write them, and what they mean:
# expansion by python-dateutil on wall clocks, instants by zoneinfo.
# A line in, "SEED COUNT FOLDER"; a JSON object out for each time an event takes
# place in 2026, as a reader in Berlin has it.
import json
import os
import random
import sys
from datetime import date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo
from dateutil.rrule import rrulestr

UTC = timezone.utc
LOCAL = ZoneInfo("Europe/Berlin")
FROM = datetime(2026, 1, 1, tzinfo=LOCAL).astimezone(UTC)
TO = datetime(2027, 1, 1, tzinfo=LOCAL).astimezone(UTC)
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = {
    "Europe/Berlin": ("W. Europe Standard Time",
                      "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"),
    "America/New_York": ("Eastern Standard Time", "(UTC-05:00) Eastern Time (US & Canada)"),
    "Europe/London": ("GMT Standard Time", "(UTC+00:00) Dublin, Edinburgh, Lisbon, London"),
    "Asia/Kolkata": ("India Standard Time", "(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"),
    "Asia/Tokyo": ("Tokyo Standard Time", "(UTC+09:00) Osaka, Sapporo, Tokyo"),
    "Australia/Lord_Howe": ("Lord Howe Standard Time", "(UTC+10:30) Lord Howe Island"),
    "America/Los_Angeles": ("Pacific Standard Time", "(UTC-08:00) Pacific Time (US & Canada)"),
}
CUSTOM = {
    "Europe/Berlin": ("+0100", "+0200", "-1SU;BYMONTH=10", "-1SU;BYMONTH=3", "030000", "020000"),
    "America/New_York": ("-0500", "-0400", "1SU;BYMONTH=11", "2SU;BYMONTH=3", "020000", "020000"),
}
STYLES = ["google", "apple", "outlook", "nextcloud", "thunderbird", "fastmail", "khal", "evolution"]


def vtimezone(tzid, zone):
    std, dst, back, forth, at_back, at_forth = CUSTOM[zone]
    return ["BEGIN:VTIMEZONE", "TZID:" + tzid, "BEGIN:STANDARD", "DTSTART:16010101T" + at_back,
            "TZOFFSETFROM:" + dst, "TZOFFSETTO:" + std, "RRULE:FREQ=YEARLY;BYDAY=" + back,
            "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:16010101T" + at_forth,
            "TZOFFSETFROM:" + std, "TZOFFSETTO:" + dst, "RRULE:FREQ=YEARLY;BYDAY=" + forth,
            "END:DAYLIGHT", "END:VTIMEZONE"]


def text(d, utc=False):
    if isinstance(d, datetime):
        return d.strftime("%Y%m%dT%H%M%S") + ("Z" if utc else "")
    return d.strftime("%Y%m%d")


class Item:
    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.style = rng.choice(STYLES)
        self.kind = rng.choices(["zone", "utc", "floating", "day"], [6, 2, 1, 2])[0]
        self.zone = rng.choice(list(ZONES)) if self.kind == "zone" else None
        self.blocks = []
        self.tzids = {}
        self.uid = "%05d-%s@%s" % (number, "%08x" % rng.getrandbits(32), self.style)

    def tzid(self, zone):
        if zone in self.tzids:
            return self.tzids[zone]
        rng = self.rng
        name = zone
        if self.style == "outlook":
            pick = rng.randrange(3)
            if pick == 2 and zone in CUSTOM:
                name = "Customized Time Zone" + ("" if zone == "Europe/Berlin" else " 1")
                self.blocks += vtimezone(name, zone)
            else:
                name = ZONES[zone][pick % 2]
        elif self.style == "thunderbird" and rng.random() < .5:
            name = "/mozilla.org/20050126_1/" + zone
        elif self.style == "evolution":
            name = "/freeassociation.sourceforge.net/" + zone
        elif zone in CUSTOM and rng.random() < .7:
            self.blocks += vtimezone(zone, zone)
        self.tzids[zone] = name
        return name

    def line(self, name, value, zone=None):
        """A time as written: `value` is a date, or a naive wall clock."""
        if not isinstance(value, datetime):
            return name + ";VALUE=DATE:" + text(value)
        if zone is UTC:
            return name + ":" + text(value, True)
        if zone is None:
            return name + ":" + text(value)
        tzid = self.tzid(zone)
        quoted = '"%s"' % tzid if any(c in tzid for c in ",:;") or self.style == "outlook" else tzid
        return "%s;TZID=%s:%s" % (name, quoted, text(value))

    def instant(self, wall, zone):
        z = UTC if zone is UTC else ZoneInfo(zone) if zone else LOCAL
        return wall.replace(tzinfo=z).astimezone(UTC)

    def random_zone_line(self, name, wall):
        """The same instant, in the item's own zone, in UTC or in another."""
        own = UTC if self.kind == "utc" else self.zone
        pick = self.rng.random()
        if self.kind == "day":
            return self.line(name, wall)
        if self.kind == "floating" or pick < .5:
            return self.line(name, wall, own)
        at = self.instant(wall, own)
        if pick < .75:
            return self.line(name, at.replace(tzinfo=None), UTC)
        other = self.rng.choice(list(ZONES))
        there = at.astimezone(ZoneInfo(other))
        if there.fold or self.instant(there.replace(tzinfo=None), other) != at:
            return self.line(name, at.replace(tzinfo=None), UTC)
        return self.line(name, there.replace(tzinfo=None), other)

    def rule(self):
        rng, start = self.rng, self.start
        freq = rng.choice(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
        parts = ["FREQ=" + freq]
        if rng.random() < .4:
            parts.append("INTERVAL=%d" % rng.choice([1, 2, 3]))
        day = start.weekday()
        if freq == "DAILY" and rng.random() < .2:
            parts.append("BYDAY=MO,TU,WE,TH,FR")
        elif freq == "WEEKLY" and rng.random() < .8:
            days = set(rng.sample(range(7), rng.randint(0, 3))) | {day}
            parts.append("BYDAY=" + ",".join(DAYS[d] for d in sorted(days)))
            if rng.random() < .3:
                parts.append("WKST=" + rng.choice(["SU", "MO"]))
        elif freq == "MONTHLY":
            pick = rng.randrange(6)
            if pick == 0:
                parts.append("BYMONTHDAY=%d" % start.day)
            elif pick == 1:
                parts.append("BYDAY=%d%s" % ((start.day - 1) // 7 + 1, DAYS[day]))
            elif pick == 2:
                parts.append("BYDAY=-1" + DAYS[day])
            elif pick == 3:
                parts.append("BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1")
            elif pick == 4:
                parts.append("BYMONTHDAY=-1")
        elif freq == "YEARLY" and rng.random() < .5:
            parts.append("BYMONTH=%d" % start.month)
            if rng.random() < .5:
                parts.append("BYDAY=%d%s" % ((start.day - 1) // 7 + 1, DAYS[day]))
        return parts

    def naive(self, d):
        return d if isinstance(d, datetime) else datetime.combine(d, time())

    def make(self):
        rng = self.rng
        day = date(2025, 6, 1) + timedelta(days=rng.randrange(540))
        if rng.random() < .1:
            day = date(2019 + rng.randrange(6), rng.randint(1, 12), rng.randint(1, 28))
        if rng.random() < .15:
            day = rng.choice([date(2026, 3, 28), date(2026, 3, 29), date(2026, 10, 24),
                              date(2026, 10, 25), date(2026, 3, 8), date(2026, 11, 1)])
        clock = time(rng.choice([0, 1, 2, 2, 2, 7, 9, 12, 14, 18, 22, 23]), rng.choice([0, 0, 30, 15]))
        self.start = day if self.kind == "day" else datetime.combine(day, clock)
        own = UTC if self.kind == "utc" else self.zone
        repeats = rng.random() < .7
        self.parts = self.rule() if repeats else None
        naive_start = self.naive(self.start)
        walls = [naive_start]
        until = None
        if repeats:
            rule = ";".join(self.parts)
            horizon = datetime(2027, 3, 1)
            found = rrulestr(rule, dtstart=naive_start).between(
                datetime(1990, 1, 1), horizon, inc=True)
            if not found:
                self.parts, repeats = None, False
            else:
                # The first time is one that the rule names.
                naive_start = found[0]
                self.start = naive_start if self.kind != "day" else naive_start.date()
                # Another start may be another rule (days of WEEKLY by default).
                found = rrulestr(rule, dtstart=naive_start).between(
                    datetime(1990, 1, 1), horizon, inc=True)
                walls = found
                ends = rng.random()
                if ends < .25:
                    n = rng.randint(1, min(len(walls), 80))
                    self.parts.append("COUNT=%d" % n)
                    walls = walls[:n]
                elif ends < .55:
                    last = rng.choice(walls[:200])
                    off = rng.choice([0, 0, 1, -1])
                    if self.kind == "day":
                        until = last + timedelta(days=off)
                        self.parts.append("UNTIL=" + text(until.date()))
                        walls = [w for w in walls if w <= until]
                    elif rng.random() < .2:
                        self.parts.append("UNTIL=" + text(last.date()))
                        walls = [w for w in walls if w.date() <= last.date()]
                    elif self.kind == "floating" or rng.random() < .1:
                        until = last + timedelta(seconds=off)
                        self.parts.append("UNTIL=" + text(until))
                        walls = [w for w in walls if w <= until]
                    else:
                        until = self.instant(last, own) + timedelta(seconds=off)
                        self.parts.append("UNTIL=" + text(until, True))
                        walls = [w for w in walls if self.instant(w, own) <= until]
                    if not walls:
                        walls = [naive_start]
        self.walls = walls
        pick = rng.random()
        self.length = None
        start_line = self.line("DTSTART", self.start, own)
        if self.kind == "day":
            n = rng.choice([1, 1, 1, 2, 3, 7])
            self.length = ("days", n)
            if n > 1 or pick < .6:
                end_line = (self.line("DTEND", self.start + timedelta(days=n)) if pick < .8
                            else "DURATION:P%dD" % n)
            else:
                end_line = None
        else:
            minutes = rng.choice([15, 30, 45, 60, 60, 90, 480, 1440, 2880])
            if pick < .6:
                end_at = self.start + timedelta(minutes=minutes)
                a, b = self.instant(self.start, own), self.instant(end_at, own)
                if b <= a:
                    end_at = self.start + timedelta(minutes=minutes + 120)
                    b = self.instant(end_at, own)
                self.length = ("exact", b - a)
                end_line = self.line("DTEND", end_at, own)
            elif pick < .9:
                if minutes % 1440 == 0:
                    self.length = ("nominal", minutes // 1440)
                    end_line = "DURATION:P%dD" % (minutes // 1440)
                else:
                    self.length = ("exact", timedelta(minutes=minutes))
                    end_line = "DURATION:" + ("PT%dM" % minutes if rng.random() < .5 or minutes % 60
                                              else "PT%dH" % (minutes // 60))
            else:
                self.length = ("exact", timedelta(0))
                end_line = None
        title = "item %d" % self.number
        body = ["UID:" + self.uid, "DTSTAMP:20260101T000000Z", "SUMMARY:" + title, start_line]
        if end_line:
            body.append(end_line)
        if self.parts:
            body.append("RRULE:" + ";".join(self.parts))
        occurrences = {}
        for w in walls:
            occurrences.setdefault(self.instant(w, own) if self.kind != "day" else w.date(), w)
        extra = []
        if self.parts and rng.random() < .15:
            for _ in range(rng.randint(1, 3)):
                w = rng.choice(walls) + timedelta(days=rng.randint(1, 5))
                # Days of another zone's clock are other days (docs/recurrence.md).
                extra.append(
                    self.line("RDATE", w, own) if self.length[0] == "nominal"
                    else self.random_zone_line("RDATE", w if self.kind != "day" else w.date()))
                key = self.instant(w, own) if self.kind != "day" else w.date()
                occurrences.setdefault(key, w)
            body += extra
        if self.parts and rng.random() < .35:
            for w in rng.sample(list(occurrences.values()), min(len(occurrences), rng.randint(1, 4))):
                if self.kind != "day" and not extra and rng.random() < .15:
                    body.append("EXDATE;VALUE=DATE:" + text(w.date()))
                    gone = [k for k, v in occurrences.items() if v.date() == w.date()]
                else:
                    body.append(self.random_zone_line("EXDATE", w if self.kind != "day" else w.date()))
                    gone = [self.instant(w, own) if self.kind != "day" else w.date()]
                for k in gone:
                    occurrences.pop(k, None)
        if rng.random() < .03:
            body.append("STATUS:CANCELLED")
            occurrences = {}
        result = []
        events = [body]
        chosen = []
        if self.parts and rng.random() < .4 and occurrences:
            chosen = rng.sample(list(occurrences.items()), min(len(occurrences), rng.randint(1, 3)))
        for key, w in chosen:
            del occurrences[key]
            over = ["UID:" + self.uid, "DTSTAMP:20260101T000000Z",
                    self.random_zone_line("RECURRENCE-ID", w if self.kind != "day" else w.date())]
            what = rng.randrange(6)
            name = title
            if what == 0:
                over += ["STATUS:CANCELLED", self.line("DTSTART", w if self.kind != "day" else w.date(), own),
                         "SUMMARY:" + title]
            elif what == 5:
                d = w.date() + timedelta(days=rng.randint(-2, 2))
                over += [self.line("DTSTART", d), self.line("DTEND", d + timedelta(days=1)),
                         "SUMMARY:" + title]
                result.append((d, d + timedelta(days=1), name))
            elif what == 4:
                zone = rng.choice(list(ZONES))
                at = datetime.combine(w.date() + timedelta(days=rng.randint(-9, 9)), time(11, 20))
                name = title + " moved"
                over += [self.line("DTSTART", at, zone), self.line("DTEND", at + timedelta(hours=1), zone),
                         "SUMMARY:" + name]
                result.append((self.instant(at, zone), self.instant(at, zone) + timedelta(hours=1), name))
            else:
                if self.kind == "day":
                    at = w.date() + timedelta(days=rng.randint(-3, 3))
                    result.append((at, at + timedelta(days=1), name))
                    over += [self.line("DTSTART", at), self.line("DTEND", at + timedelta(days=1))]
                else:
                    at = w + timedelta(minutes=rng.choice([0, 30, -30, 60, 1440, -1440, 20160]))
                    a = self.instant(at, own)
                    over += [self.line("DTSTART", at, own), "DURATION:PT1H"]
                    result.append((a, a + timedelta(hours=1), name))
                over.append("SUMMARY:" + name)
            events.append(over)
        for key, w in occurrences.items():
            if self.kind == "day":
                result.append((w.date(), w.date() + timedelta(days=self.length[1]), title))
            elif self.length[0] == "exact":
                result.append((key, key + self.length[1], title))
            else:
                result.append((key, self.nominal_end(w, own), title))
        if rng.random() < .2:
            events.reverse()
        return events, result

    def nominal_end(self, wall, own):
        """Days on the clock as it is written, also from a time it jumps over."""
        return self.instant(wall + timedelta(days=self.length[1]), own)

    def file(self):
        events, result = self.make()
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//%s//EN" % self.style]
        last = self.style == "nextcloud"
        if not last:
            lines += self.blocks
        for event in events:
            lines += ["BEGIN:VEVENT"] + event + ["END:VEVENT"]
        if last:
            lines += self.blocks
        lines.append("END:VCALENDAR")
        ending = "\n" if self.style == "khal" and self.rng.random() < .3 else "\r\n"
        out = []
        for line in lines:
            raw = line.encode()
            while len(raw) > 75:
                out.append(raw[:75])
                raw = b" " + raw[75:]
            out.append(raw)
        return ending.encode().join(out) + ending.encode(), result


def shown(start, end, title, uid):
    if isinstance(start, datetime):
        if not (start < TO and (end > FROM or (end == start and start >= FROM))):
            return None
        return dict(uid=uid, title=title, allDay=False,
                    start=start.strftime("%Y-%m-%dT%H:%M:%SZ"), end=end.strftime("%Y-%m-%dT%H:%M:%SZ"))
    if start >= date(2027, 1, 1) or end <= date(2026, 1, 1):
        return None
    return dict(uid=uid, title=title, allDay=True, start=start.isoformat(), end=end.isoformat())


def main():
    seed, count, folder = sys.stdin.readline().split()
    os.makedirs(folder, exist_ok=True)
    for number in range(int(count)):
        item = Item(random.Random("%s/%d" % (seed, number)), number)
        data, result = item.file()
        with open("%s/%05d.ics" % (folder, number), "wb") as f:
            f.write(data)
        for start, end, title in result:
            entry = shown(start, end, title, item.uid)
            if entry:
                print(json.dumps(entry, sort_keys=True))


main()
