"""Fourteen ways to set a résumé out. Each takes a person and the parts, and gives the text."""

import words


class Parts:
    """What stands below the head. `extra` are bullets of a trap, `tail` lines at the end."""

    def __init__(self, random, person, referee):
        lang = person.lang
        self.person, self.referee, self.lang = person, referee, lang
        self.about = words.ABOUT[lang]
        roles = random.sample(words.ROLES[lang], 2)
        firms = random.sample(words.COMPANIES, 2)
        start = random.randrange(2008, 2014)
        bullets = random.sample(words.BULLETS[lang], 5)
        self.jobs = [(roles[0], firms[0], f"{start + 6}–{start + 10}", bullets[:3]),
                     (roles[1], firms[1], f"{start}–{start + 6}", bullets[3:])]
        self.school = f"{random.choice(words.SCHOOLS)}, {start - 4}–{start}"
        self.skills = ", ".join(random.sample(words.SKILLS, 5))
        self.spoken = random.choice(words.SPOKEN)
        self.extra, self.head, self.tail = [], [], []
        self.heading = dict(zip(
            ["about", "work", "school", "skills", "spoken", "references", "personal"],
            words.HEADINGS[lang]))
        self.label = dict(zip(
            ["name", "address", "phone", "email", "birth", "place", "status", "nation"],
            words.LABELS[lang]))

    @property
    def keep(self):
        """Phrases that are nobody's."""
        phrases = [self.about, self.school, self.skills, self.spoken]
        for role, firm, years, bullets in self.jobs:
            phrases += [role, firm, years] + bullets
        return phrases

    def bullets(self, mark="- "):
        lines = []
        for index, (role, firm, years, bullets) in enumerate(self.jobs):
            lines += [f"{role}, {firm}, {years}"] + [mark + b for b in bullets]
            if index == 0:
                lines += [mark + e if "\n" not in e and not e.startswith("|") else e for e in self.extra]
            lines.append("")
        return lines

    def referees(self):
        r = self.referee
        return [f"{r.name}, {self.jobs[0][1]}", f"{r.phone} · {r.email}"]

    def body(self, heading=lambda h: h, rule=None, with_references=True):
        def head(name):
            return [heading(self.heading[name])] + ([rule] if rule else [])
        lines = head("about") + [self.about, ""]
        lines += head("work") + self.bullets()
        lines += head("school") + [self.school, ""]
        lines += head("skills") + [self.skills, ""]
        lines += head("spoken") + [self.spoken, ""]
        if with_references:
            lines += head("references") + self.referees() + [""]
        return lines + self.tail


def plain(p, d):
    return [p.name, p.address, f"{p.phone} | {p.email}", p.url] + d.head + [""] + d.body()


def no_headings(p, d):
    """Paragraphs only; what is first is the person, what is last the date."""
    lines = [p.name, p.street, f"{p.code} {p.city}", p.phone, p.email] + d.head + [""]
    lines += [d.about, ""] + d.bullets("") + [d.school, d.skills, d.spoken] + d.tail
    return lines


def header_bottom(p, d):
    return d.body(heading=str.upper, with_references=False) + [
        "—" * 20, f"{p.name} · {p.address}", f"{p.phone} · {p.email} · {p.url}"] + d.head


def sidebar(p, d):
    """Two columns that a converter has run together."""
    left = [p.name, "", p.phone, p.email, p.street, f"{p.code} {p.city}", p.url, "",
            d.heading["skills"]] + d.skills.split(", ") + ["", d.heading["spoken"]] + d.spoken.split(", ")
    right = [d.heading["about"], d.about, "", d.heading["work"]] + d.bullets("• ")
    right += [d.heading["school"], d.school]
    lines = []
    for index in range(max(len(left), len(right))):
        a = left[index] if index < len(left) else ""
        b = right[index] if index < len(right) else ""
        lines.append(f"{a:<44}{b}".rstrip())
    return lines + [""] + d.head + d.tail


def linkedin(p, d):
    lines = ["Contact", f"{p.phone} (Mobile)", p.email, f"{p.url} (LinkedIn)", "",
             "Top Skills"] + d.skills.split(", ")[:3] + ["", "Languages"] + d.spoken.split(", ")
    lines += ["", p.name, f"{d.jobs[0][0]} at {d.jobs[0][1]}", p.city, "", "Summary", d.about, "", "Experience"]
    for index, (role, firm, years, bullets) in enumerate(d.jobs):
        lines += [firm, role, f"January {years[:4]} - March {years[-4:]} ({int(years[-4:]) - int(years[:4])} years 3 months)"]
        lines += bullets + (d.extra if index == 0 else []) + [""]
    return lines + d.head + ["Education", d.school, "", "  Page 1 of 2"] + d.tail


def europass(p, d):
    first, last = p.first, p.last
    return ["Europass", d.heading["personal"],
            f"{d.label['name']}    {last} {first}", f"{d.label['address']}    {p.address}",
            f"{d.label['phone']}    {p.phone}", f"{d.label['email']}    {p.email}",
            f"{d.label['nation']}    –", f"{d.label['birth']}    {p.birth}"] + d.head + [""] + d.body(
                with_references=False)


