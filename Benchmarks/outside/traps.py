"""Fifty ways in which a résumé names its owner where one would not look.

Each trap takes the person and the parts and may add bullets (`d.extra`), lines under the
head (`d.head`), lines at the end (`d.tail`), what the owner declared (`declare`), what must
not be seen (`hide`) and what must be (`keep`)."""

import unicodedata
import urllib.parse

from people import handle, plain


class Trap:
    def __init__(self, name, body, country=None, first=None, last=None, is_word=False):
        self.name, self.body = name, body
        self.country, self.first, self.last, self.is_word = country, first, last, is_word


class Marks:
    def __init__(self):
        self.declare, self.hide, self.keep = [], [], []


def genitive(last):
    return last if last.endswith("s") else last + "s"


def initials(first):
    return "".join(w[0] + "." for w in first.replace("-", " ").split())


def own_project(p, d, m):
    d.extra.append(f"Built the {p.name} Route Planner, a side project with 3,400 users.")
    m.keep += ["Route Planner", "3,400 users"]


def repository(p, d, m):
    d.extra.append(f"Code: https://github.com/{handle(p.first)}{handle(p.last)}/cv-tool (2021)")
    m.hide.append(["literal", handle(p.first) + handle(p.last)])
    m.keep.append("(2021)")


def split_email(p, d, m):
    cut = len(p.email) // 2
    d.extra.append(f"Questions: <{p.email[:cut]}\n  {p.email[cut:]}>")


def wrapped_email(p, d, m):
    local, host = p.email.split("@")
    d.extra.append(f"Questions to {local}@\n{host} at any time.")


def phone_words(p, d, m):
    names = "zero one two three four five six seven eight nine".split()
    digits = "".join(c for c in p.phone if c.isdigit())
    d.extra.append("On call: " + " ".join(names[int(c)] for c in digits))
    m.hide.append(["literal", " ".join(names[int(c)] for c in digits[-5:])])


def phone_dots(p, d, m):
    d.extra.append("Hotline during migration: " + ".".join(c for c in p.phone if c.isdigit()))


def phone_split(p, d, m):
    cut = p.phone.rfind(" ") if " " in p.phone else len(p.phone) - 3
    d.extra.append(f"Reached day and night at {p.phone[:cut]}\n  {p.phone[cut:].strip()}")


def phone_link(p, d, m):
    digits = "".join(c for c in p.phone if c.isdigit() or c == "+")
    d.extra.append(f"[Call](tel:{digits})")


def phone_full_width(p, d, m):
    wide = "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in p.phone)
    d.extra.append("☎ " + wide)


def initial_last(p, d, m):
    d.extra.append(f"Quality award 2018 to {initials(p.first)} {p.last}")
    m.keep.append("Quality award 2018")


def initials_only(p, d, m):
    letters = "".join(w[0] for w in (p.first + " " + p.last).replace("-", " ").replace("'", " ").split())
    d.extra.append(f"Sign-off {letters.upper()}/2019 on 14 drawings")
    m.keep += ["on 14 drawings"]


def reversed_name(p, d, m):
    d.extra.append(f"Listed as {p.last.upper()}, {p.first} in the register of 2020")
    m.keep.append("in the register of 2020")


def spaced_name(p, d, m):
    d.extra.append("Stage name: " + " ".join(p.first.upper()) + "   " + " ".join(p.last.upper()))
    m.hide.append(["spaced", p.last])


def double_spaces(p, d, m):
    d.extra.append(f"Report by {p.first}  {p.last}, 48 pages")


def thin_spaces(p, d, m):
    d.extra.append(f"Report by {p.first}\u2009{p.last}, 48 pages, and {p.first}\u00a0{p.last} again")


def zero_width(p, d, m):
    d.extra.append(f"Report by {p.first[0]}\u200b{p.first[1:]} {p.last[:2]}\u2060{p.last[2:]}, 48 pages")


