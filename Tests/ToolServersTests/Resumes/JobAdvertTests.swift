import Base
import Privacy
import XCTest

@testable import Documents

final class JobAdvertTests: XCTestCase {
    func testRoleCompanyNumberAndRecipientOfAnEnglishAdvert() throws {
        let advert = try JobAdvert.read(
            """
            Senior Backend Engineer (m/f/d) at Acme Corp
            Berlin, Germany · Full-time · Ref: ACM-2024-117

            We are looking for a Senior Backend Engineer with 5+ years of Swift.
            Contact: Ms. Laura Stein, laura.stein@acme.com, +49 30 5550123
            """)
        XCTAssertEqual(advert.role, "Senior Backend Engineer")
        XCTAssertEqual(advert.company, "Acme Corp")
        XCTAssertEqual(advert.reference, "ACM-2024-117")
        XCTAssertEqual(advert.recipient, .init(name: "Laura Stein", form: .miss))
        XCTAssertEqual(
            advert.person.entries,
            [
                .init(.email, "laura.stein@acme.com"), .init(.phone, "+49 30 5550123"),
                .init(.name, "Laura Stein"),
            ])
        XCTAssertEqual(advert.language, "en")
    }

    func testAnAdvertPastedAsHTMLIsRead() throws {
        let advert = try JobAdvert.read(
            """
            <html><body><h1>Softwareentwickler (m/w/d)</h1><p>Die Beispiel GmbH in K&ouml;ln sucht
            zum n&auml;chsten Termin Verst&auml;rkung.</p><ul><li>Java</li><li><p>SQL</p></li></ul>
            <p>Kennziffer 4711</p><p>Ihre Ansprechpartnerin: Frau Dr. Petra von Berg,
            bewerbung@beispiel.de</p></body></html>
            """)
        XCTAssertEqual(advert.role, "Softwareentwickler")
        XCTAssertEqual(advert.company, "Beispiel GmbH")
        XCTAssertEqual(advert.reference, "4711")
        XCTAssertEqual(
            advert.recipient, .init(name: "Petra von Berg", title: "Dr.", form: .miss))
        XCTAssertTrue(advert.text.contains("- Java\n- SQL"))
        XCTAssertFalse(advert.text.contains("<"))
    }

    func testARoleIsFoundInASentence() throws {
        let advert = try JobAdvert.read(
            """
            Chez DataCorp, nous recherchons un Ingénieur logiciel pour notre équipe à Lyon.
            Envoyez votre candidature à Mme Claire Dubois.
            """)
        XCTAssertEqual(advert.role, "Ingénieur logiciel")
        XCTAssertEqual(advert.company, "DataCorp")
        XCTAssertEqual(advert.recipient, .init(name: "Claire Dubois", form: .miss))
    }

    func testAnAdvertWithoutWordsIsRefused() {
        XCTAssertThrowsError(try JobAdvert.read(" \n---\n<p><br></p>\n")) { error in
            XCTAssertEqual(error as? ResumeError, ResumeError(.emptyJob))
            XCTAssertEqual(Diagnostic(of: error).exit, .refused)
        }
    }

    func testWhoeverIsNamedBesideAnAddressIsAPerson() throws {
        let names = [
            "Please apply to Wei Zhang, zhang_wei36@mail.example.org.": "Wei Zhang",
            "Ihre Bewerbung an Jörg Schäuffelein, jschauffelein@example.net": "Jörg Schäuffelein",
            "Candidatures à Nadia Benchekroun, benchekroun_nadia87@example.net, tél. …":
                "Nadia Benchekroun",
            "Envíe su candidatura a Ángel del Álamo, delalamo_angel53@example.es":
                "Ángel del Álamo",
            "Apply to Tyrone van der Hoeven, jobs@example.com, 1-500-555-0142":
                "Tyrone van der Hoeven",
            "Call Priya Nair (555-123-4567).": "Priya Nair",
            "Candidatures à Gaëtan d'Aubigné, gaetandaubigne@example.com": "Gaëtan d'Aubigné",
            "Apply to Omar al-Amin, jobs@example.com": "Omar al-Amin",
        ]
        for (line, name) in names {
            let advert = try JobAdvert.read("Engineer at Foo Ltd\n\n\(line)")
            XCTAssertEqual(advert.person.values(of: .name), [name], line)
            XCTAssertEqual(advert.recipient?.name, name, line)
        }
        let none = try JobAdvert.read("Engineer at Foo Ltd\nHR Department, hr@foo.example")
        XCTAssertEqual(none.person.values(of: .name), [])
    }

