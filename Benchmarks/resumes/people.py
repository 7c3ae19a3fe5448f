"""Invented people: what tells who they are, and how a text may spell it."""

import datetime
import re
import unicodedata

import words

# What decomposition leaves alone.
PLAIN = str.maketrans({
    "ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "AE",
    "œ": "oe", "Œ": "OE", "ı": "i", "’": "'", "ş": "s", "þ": "th",
})
GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def unaccented(text):
    text = unicodedata.normalize("NFKD", text.translate(PLAIN))
    return "".join(c for c in text if not unicodedata.combining(c))


def handle_form(text):
    return re.sub(r"[^a-z0-9]+", "", unaccented(text).lower())


def digits_into(pattern, random):
    return "".join(str(random.randrange(10)) if c == "#" else c for c in pattern)


# ---- numbers with a check digit: real ones have it ---------------------------

def iban(country, random):
    shapes = {"DE": "##################", "FR": "#######################", "ES": "####################",
              "PL": "########################", "IT": "X######################",
              "GB": "NWBK##############"}
    body = digits_into(shapes.get(country, shapes["DE"]), random)
    country = country if country in shapes else "DE"
    number = "".join(str(int(c, 36)) for c in body + country + "00")
    whole = f"{country}{98 - int(number) % 97:02}{body}"
    grouped = " ".join(whole[i:i + 4] for i in range(0, len(whole), 4))
    return random.choice([whole, grouped])


def pesel(birth, random):
    century = 20 if birth.year >= 2000 else 0
    digits = f"{birth.year % 100:02}{birth.month + century:02}{birth.day:02}"
    digits += digits_into("####", random)
    total = sum(int(c) * w for c, w in zip(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)))
    return digits + str(-total % 10)


def dni(random):
    number = random.randrange(10_000_000, 99_999_999)
    return f"{number}{random.choice(['', '-'])}{'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]}"


def nir(birth, random):
    digits = f"{random.choice('12')}{birth.year % 100:02}{birth.month:02}" + digits_into("75###0##", random)
    key = 97 - int(digits) % 97
    parts = (digits[0], digits[1:3], digits[3:5], digits[5:7], digits[7:10], digits[10:], f"{key:02}")
    return " ".join(parts)


def steuer_id(random):
    digits = random.sample("123456789", 9)
    digits.insert(random.randrange(1, 9), digits[0])
    product = 10
    for c in digits:
        total = (int(c) + product) % 10 or 10
        product = total * 2 % 11
    whole = "".join(digits) + str((11 - product) % 10)
    return random.choice([whole, f"{whole[:2]} {whole[2:5]} {whole[5:8]} {whole[8:]}"])


def aadhaar(random):
    d, p = [list(range(10))], [list(range(10))]
    d += [[1, 2, 3, 4, 0, 6, 7, 8, 9, 5], [2, 3, 4, 0, 1, 7, 8, 9, 5, 6],
          [3, 4, 0, 1, 2, 8, 9, 5, 6, 7], [4, 0, 1, 2, 3, 9, 5, 6, 7, 8],
          [5, 9, 8, 7, 6, 0, 4, 3, 2, 1], [6, 5, 9, 8, 7, 1, 0, 4, 3, 2],
          [7, 6, 5, 9, 8, 2, 1, 0, 4, 3], [8, 7, 6, 5, 9, 3, 2, 1, 0, 4],
          [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]]
    step = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
    for _ in range(7):
        p.append([step[x] for x in p[-1]])
    digits = [random.randrange(2, 10)] + [random.randrange(10) for _ in range(10)]
    check = 0
    for i, digit in enumerate(reversed(digits), 1):
        check = d[check][p[i % 8][digit]]
    whole = "".join(map(str, digits)) + str([0, 4, 3, 2, 1, 5, 6, 7, 8, 9][check])
    return f"{whole[:4]} {whole[4:8]} {whole[8:]}"


def codice_fiscale(first, last, birth, random):
    def three(name):
        letters = re.sub("[^A-Z]", "", unaccented(name).upper())
        return (re.sub("[AEIOU]", "", letters) + re.sub("[^AEIOU]", "", letters) + "XXX")[:3]

    code = three(last) + three(first) + f"{birth.year % 100:02}" + "ABCDEHLMPRST"[birth.month - 1]
    code += f"{birth.day:02}" + digits_into("F#0#", random)
    odd = dict(zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)))
    odd |= dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20,
                                                   11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)))
    even = {c: int(c, 36) - (10 if c.isalpha() else 0) for c in odd}
    total = sum((even if i % 2 else odd)[c] for i, c in enumerate(code))
    return code + chr(ord("A") + total % 26)


def national_id(country, first, last, birth, random):
    """How it is called where it stands alone, and the number."""
    make = {
        "US": lambda: ("SSN", digits_into(f"{random.randrange(101, 650)}-4#-12##", random)),
        "GB": lambda: ("NI number", digits_into("AB ## ## ## C", random)),
        "IN": lambda: random.choice([("Aadhaar", aadhaar(random)),
                                     ("PAN", digits_into("ABKPR####L", random))]),
        "DE": lambda: ("Steuer-ID", steuer_id(random)),
        "FR": lambda: ("NIR", nir(birth, random)),
        "ES": lambda: ("DNI", dni(random)),
        "PL": lambda: ("PESEL", pesel(birth, random)),
        "IT": lambda: ("C.F.", codice_fiscale(first, last, birth, random)),
    }
    return make[country]()