def soft_hyphen(p, d, m):
    d.extra.append(f"Report by {p.last[:2]}\u00ad{p.last[2:]}, 48 pages")


def hyphenated(p, d, m):
    d.extra.append(f"Chaired the works council; speaker {p.last[:3]}-\n  {p.last[3:]}, 48 meetings")
    m.hide.append(["split", p.last])


def decomposed(p, d, m):
    d.extra.append(unicodedata.normalize("NFD", f"Report by {p.name}, 48 pages"))


def without_marks(p, d, m):
    d.extra.append(f"Report by {plain(p.name)}, 48 pages")


def german_letters(p, d, m):
    text = p.name
    for a, b in zip("äöüÄÖÜ", ["ae", "oe", "ue", "Ae", "Oe", "Ue"]):
        text = text.replace(a, b)
    text = text.replace("ß", "ss").replace("ø", "oe").replace("å", "aa").replace("Å", "Aa").replace("Ø", "Oe")
    d.extra.append(f"Report by {text}, 48 pages")
    m.hide.append(["literal", text.split()[-1]])


def upper_case(p, d, m):
    d.extra.append(f"REPORT BY {p.name.upper()}, 48 PAGES; report by {p.name.lower()}, 12 pages")
    m.keep.append("12 pages")


def possessive(p, d, m):
    d.extra.append(f"Known as {p.first}'s method and {p.last}’s rule; {genitive(p.last)} Regel in 14 works")
    m.hide.append(["literal", genitive(p.last)])
    m.keep.append("in 14 works")


def inflected(p, d, m):
    base = p.last[:-1] if p.last[-1] in "aáýeý" else p.last
    d.extra.append(f"Rozmowa z {base}em i dla {base}owi, 2019")
    m.hide.append(["literal", base + "em"])


def hashtag(p, d, m):
    name = handle(p.first).capitalize() + handle(p.last).capitalize()
    d.extra.append(f"Ran the campaign #{name} with 12,000 posts")
    m.hide.append(["literal", name])
    m.keep.append("with 12,000 posts")


def camel_case(p, d, m):
    d.extra.append(f"class {handle(p.last).capitalize()}Parser, 1,847 lines")
    m.hide.append(["literal", handle(p.last).capitalize() + "Parser"])


def user_name(p, d, m):
    d.extra.append(f"Home in /home/{handle(p.first)}.{handle(p.last)}/etl, cron at 04:30")
    m.hide.append(["literal", f"{handle(p.first)}.{handle(p.last)}"])
    m.keep.append("cron at 04:30")


def twitter(p, d, m):
    d.extra.append(f"Wrote as @{p.handle} for 3 years")
    m.keep.append("for 3 years")


def bare_handle(p, d, m):
    d.extra.append(f"LinkedIn: in/{p.handle}")


def file_name(p, d, m):
    d.tail.append(f"CV_{plain(p.first)}_{plain(p.last)}_2023_final.pdf")
    m.hide.append(["literal", f"{plain(p.first)}_{plain(p.last)}".replace(" ", "_")])


def percent_name(p, d, m):
    d.extra.append(f"Talk: https://talks.example.org/speakers/{urllib.parse.quote(p.last)}")
    m.hide.append(["literal", urllib.parse.quote(p.last)])


def html_name(p, d, m):
    text = "".join(c if ord(c) < 128 else f"&#{ord(c)};" for c in p.name)
    d.extra.append(f"Report by {text}, 48 pages")
    m.hide.append(["literal", text.split()[-1]])


def markdown_split(p, d, m):
    d.extra.append(f"Report by **{p.first}** {p.last[:3]}**{p.last[3:]}**, 48 pages")
    m.hide.append(["split", p.last])


def cells(p, d, m):
    d.extra.append(f"| {p.first} | {p.last} | 48 |")


def own_firm(p, d, m):
    d.extra.append(f"Founder of {p.last} Consulting, 2014–2016, 5 clients")
    m.keep += ["Consulting, 2014–2016", "5 clients"]


