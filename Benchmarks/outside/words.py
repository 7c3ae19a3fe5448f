"""What stands in a résumé besides its person, in twelve languages: headings, labels, work."""

# about, experience, education, skills, languages, references, personal details
HEADINGS = {
    "en": ["Summary", "Work Experience", "Education", "Skills", "Languages", "References", "Personal Details"],
    "de": ["Kurzprofil", "Berufserfahrung", "Ausbildung", "Kenntnisse", "Sprachen", "Referenzen", "Persönliche Daten"],
    "fr": ["Profil", "Expérience professionnelle", "Formation", "Compétences", "Langues", "Références", "État civil"],
    "es": ["Perfil", "Experiencia laboral", "Formación académica", "Conocimientos", "Idiomas", "Referencias", "Datos personales"],
    "pl": ["Podsumowanie", "Doświadczenie zawodowe", "Wykształcenie", "Umiejętności", "Języki", "Referencje", "Dane osobowe"],
    "it": ["Profilo", "Esperienza lavorativa", "Istruzione e formazione", "Competenze", "Lingue", "Referenze", "Dati personali"],
    "nl": ["Profiel", "Werkervaring", "Opleiding", "Vaardigheden", "Talen", "Referenties", "Persoonlijke gegevens"],
    "pt": ["Perfil", "Experiência profissional", "Formação", "Competências", "Idiomas", "Referências", "Dados pessoais"],
    "sv": ["Profil", "Arbetslivserfarenhet", "Utbildning", "Kompetenser", "Språk", "Referenser", "Personuppgifter"],
    "da": ["Profil", "Erhvervserfaring", "Uddannelse", "Kompetencer", "Sprog", "Referencer", "Personlige oplysninger"],
    "cs": ["Profil", "Pracovní zkušenosti", "Vzdělání", "Dovednosti", "Jazyky", "Reference", "Osobní údaje"],
    "tr": ["Özet", "İş Deneyimi", "Eğitim", "Yetenekler", "Diller", "Referanslar", "Kişisel Bilgiler"],
}

# name, address, telephone, e-mail, date of birth, place of birth, marital status, nationality
LABELS = {
    "en": ["Name", "Address", "Phone", "Email", "Date of birth", "Place of birth", "Marital status: married", "Nationality"],
    "de": ["Name", "Anschrift", "Telefon", "E-Mail", "Geburtsdatum", "Geburtsort", "Familienstand: verheiratet", "Staatsangehörigkeit"],
    "fr": ["Nom", "Adresse", "Téléphone", "Courriel", "Date de naissance", "Lieu de naissance", "Situation : mariée", "Nationalité"],
    "es": ["Nombre", "Dirección", "Teléfono", "Correo electrónico", "Fecha de nacimiento", "Lugar de nacimiento", "Estado civil: soltera", "Nacionalidad"],
    "pl": ["Imię i nazwisko", "Adres", "Telefon", "E-mail", "Data urodzenia", "Miejsce urodzenia", "Stan cywilny: wolny", "Obywatelstwo"],
    "it": ["Nome e cognome", "Indirizzo", "Telefono", "E-mail", "Data di nascita", "Luogo di nascita", "Stato civile: celibe", "Nazionalità"],
    "nl": ["Naam", "Adres", "Telefoon", "E-mail", "Geboortedatum", "Geboorteplaats", "Burgerlijke staat: gehuwd", "Nationaliteit"],
    "pt": ["Nome", "Morada", "Telemóvel", "E-mail", "Data de nascimento", "Naturalidade", "Estado civil: solteira", "Nacionalidade"],
    "sv": ["Namn", "Adress", "Telefon", "E-post", "Födelsedatum", "Födelseort", "Civilstånd: gift", "Nationalitet"],
    "da": ["Navn", "Adresse", "Telefon", "E-mail", "Fødselsdato", "Fødested", "Civilstand: gift", "Nationalitet"],
    "cs": ["Jméno a příjmení", "Adresa", "Telefon", "E-mail", "Datum narození", "Místo narození", "Rodinný stav: ženatý", "Státní příslušnost"],
    "tr": ["Ad Soyad", "Adres", "Telefon", "E-posta", "Doğum tarihi", "Doğum yeri", "Medeni durum: evli", "Uyruk"],
}