class Person:
    """Somebody of one country. `is_word` marks names that are ordinary words."""

    def __init__(self, country, random):
        table = words.COUNTRIES[country]
        self.country, self.script, self.is_word = country, "", False
        choice = random.random()
        if choice < 0.15:
            self.first, self.last = random.choice(table["word_names"])
            self.is_word = True
        elif choice < 0.3:
            self.first, self.last, self.script = random.choice(table["script"])
        else:
            self.first, self.last = random.choice(table["first"]), random.choice(table["last"])
        self.born = datetime.date(1958, 1, 1) + datetime.timedelta(days=random.randrange(16_000))
        first, last = handle_form(self.first), handle_form(self.last.replace(" Jr.", ""))
        if country == "DE" and random.random() < 0.5:
            first, last = (handle_form(n.translate(GERMAN)) for n in (self.first, self.last))
        number = f"{random.randrange(10, 100)}"
        local = random.choice([f"{first}.{last}", f"{first[0]}{last}", f"{last}_{first}{number}",
                               f"{first}-{last}", f"{first}{last}{self.born.year}"])
        self.email = f"{local}@{random.choice(words.MAILS + [f'{last}.example'])}"
        self.handle = random.choice([f"{first}{last}", f"{first[0]}-{last}", f"{last}{number}",
                                     f"{first}_{last[0]}{number}codes"])
        self.url = random.choice([
            f"https://www.linkedin.com/in/{first}-{last}-{number}b7", f"github.com/{self.handle}",
            f"https://{last}-{first}.example/cv", f"www.xing.com/profile/{first}_{last}"])
        self.phone = digits_into(random.choice(table["phones"]), random)
        self.street, self.city = random.choice(table["streets"]), random.choice(table["cities"])
        self.birth = self.written_birth(random)
        self.id_name, self.id = national_id(country, self.first, self.last, self.born, random)

    @property
    def name(self):
        return f"{self.first} {self.last}"

    def written_birth(self, random):
        table = words.COUNTRIES[self.country]
        return random.choice(table["birth"]).format(
            d=self.born.day, dd=self.born.day, m=self.born.month, y=self.born.year,
            mon=table["words"]["months"][self.born.month - 1])

    def odd_name(self, random):
        """The name as a careless text has it."""
        last = self.last.replace(" Jr.", "")
        forms = [
            self.name, f"{self.first} {last}", self.name.upper(), f"{self.first}   {last}",
            f"{last}, {self.first}", f"{self.first[0]}. {last}", f"{last} {self.first}",
            f"{self.first}\u00a0{last}", unicodedata.normalize("NFD", self.name),
        ]
        if self.script:
            forms.append(self.script)
        if not self.is_word:
            forms += [self.name.lower(), unaccented(self.name), self.first,
                      f"{self.first[:2]}\u200b{self.first[2:]} {last}",
                      f"{self.first[:-1]}\u00ad{self.first[-1]} {last}",
                      " ".join(self.first) + "  " + " ".join(last)]
        return random.choice(forms)

    def odd_email(self, random):
        return random.choice([self.email, self.email.upper(), self.email.replace("@", " @ "),
                              self.email.replace("@", " (at) "), f"<{self.email}>"])

    def odd_phone(self, random):
        digits = re.sub(r"\D", "", self.phone.split("x")[0].replace("(0)", ""))
        return random.choice([self.phone, digits, " ".join(re.findall("..?", digits)),
                              digits[:4] + "/" + digits[4:], self.phone.replace(" ", "\u00a0")])

    def odd_handle(self, random):
        return random.choice([self.handle, "@" + self.handle, self.handle.upper()])

    def odd_street(self, random):
        return random.choice([self.street, self.street.upper(), self.street.replace(",", " –")])

    def even(self, slot, random):
        """A spelling that is another one for everybody: two people have the same number
        of different ones."""
        first, last = self.first, self.last
        return random.choice({
            "name": [self.name, self.name.upper(), f"{first}   {last}", f"{last}, {first}",
                     f"{first[0]}. {last}", f"{last} {first}", f"{first}\u00a0{last}"],
            "email": [self.email, self.email.upper(), self.email.replace("@", " (at) ")],
            "phone": [self.phone], "url": [self.url], "street": [self.street, self.street.upper()],
            "handle": [self.handle, "@" + self.handle, self.handle.upper()]}[slot])

    def profile(self, random, share):
        """What its owner told the program: all of it, or only what most people would."""
        entries = [["name", self.name], ["email", self.email], ["phone", self.phone]]
        if share == "full":
            entries += [["address", f"{self.street}, {self.city}"], ["url", self.url],
                        ["birthdate", self.born.isoformat()], ["url", self.handle_url()]]
            if self.script:
                entries.append(["name", self.script])
        return entries

    def handle_url(self):
        return f"https://github.com/{self.handle}"

    def gold(self):
        return {
            "first": self.first, "last": self.last, "script": self.script, "word": self.is_word,
            "email": self.email, "phone": self.phone, "street": self.street, "city": self.city,
            "url": self.url, "handle": self.handle, "birth": self.birth,
            "born": self.born.isoformat(), "id": self.id,
        }


def unknown(country, random):
    """Something of somebody else that has a shape of its own: kind and text."""
    person = Person(country, random)
    kind = random.choice(["email", "phone", "url"] * 3 + ["iban", "id", "birth", "address"])
    labels = words.COUNTRIES[country]["words"]["labels"]
    written = {
        "email": ("", person.email), "phone": ("", person.phone), "url": ("", person.url),
        "iban": ("IBAN ", iban(country, random)), "id": (person.id_name + " ", person.id),
        "birth": (labels["birth"] + " ", person.birth),
        "address": ("", f"{person.street}, {person.city}"),
    }
    return kind, *written[kind]