def work_email(p, d, m):
    host = "contoso.example"
    d.extra.append(f"Owner of the mailbox {handle(p.first)}.{handle(p.last)}@{host}")
    m.hide.append(["email", f"{handle(p.first)}.{handle(p.last)}@{host}"])


def obfuscated_email(p, d, m):
    local, host = p.email.split("@")
    d.extra.append(f"Write to {local} (at) {host.replace('.', ' dot ')}")
    m.hide.append(["literal", local])


def second_email(p, d, m):
    d.extra.append("Private: quietriver77@mail.example.com")
    m.hide.append(["email", "quietriver77@mail.example.com"])


def second_phone(p, d, m):
    d.extra.append("Emergency contact: +49 171 3920077")
    m.hide.append(["phone", "+49 171 3920077"])


def address_inside(p, d, m):
    d.extra.append(f"Office at home, {p.street}, since 2020")
    m.keep.append("Office at home")


def address_lines(p, d, m):
    d.tail += ["Post to:", "  " + p.street, f"  {p.code} {p.city}"]


def born_inside(p, d, m):
    d.extra.append(f"Youngest foreman of the plant (born {p.birth}, appointed 2014)")
    m.keep.append("appointed 2014")


def nickname(p, d, m):
    d.extra.append(f'Known to all as "Bobbin"; Bobbin {p.last} on the roster of 2016')
    m.declare.append(["name", f"Bobbin {p.last}"])
    m.hide.append(["name", "Bobbin"])
    m.keep.append("on the roster of 2016")


def maiden_name(p, d, m):
    d.head.append(f"née Wolkenstein")
    d.extra.append("Thesis (as Wolkenstein), 2009, grade 1.3")
    m.declare.append(["name", f"{p.first} Wolkenstein"])
    m.hide.append(["name", "Wolkenstein"])
    m.keep.append("2009, grade 1.3")


def other_script(p, d, m):
    d.head.append("Ольга Ковальчук")
    d.extra.append("Доклад: О. Ковальчук, 48 страниц; КОВАЛЬЧУК ОЛЬГА")
    m.declare.append(["name", "Ольга Ковальчук"])
    m.hide += [["literal", "Ковальчук"], ["literal", "Ольга"]]
    m.keep.append("48 страниц")


def chinese(p, d, m):
    d.head.append("王小明")
    d.extra.append("译者：王小明，2019年，48页")
    m.declare.append(["name", "王小明"])
    m.hide.append(["literal", "王小明"])


def devanagari(p, d, m):
    d.head.append("लक्ष्मी चटर्जी")
    d.extra.append("अनुवाद: लक्ष्मी चटर्जी, 2019")
    m.declare.append(["name", "लक्ष्मी चटर्जी"])
    m.hide.append(["literal", "चटर्जी"])


def caption(p, d, m):
    d.tail.append(f"Fig. 1: {p.name} at the 2022 fair (photo: private)")
    m.keep.append("at the 2022 fair")


def vcard(p, d, m):
    d.tail += ["BEGIN:VCARD", "VERSION:3.0", f"N:{p.last};{p.first};;;", f"FN:{p.name}",
               f"TEL;TYPE=CELL:{p.phone}", f"EMAIL:{p.email}", "END:VCARD"]


def json_block(p, d, m):
    d.tail.append('{"name": "%s", "email": "%s"}' % (
        p.name.encode("unicode_escape").decode().replace("\\x", "\\u00"), p.email))
    m.hide.append(["literal", p.last.encode("unicode_escape").decode().replace("\\x", "\\u00")])


def quoted_mail(p, d, m):
    d.tail += ["-----Original Message-----", f"From: {p.name} <{p.email}>", "Subject: CV"]


def word_plain(p, d, m):
    """The name is made of words, which stay where they are words."""
    d.extra += [f"Report by {p.name}, 48 pages"] + m.keep


