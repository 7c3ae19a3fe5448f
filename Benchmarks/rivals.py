"""Date parsers of others, each asked in the way that suits it best.

One that is not installed is fetched with pip into the temporary folder of the
run, never into the system; without a network it is left out, visibly.
"""

import re
import subprocess
import sys

WANTED = ("recurrent==0.4.1", "dateparser==1.5.0", "parsedatetime==2.6")


class Answer:
    """What a parser said: ISO start, rule as text, what is left of the phrase."""

    def __init__(self, start=None, rule=None, title=None):
        self.start, self.rule, self.title = start, rule, title


def fetch(folder):
    """Makes the libraries importable; the sentence why not, or None."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
         "--no-input", "--timeout", "15", "--retries", "1", "--target", folder, *WANTED],
        capture_output=True, text=True)
    sys.path.insert(0, folder)
    return None if done.returncode == 0 else "pip could not fetch " + ", ".join(WANTED)


def rivals(clock, locale):
    """(name, answering function) of those that can be imported."""
    found = []
    for name, make in (("recurrent", recurrent), ("dateparser", dateparser),
                       ("parsedatetime", parsedatetime)):
        try:
            found.append((name, make(clock, locale)))
        except ImportError as error:
            print(f"  {name} is left out: {error}")
    return found


def recurrent(clock, locale):
    """The only one that knows repetition; it does not say where the date was."""
    from dateutil.rrule import rrulestr
    from recurrent.event_parser import RecurringEvent

    def answer(phrase):
        said = RecurringEvent(now_date=clock).parse(phrase)
        if isinstance(said, str):
            start = rrulestr(said, dtstart=None if "DTSTART" in said else clock)
            rule = said[said.index("RRULE:") + 6:].split("\n")[0]
            return Answer(iso(start.after(clock, inc=True)), rule)
        return Answer(iso(said))
    return answer


def dateparser(clock, locale):
    from dateparser.search import search_dates
    settings = {
        "RELATIVE_BASE": clock, "PREFER_DATES_FROM": "future",
        "DATE_ORDER": "MDY" if locale == "en_US" else "DMY",
    }
    languages = ["de", "en"] if locale.startswith("de") else ["en"]

    def answer(phrase):
        found = search_dates(phrase, languages=languages, settings=settings)
        if not found:
            return Answer(title=left(phrase, []))
        moment = found[0][1]
        return Answer(iso(moment.replace(tzinfo=None) if not moment.tzinfo else local(moment)),
                      title=left(phrase, [found[0][0]]))

    def local(moment):
        # The clock of the set is the process's own (see dates.py).
        return moment.astimezone().replace(tzinfo=None)
    return answer


def parsedatetime(clock, locale):
    import parsedatetime as module
    calendar = module.Calendar(module.Constants("en_US" if locale == "en_US" else "en_GB",
                                                usePyICU=False))

    def answer(phrase):
        found = calendar.nlp(phrase, sourceTime=clock)
        if not found:
            return Answer(title=left(phrase, []))
        moment, flag, _, _, text = found[0]
        return Answer(iso(moment), title=left(phrase, [text]))
    return answer


def iso(moment):
    return moment.strftime("%Y-%m-%dT%H:%M") if moment else None


LEADS = re.compile(
    r"^(hey |hi |please |pls |can you |could you |please )*"
    r"((remind|tell|ping) me( to| about| that)?|(do not|don't|dont) forget( the| to)?"
    r"|remember to|todo:?|set (a|an) (reminder|alarm)( for| to)?|i need to|need to)\s+", re.I)
DANGLING = re.compile(r"\s+(at|on|in|by|from|until|till|for|to|before|the|due|of|every)$", re.I)


def left(phrase, matched):
    """The same clean-up for everybody: the match out, then lead-ins and
    prepositions that stand alone."""
    for text in matched:
        phrase = phrase.replace(text, " ", 1)
    before = None
    while phrase != before:
        before = phrase
        phrase = " ".join(phrase.split()).strip(" ,-:")
        phrase = LEADS.sub("", phrase, count=1)
        phrase = DANGLING.sub("", phrase)
        phrase = re.sub(r"^(at|on|in|by|to|about|that)\s+", "", phrase, flags=re.I)
    return phrase