    func testRoleCompanyAndAddressAreToldApart() throws {
        let cases: [(text: String, role: String?, company: String?, address: [String])] = [
            (
                "Bäcker bei Brotwerk Süd GmbH, Mühlstraße 5, 70173 Stuttgart", "Bäcker",
                "Brotwerk Süd GmbH", ["Mühlstraße 5", "70173 Stuttgart"]
            ),
            (
                "Stelle: Sachbearbeiter Einkauf (m/w/d)\nFirma: Nordlicht AG\nHafenweg 3, "
                    + "20457 Hamburg", "Sachbearbeiter Einkauf", "Nordlicht AG",
                ["Hafenweg 3", "20457 Hamburg"]
            ),
            ("Head Baker, 12 Mill Lane, York\nApply soon.", "Head Baker", nil, []),
            (
                "Fiorentini S.r.l. cerca un Contabile\nVia Roma 12, 20121 Milano", "Contabile",
                "Fiorentini S.r.l", ["Via Roma 12", "20121 Milano"]
            ),
            (
                "Wissenschaftlicher Mitarbeiter (m/w/d)\nUniversität Freiburg",
                "Wissenschaftlicher Mitarbeiter", "Universität Freiburg", []
            ),
            (
                "Staff Data Engineer\n\nBluestem Insurance\n500 Nicollet Mall, Suite 900\n"
                    + "Minneapolis, MN 55402", "Staff Data Engineer", "Bluestem Insurance",
                ["500 Nicollet Mall, Suite 900", "Minneapolis, MN 55402"]
            ),
            (
                "Poste : Responsable de médiathèque (H/F)\n\nVille de Vitré\n"
                    + "Service des ressources humaines\n5 place du Château\n35500 Vitré",
                "Responsable de médiathèque", "Ville de Vitré",
                ["5 place du Château", "35500 Vitré"]
            ),
            ("募集職種：物流センター長\n会社名：株式会社はやぶさ運輸", "物流センター長", "株式会社はやぶさ運輸", []),
        ]
        for (text, role, company, address) in cases {
            let advert = try JobAdvert.read(text)
            XCTAssertEqual(advert.role, role, text)
            XCTAssertEqual(advert.company, company, text)
            XCTAssertEqual(advert.address, address, text)
        }
    }

    func testTheCountryOfTheEmployerIsThatOfItsAddress() throws {
        for (text, country) in [
            ("Baker at Crumb Ltd\n\nCrumb Ltd\n12 Mill Lane\nYork YO1 7HU", "GB"),
            ("Data Engineer\n\nBluestem Insurance\n500 Nicollet Mall\nMinneapolis, MN 55402", "US"),
            ("Engineer at Foo GmbH\n\nFoo GmbH\nGasse 3\n1010 Wien\nAustria", "AT"),
            ("Engineer at Foo GmbH\nBerlin, Germany · Full-time\nYou write Swift.", "DE"),
            ("Engineer at Foo Ltd\nYou travel to Paris, France, twice a year.", nil),
        ] as [(String, String?)] {
            XCTAssertEqual(try JobAdvert.read(text).country, country, text)
        }
    }

    func testTitlesAreKeptAndLowerCaseFormsOfAddressCount() throws {
        for (text, recipient) in [
            (
                "Inviare a: Dott.ssa Giulia Bianchi, risorse umane",
                JobAdvert.Recipient(name: "Giulia Bianchi", title: "Dott.ssa", form: .miss)
            ),
            (
                "Bewerbung an Herrn Prof. Dr. Klaus Weber",
                JobAdvert.Recipient(name: "Klaus Weber", title: "Prof. Dr.", form: .mister)
            ),
            ("Vraag naar mevrouw Jansen.", JobAdvert.Recipient(name: "Jansen", form: .miss)),
        ] {
            XCTAssertEqual(try JobAdvert.read(text).recipient, recipient, text)
        }
    }
}