TRAPS = [
    Trap("own project", own_project), Trap("repository", repository), Trap("split e-mail", split_email),
    Trap("wrapped e-mail", wrapped_email), Trap("phone in words", phone_words), Trap("phone with dots", phone_dots),
    Trap("phone on two lines", phone_split), Trap("tel: link", phone_link),
    Trap("full-width phone", phone_full_width), Trap("initial and name", initial_last),
    Trap("initials", initials_only), Trap("reversed name", reversed_name), Trap("spaced name", spaced_name),
    Trap("double spaces", double_spaces), Trap("thin spaces", thin_spaces), Trap("zero width", zero_width),
    Trap("soft hyphen", soft_hyphen), Trap("hyphenated", hyphenated), Trap("decomposed", decomposed, "CZ"),
    Trap("without marks", without_marks, "PL"), Trap("ae oe ue", german_letters, "DE"),
    Trap("ae oe ue north", german_letters, "DK"), Trap("capitals", upper_case), Trap("Turkish capitals", upper_case, "TR", "Işıl", "İnönü"),
    Trap("sharp s capitals", upper_case, "DE", "Heike", "Großmann"),
    Trap("possessive", possessive, "SE"), Trap("inflected", inflected, "PL", "Wojciech", "Kościelniak"),
    Trap("hashtag", hashtag), Trap("camel case", camel_case, "US", "Harlan", "Castellanos"),
    Trap("user name", user_name), Trap("at handle", twitter), Trap("bare handle", bare_handle),
    Trap("file name", file_name), Trap("percent", percent_name, "TR"), Trap("entities", html_name, "FR"),
    Trap("markup inside", markdown_split), Trap("cells", cells), Trap("own firm", own_firm),
    Trap("work e-mail", work_email), Trap("obfuscated e-mail", obfuscated_email),
    Trap("second e-mail", second_email), Trap("second phone", second_phone),
    Trap("address inside", address_inside), Trap("address lines", address_lines), Trap("birth inside", born_inside),
    Trap("nickname", nickname), Trap("maiden name", maiden_name), Trap("Cyrillic", other_script),
    Trap("Chinese", chinese), Trap("Devanagari", devanagari), Trap("caption", caption), Trap("vcard", vcard),
    Trap("JSON escapes", json_block, "ES"), Trap("quoted mail", quoted_mail),
    Trap("name Will", word_plain, "US", "Will", "Whitlock", True), Trap("name Rose May", word_plain, "GB", "Rose", "May", True),
    Trap("name Mark Hope", word_plain, "US", "Mark", "Hope", True), Trap("name Paris", word_plain, "US", "Paris", "Thibodeaux", True),
    Trap("name Ford", word_plain, "GB", "Nigel", "Ford", True), Trap("name Bo Li", word_plain, "US", "Bo", "Li", True),
    Trap("name Sommer", word_plain, "DE", "Heike", "Sommer", True), Trap("name Baker", word_plain, "GB", "Philippa", "Baker", True),
    Trap("name Java", word_plain, "IN", "Ruby", "Patil", True), Trap("name Love Ek", word_plain, "SE", "Love", "Ek", True),
]

# Sentences in which the words of a name are words.
WORDS = {
    "name Will": ["The plan will hold until 2024, and it will be cheap."],
    "name Rose May": ["Sales rose by 12 % between May and August 2019.", "Staff may work from home."],
    "name Mark Hope": ["Set a mark of 98 % and hope to pass it in 2024."],
    "name Paris": ["Signed off 14 drawings in 2018."],
    "name Ford": ["Crossed the ford with 3 trucks in 2018."],
    "name Bo Li": ["Bought 14 bolts and a libretto in 2018."],
    "name Sommer": ["Im sommerlichen Betrieb 2019 galt die 4-Tage-Woche."],
    "name Baker": ["Trained 14 bakers and a baker's mate in 2018."],
    "name Java": ["Moved 14 services from Java 8 to Java 17."],
    "name Love Ek": ["We love clean code; ekonomi 2 in 2018."],
}