def pipes(p, d):
    lines = [f"# {p.name}", "", "| | |", "|---|---|", f"| {d.label['address']} | {p.address} |",
             f"| {d.label['phone']} | {p.phone} |", f"| {d.label['email']} | {p.email} |",
             f"| Web | {p.url} |"] + d.head + ["", f"## {d.heading['work']}", "",
             "| | | |", "|---|---|---|"]
    for role, firm, years, bullets in d.jobs:
        lines.append(f"| {years} | {role} | {firm}: {' '.join(bullets)} |")
    lines += [""] + d.extra + ["", f"## {d.heading['about']}", d.about, "", f"## {d.heading['school']}", d.school, "",
              f"## {d.heading['skills']}", d.skills, "", f"## {d.heading['spoken']}", d.spoken, "",
              f"## {d.heading['references']}"]
    return lines + [f"| {r} |" for r in d.referees()] + d.tail


def spaced_caps(p, d):
    name = "   ".join(" ".join(word) for word in p.name.upper().split(" "))
    return [name, " ".join(d.jobs[0][0].upper()), "", f"{p.phone}  ·  {p.email}", p.address] + d.head + [""] + d.body(
        heading=lambda h: " ".join(h.upper()), rule="=" * 30)


def cv_of(p, d):
    return [words.CV_OF[d.lang].format(p.name), "=" * 24, "", f"{d.label['email']}: {p.email}",
            f"{d.label['phone']}: {p.phone}", f"{d.label['address']}: {p.address}"] + d.head + [""] + d.body(
                heading=lambda h: h + ":")


def signature_end(p, d):
    return [words.TITLES[d.lang], "", p.name, p.address, p.phone, p.email] + d.head + [""] + d.body() + [
        "", f"{p.city}, 3.5.2023", "", "________________", p.name]


def page_headers(p, d):
    lines = [f"[Photo: {p.name}]", p.name.upper(), f"{p.email} / {p.phone}", p.street,
             f"{p.code} {p.city}"] + d.head + [""] + d.body()
    half = len(lines) // 2
    return lines[:half] + ["\f" + words.PAGE[d.lang].format(p.name), f"{p.email} · {p.phone}", ""] + lines[half:]


def lebenslauf(p, d):
    """A table of personal data between other sections."""
    rows = [(d.label["name"], p.name), (d.label["address"], p.street), ("", f"{p.code} {p.city}"),
            (d.label["phone"], p.phone), (d.label["email"], p.email), (d.label["birth"], p.birth),
            (d.label["place"], p.city)]
    lines = [words.TITLES[d.lang], "", d.heading["personal"]]
    lines += [f"{a + ':' if a else '':<24}{b}" for a, b in rows] + [d.label["status"]] + d.head + [""]
    return lines + d.body() + ["", f"{p.city}, 03.05.2023", p.name]


def indian(p, d):
    """Personal details and a declaration at the end."""
    lines = ["RESUME", "", p.name.upper(), f"Email id: {p.email}", f"Mob: {p.phone}"] + d.head + ["", "CAREER OBJECTIVE", d.about, ""]
    lines += [d.heading["work"].upper()] + d.bullets("➢ ")
    lines += ["EDUCATIONAL QUALIFICATION", d.school, "", "TECHNICAL SKILLS", d.skills, "", d.spoken, "",
              "PERSONAL DETAILS", f"Name             : {p.name}", f"Father's Name    : {d.referee.first} {p.last}",
              f"Date of Birth    : {p.birth}", f"Permanent Address: {p.address}", "",
              "DECLARATION", "I hereby declare that the above is true to the best of my knowledge.", "",
              f"Place: {p.city}", "Date: 03-05-2023" + " " * 24 + f"({p.name})"]
    return lines + d.tail


def academic(p, d):
    initials = "".join(part[0] + "." for part in p.first.replace("-", " ").split())
    lines = [f"{p.name}, PhD", f"{p.email} · {p.url}", p.address] + d.head + [""]
    lines += [d.heading["about"], d.about, "", d.heading["work"]] + d.bullets()
    lines += [d.heading["school"], d.school, "", "Publications",
              f"1. {p.last}, {initials}, Halvorsen, T. (2019). Widgets under load. J. Appl. Widgets 45(2), 201–219.",
              f"2. Halvorsen T, {p.last} {initials.replace('.', '')}. Calm under load. doi:10.1000/182, 2021.",
              f"3. {initials} {p.last} and T. Halvorsen, arXiv:2106.01345, 12 pages.", "",
              d.heading["skills"], d.skills, "", d.heading["spoken"], d.spoken, "", d.heading["references"]]
    return lines + d.referees() + d.tail


def one_line(p, d):
    bullets = " ".join(b for _, _, _, some in d.jobs for b in some)
    jobs = "; ".join(f"{role}, {firm}, {years}" for role, firm, years, _ in d.jobs)
    return [" – ".join([p.name, p.address, p.phone, p.email, d.about, jobs, bullets] + d.extra
                       + [d.school, d.skills, d.spoken])] + d.head + d.tail


ALL = [plain, no_headings, header_bottom, sidebar, linkedin, europass, pipes, spaced_caps, cv_of,
       signature_end, page_headers, lebenslauf, indian, academic, one_line]
