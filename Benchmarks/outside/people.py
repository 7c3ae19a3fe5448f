"""Invented people of fourteen countries, and what a résumé would tell of them."""

import unicodedata

# first names, last names, cities with a postal code, streets, e-mail hosts, forms of a
# telephone number (# is a digit), the country's own word for it
COUNTRIES = {
    "US": dict(
        first=["Delphine", "Marcus", "Oyelaran", "Tamsin", "Quentin", "Yesenia", "Harlan", "Brielle"],
        last=["Okonkwo", "Whitlock", "Castellanos", "Vandermeer", "Thibodeaux", "Nakagawa", "Pruitt", "O'Shaughnessy"],
        cities=[("Duluth, MN", "55802"), ("Tucson, AZ", "85719"), ("Savannah, GA", "31401")],
        streets=["{n} Larkspur Ct", "{n} N 14th St, Unit 6", "{n} Old Ferry Road", "{n} Quarry Hill Blvd Apt 2C"],
        phones=["(218) 555-01##", "218.555.01##", "+1 218-555-01##", "1-218-555-01## x44"],
        birth=["April 17, 1989", "04/17/1989"], lang="en"),
    "GB": dict(
        first=["Imogen", "Rhodri", "Saoirse", "Alasdair", "Philippa", "Tariq", "Gwenllian", "Nigel"],
        last=["Featherstone", "Ap Gwynedd", "MacAllister", "Ramsbottom", "Chaudhry", "Penhaligon", "St John-Smythe", "Ogilvie"],
        cities=[("Ludlow", "SY8 1PG"), ("Dundee", "DD1 4HN"), ("Whitby", "YO21 3PR")],
        streets=["{n} Corve Street", "Flat {n}, The Old Maltings, Mill Lane", "{n} St Hilda's Terrace"],
        phones=["07700 900 1##", "+44 7700 9001##", "(01632) 9601##", "+44 (0)20 7946 01##"],
        birth=["17 April 1989", "17/04/1989"], lang="en"),
    "IN": dict(
        first=["Lakshmi", "Harpreet", "Anirudh", "Shabnam", "Velmurugan", "Ipsita", "Gurpreet", "Nandini"],
        last=["Chatterjee", "Ramachandran", "Ahluwalia", "Deshpande", "Qureshi", "Thiruvengadam", "Mukhopadhyay", "Patil"],
        cities=[("Mysuru", "570001"), ("Ludhiana", "141001"), ("Nashik", "422005")],
        streets=["H.No. {n}/2, Vijayanagar 3rd Stage", "Flat {n}, Shanti Niketan Apts, College Road", "{n}, Gandhi Chowk"],
        phones=["+91 98450 128##", "098450128##", "98450-128##", "+91-98450128##"],
        birth=["17-04-1989", "17th April 1989"], lang="en"),
    "DE": dict(
        first=["Jörg-Uwe", "Heike", "Thorsten", "Käthe", "Ünal", "Friederike", "Götz", "Annegret"],
        last=["Großmann", "von der Heyde", "Schmölders", "Müller-Lüdenscheidt", "Wißkirchen", "Jäckel", "Özdemir", "Thielemann"],
        cities=[("Göttingen", "37073"), ("Zwickau", "08056"), ("Lörrach", "79539")],
        streets=["Kurze-Geismar-Straße {n}", "Am Steinernen Kreuz {n}b", "Hölderlinweg {n}"],
        phones=["0551 23125##", "+49 171 39200##", "0171/39200##", "+49 (0)551 231 25-##"],
        birth=["17.04.1989", "17. April 1989"], lang="de"),
    "FR": dict(
        first=["Maëlys", "Jean-Baptiste", "Éloïse", "Thibault", "Noémie", "Aurélien", "Zoé", "Fatoumata"],
        last=["de La Rochefoucauld", "Le Goff", "N'Diaye", "Delacroix", "Châtelain", "Prud'homme", "Benoît", "d'Aubigné"],
        cities=[("Quimper", "29000"), ("Besançon", "25000"), ("Nîmes", "30900")],
        streets=["{n} bis, rue Kéréon", "{n}, impasse des Mûriers", "{n} avenue du Maréchal-Foch"],
        phones=["06 39 98 01 ##", "06.39.98.01.##", "+33 6 39 98 01 ##", "+33 (0)1 99 00 01 ##"],
        birth=["17 avril 1989", "17/04/1989"], lang="fr"),
    "ES": dict(
        first=["Begoña", "Íñigo", "María del Carmen", "Joaquín", "Nerea", "Aitor", "Concepción", "Xavier"],
        last=["Etxeberria Olaizola", "Núñez de Balboa", "García-Pelayo", "Peñalver", "Muñoz y Rivas", "Zubizarreta", "Ibáñez", "Puig"],
        cities=[("Lugo", "27001"), ("Cáceres", "10003"), ("Girona", "17004")],
        streets=["C/ San Roque, {n}, 2.º D", "Avda. de la Constitución {n}", "Plaza del Obispo {n}"],
        phones=["+34 611 22 01 ##", "611 2201 ##", "982-34-01-##", "0034 6112201##"],
        birth=["17 de abril de 1989", "17/04/1989"], lang="es"),
    "PL": dict(
        first=["Wojciech", "Grażyna", "Łucja", "Zbigniew", "Małgorzata", "Świętosław", "Agnieszka", "Bożena"],
        last=["Brzęczyszczykiewicz", "Łabędź", "Żółkiewska", "Nowak-Wąs", "Ćwiklińska", "Kościelniak", "Szczęsny", "Dąb"],
        cities=[("Łódź", "90-001"), ("Rzeszów", "35-064"), ("Płock", "09-402")],
        streets=["ul. Żwirki i Wigury {n}/3", "al. Niepodległości {n} m. 7", "os. Słoneczne {n}"],
        phones=["+48 601 234 5##", "601-234-5##", "(42) 631 25 ##", "48 6012345##"],
        birth=["17.04.1989", "17 kwietnia 1989 r."], lang="pl"),
    "IT": dict(
        first=["Niccolò", "Maria Grazia", "Gennaro", "Desirée", "Ludovica", "Ermenegildo", "Nausicaa", "Piero"],
        last=["D'Alessandro", "Della Valle", "Bevilacqua", "Lo Presti", "Quattrocchi", "Sant'Agostino", "Ferragni Rossi", "Cusumano"],
        cities=[("Matera", "75100"), ("Pordenone", "33170"), ("L'Aquila", "67100")],
        streets=["Via XX Settembre {n}", "Vicolo del Forno, {n}/B", "Corso Umberto I {n}, int. 4"],
        phones=["+39 333 555 01##", "333/55501##", "0835 5501##", "333.555.01.##"],
        birth=["17/04/1989", "17 aprile 1989"], lang="it"),
    "NL": dict(
        first=["Sjoerd", "Geertruida", "Mohammed", "Fleur", "Jan-Willem", "Annelies", "Thijs", "Renée"],
        last=["van der Zijden", "'t Hart", "IJzerman", "de Graaff", "ten Broeke", "Van den Berghe-Smit", "Hoogeveen", "Buijs"],
        cities=[("Zwolle", "8011 AB"), ("Delft", "2611 KL"), ("Den Helder", "1781 GX")],
        streets=["Oude Vismarkt {n}", "Prins Bernhardlaan {n}-III", "Gasthuisplein {n} bis"],
        phones=["06-123401##", "+31 6 12 34 01 ##", "038 421 01 ##", "0031 6 123401##"],
        birth=["17-04-1989", "17 april 1989"], lang="nl"),
    "PT": dict(
        first=["Inês", "João Pedro", "Conceição", "Gonçalo", "Luísa", "Tomé", "Assunção", "Vasco"],
        last=["Magalhães", "dos Santos e Silva", "Vasconcelos", "Brandão", "Sá-Carneiro", "Guimarães", "da Conceição", "Falcão"],
        cities=[("Évora", "7000-508"), ("Guimarães", "4810-225"), ("Faro", "8000-164")],
        streets=["Rua Serpa Pinto, {n}, 3.º Esq.", "Travessa do Carmo {n}", "Av. 25 de Abril, lote {n}"],
        phones=["+351 912 340 1##", "912 3401 ##", "266 740 1##", "(+351) 9123401##"],
        birth=["17 de abril de 1989", "17/04/1989"], lang="pt"),
    "SE": dict(
        first=["Åsa", "Björn-Erik", "Märta", "Örjan", "Linnéa", "Göran", "Siv", "Love"],
        last=["Nyström", "af Klercker", "Sjögren-Öhman", "Hägglund", "Lindqvist", "Åkesson", "Bergenstråhle", "Ek"],
        cities=[("Umeå", "903 26"), ("Växjö", "352 30"), ("Örebro", "702 11")],
        streets=["Skolgatan {n} B, lgh 1102", "Norra Järnvägsgatan {n}", "Kyrkvägen {n}"],
        phones=["070-174 01 ##", "+46 70 174 01 ##", "090-12 01 ##", "0046701740 1##"],
        birth=["1989-04-17", "17 april 1989"], lang="sv"),
    "DK": dict(
        first=["Søren", "Kirstine", "Æbbe", "Jørgen", "Maibritt", "Aage", "Gry", "Niels-Christian"],
        last=["Kjærsgaard", "Nørregaard", "Ørsted", "Thygesen", "Bang-Møller", "Skjøth", "Rønnow", "Friis"],
        cities=[("Aarhus C", "8000"), ("Sønderborg", "6400"), ("Rønne", "3700")],
        streets=["Nørre Allé {n}, 2. tv.", "Skovvænget {n}", "Store Kongensgade {n} A"],
        phones=["+45 20 12 01 ##", "201201##", "20 12 01 ##", "+45 201201##"],
        birth=["17. april 1989", "17-04-1989"], lang="da"),
    "CZ": dict(
        first=["Žofie", "Řehoř", "Kateřina", "Bohumil", "Ludvík", "Anežka", "Zdeněk", "Květoslava"],
        last=["Dvořáčková", "Říha", "Křížová", "Šťastný", "Procházka", "Vondráčková", "Žižka", "Ježek"],
        cities=[("Olomouc", "779 00"), ("Plzeň", "301 00"), ("Ústí nad Labem", "400 01")],
        streets=["Horní náměstí {n}/12", "Na Příkopech {n}", "tř. Svobody {n}"],
        phones=["+420 601 234 1##", "601 2341 ##", "00420 6012341##", "601-234-1##"],
        birth=["17. 4. 1989", "17. dubna 1989"], lang="cs"),
    "TR": dict(
        first=["Işıl", "İbrahim", "Çağla", "Oğuzhan", "Ayşegül", "Şükrü", "Gülşah", "Umut"],
        last=["Yıldırım", "Özgürışık", "Çelikkol", "Ağaoğlu", "Şimşek", "İnönü", "Karadeniz", "Gök"],
        cities=[("Eskişehir", "26130"), ("Muğla", "48000"), ("İzmir", "35220")],
        streets=["Atatürk Bulvarı No: {n}/5", "Gül Sokak No:{n} D:3", "Cumhuriyet Mah. 104. Sk. No {n}"],
        phones=["+90 532 101 01 ##", "0532 10101##", "(0222) 220 01 ##", "0 532 101 01 ##"],
        birth=["17.04.1989", "17 Nisan 1989"], lang="tr"),
}