TITLES = {
    "en": "Curriculum Vitae", "de": "Lebenslauf", "fr": "Curriculum vitæ", "es": "Currículum vítae",
    "pl": "Życiorys", "it": "Curriculum vitae", "nl": "Curriculum vitae", "pt": "Currículo",
    "sv": "Meritförteckning", "da": "CV", "cs": "Životopis", "tr": "Özgeçmiş",
}
CV_OF = {
    "en": "CV of {}", "de": "Lebenslauf von {}", "fr": "CV de {}", "es": "Currículum de {}",
    "pl": "CV: {}", "it": "CV di {}", "nl": "CV van {}", "pt": "CV de {}", "sv": "CV för {}",
    "da": "CV for {}", "cs": "Životopis – {}", "tr": "{} - Özgeçmiş",
}
PAGE = {
    "en": "{} – page 2", "de": "{} – Seite 2", "fr": "{} – page 2", "es": "{} – página 2",
    "pl": "{} – strona 2", "it": "{} – pagina 2", "nl": "{} – pagina 2", "pt": "{} – página 2",
    "sv": "{} – sida 2", "da": "{} – side 2", "cs": "{} – strana 2", "tr": "{} – sayfa 2",
}

COMPANIES = ["Fabrikam Logistics", "Contoso Water AG", "Northwind Bakeries", "Adventure Works",
             "Tailspin Rail", "Litware Optics", "Proseware Health", "Wingtip Seeds"]
SCHOOLS = ["University of Tartu", "Politecnico di Bari", "TU Ilmenau", "Uppsala universitet",
           "Universidad de Oviedo", "Masaryk University", "Jadavpur University"]
SKILLS = ["PostgreSQL 15", "Kubernetes", "SAP S/4HANA 2021", "AutoCAD", "C++20", "Power BI",
          "TypeScript 4.9", "Excel", "Terraform 1.5", "SPSS 27", "Figma", "ISO 9001:2015"]
SPOKEN = ["English (C1), German (A2)", "English C2 · Spanish B1", "French B2, English B2"]