# Words that the handle of an address is made of.
SPECIAL = {"ß": "ss", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "æ": "ae", "Æ": "Ae",
           "ı": "i", "İ": "I", "œ": "oe"}


def plain(text):
    text = "".join(SPECIAL.get(c, c) for c in text)
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def handle(text):
    return "".join(c for c in plain(text).lower() if c.isalnum())


class Person:
    def __init__(self, random, country, first=None, last=None):
        facts = COUNTRIES[country]
        self.country, self.lang = country, facts["lang"]
        self.first = first or random.choice(facts["first"])
        self.last = last or random.choice(facts["last"])
        host = random.choice(["posteo.example", "mail.example.org", "gmx.example.net", "proton.example"])
        ends = "%02d" % random.randrange(100)
        forms = [
            f"{handle(self.first)}.{handle(self.last)}", f"{handle(self.first)[0]}{handle(self.last)}",
            f"{handle(self.last)}_{handle(self.first)}{ends}", f"{handle(self.first)}{ends}.{handle(self.last)[:5]}"]
        self.email = random.choice(forms) + "@" + host
        digits = iter("%06d" % random.randrange(10 ** 6))
        self.phone = "".join(next(digits) if c == "#" else c for c in random.choice(facts["phones"]))
        self.street = random.choice(facts["streets"]).replace("{n}", str(random.randrange(2, 190)))
        self.city, self.code = random.choice(facts["cities"])
        self.handle = f"{handle(self.first)}-{handle(self.last)}"[:24].strip("-") + "-" + ends
        self.url = random.choice([
            f"https://www.linkedin.com/in/{self.handle}", f"linkedin.com/in/{self.handle}",
            f"https://github.com/{self.handle}", f"https://{self.handle}.example.net"])
        self.birth = random.choice(facts["birth"])
        self.address = self.city_line()

    def city_line(self):
        if self.country in ("US", "GB", "IN"):
            separator = " - " if self.country == "IN" else " "
            return f"{self.street}, {self.city}{separator}{self.code}"
        return f"{self.street}, {self.code} {self.city}"

    @property
    def name(self):
        return f"{self.first} {self.last}"

    def profile(self):
        return [["name", self.name], ["email", self.email], ["phone", self.phone],
                ["address", self.address], ["url", self.url], ["birth-date", "1989-04-17"]]