# Each says something in figures, which must stay.
ROLES = {
    "en": ["Operations Manager", "Data Engineer", "Ward Nurse", "Site Foreman"],
    "de": ["Schichtleiter", "Softwareentwicklerin", "Bilanzbuchhalter"],
    "fr": ["Cheffe de projet", "Contrôleur de gestion", "Infirmière"],
    "es": ["Jefa de almacén", "Técnico de mantenimiento", "Analista de datos"],
    "pl": ["Kierownik zmiany", "Analityk danych", "Księgowa"],
    "it": ["Responsabile qualità", "Addetta alle vendite", "Sistemista"],
    "nl": ["Teamleider logistiek", "Applicatiebeheerder", "Verpleegkundige"],
    "pt": ["Gestora de operações", "Engenheiro de dados", "Técnica de laboratório"],
    "sv": ["Produktionsledare", "Systemutvecklare", "Undersköterska"],
    "da": ["Driftsleder", "Softwareudvikler", "Pædagog"],
    "cs": ["Vedoucí směny", "Datový analytik", "Účetní"],
    "tr": ["Vardiya Amiri", "Veri Mühendisi", "Satın Alma Uzmanı"],
}
BULLETS = {
    "en": ["Cut delivery errors from 4.8% to 1.1% across 14 depots.",
           "Ran a budget of $3.2M with 27 people in 3 shifts.",
           "Replaced 240 batch jobs by streams (10,000 events/s) in 2019.",
           "Trained 1,200 colleagues; wrote the 64-page handbook they still use.",
           "Introduced ticket triage, PROJ-987 to PROJ-1204, within 9 months."],
    "de": ["Ausschuss von 4,8 % auf 1,1 % gesenkt, 14 Linien.",
           "Budget von 3.200.000 € und 27 Beschäftigte in 3 Schichten verantwortet.",
           "SAP S/4HANA 2021 in 5 Werken eingeführt (2019–2021).",
           "Monatsabschluss von 12 auf 5 Tage verkürzt.",
           "Audits nach ISO 9001:2015 vorbereitet, keine Abweichung seit 2018."],
    "fr": ["Réduit les retours de 9,4 % à 5,1 % sur 48 sites.",
           "Géré un budget de 1 200 000 € et 27 personnes en 3×8.",
           "Déployé Power BI 2.117 auprès de 350 utilisateurs.",
           "Formé 1 200 agents entre 2018 et 2022.",
           "Obtenu la certification ISO 9001:2015 en 7 mois."],
    "es": ["Reduje las mermas un 23,5 % en 18 meses.",
           "Gestioné un presupuesto de 1.250.000 € y 27 personas en 3 turnos.",
           "Migré 240 procesos a PostgreSQL 15 en 2021.",
           "Formé a 1.200 compañeros entre 2017 y 2020.",
           "Atendí 80-100 pedidos al día con un 0,4 % de errores."],
    "pl": ["Skrócenie czasu dostaw z 14 do 6 dni w 48 oddziałach.",
           "Budżet 3 450 000 zł, 27 osób na 3 zmianach.",
           "Wdrożenie SAP S/4HANA 2021 w 5 zakładach.",
           "Przeszkolenie 1200 osób w latach 2016–2020.",
           "Audyt ISO 9001:2015 bez niezgodności od 2018 r."],
    "it": ["Ridotti i resi dal 9,4 % al 5,1 % in 48 negozi.",
           "Gestito un budget di 2.300.000 € con 27 persone su 3 turni.",
           "Migrati 240 servizi a Kubernetes 1.27 nel 2022.",
           "Formati 1.200 colleghi tra il 2016 e il 2020.",
           "Certificazione ISO 9001:2015 ottenuta in 7 mesi."],
    "nl": ["Retouren van 9,4% naar 5,1% teruggebracht in 48 filialen.",
           "Budget van € 1.250.000 en 27 medewerkers in 3 ploegen.",
           "240 processen naar PostgreSQL 15 overgezet in 2021.",
           "1.200 collega's opgeleid tussen 2016 en 2020.",
           "ISO 9001:2015-audit zonder afwijkingen sinds 2018."],
    "pt": ["Reduzi as devoluções de 9,4 % para 5,1 % em 48 lojas.",
           "Geri um orçamento de 1.250.000 € e 27 pessoas em 3 turnos.",
           "Migrei 240 processos para PostgreSQL 15 em 2021.",
           "Formei 1.200 colegas entre 2016 e 2020.",
           "Auditoria ISO 9001:2015 sem não conformidades desde 2018."],
    "sv": ["Sänkte returerna från 9,4 % till 5,1 % i 48 butiker.",
           "Budget på 12 500 000 kr och 27 medarbetare i 3 skift.",
           "Flyttade 240 jobb till PostgreSQL 15 under 2021.",
           "Utbildade 1 200 kollegor 2016–2020.",
           "Revision enligt ISO 9001:2015 utan avvikelser sedan 2018."],
    "da": ["Nedbragte returvarer fra 9,4 % til 5,1 % i 48 butikker.",
           "Budget på 12.500.000 kr. og 27 medarbejdere på 3 hold.",
           "Flyttede 240 job til PostgreSQL 15 i 2021.",
           "Oplærte 1.200 kolleger 2016–2020.",
           "ISO 9001:2015-audit uden afvigelser siden 2018."],
    "cs": ["Snížení reklamací z 9,4 % na 5,1 % ve 48 prodejnách.",
           "Rozpočet 12 500 000 Kč a 27 lidí ve 3 směnách.",
           "Převod 240 úloh na PostgreSQL 15 v roce 2021.",
           "Proškolení 1 200 kolegů v letech 2016–2020.",
           "Audit ISO 9001:2015 bez neshod od roku 2018."],
    "tr": ["48 mağazada iadeler %9,4'ten %5,1'e düşürüldü.",
           "12.500.000 TL bütçe ve 3 vardiyada 27 kişi yönetildi.",
           "2021'de 240 iş PostgreSQL 15'e taşındı.",
           "2016–2020 arasında 1.200 çalışan eğitildi.",
           "ISO 9001:2015 denetimi 2018'den beri uygunsuzluk yok."],
}
ABOUT = {
    "en": "Eleven years in plants and offices, calm under load, fond of plain numbers.",
    "de": "Elf Jahre in Werk und Büro, ruhig unter Last, mit Freude an klaren Zahlen.",
    "fr": "Onze ans en usine et au bureau, calme sous pression, goût des chiffres clairs.",
    "es": "Once años en planta y oficina, serenidad bajo presión, gusto por las cifras claras.",
    "pl": "Jedenaście lat w zakładach i biurach, spokój pod presją, upodobanie do liczb.",
    "it": "Undici anni tra stabilimento e ufficio, calma sotto pressione, numeri chiari.",
    "nl": "Elf jaar in fabriek en kantoor, kalm onder druk, dol op heldere cijfers.",
    "pt": "Onze anos em fábrica e escritório, calma sob pressão, gosto por números claros.",
    "sv": "Elva år i fabrik och på kontor, lugn under press, förtjust i tydliga siffror.",
    "da": "Elleve år på fabrik og kontor, rolig under pres, glad for klare tal.",
    "cs": "Jedenáct let v provozu i kanceláři, klid pod tlakem, záliba v jasných číslech.",
    "tr": "Fabrika ve ofiste on bir yıl, baskı altında sakin, net sayılara düşkün.",
}
