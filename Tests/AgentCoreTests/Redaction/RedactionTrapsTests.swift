import Privacy
import TestSupport
import XCTest

/// Spellings that people and programs give to names and numbers, and words that only
/// look like them: one line each, written without a look at the rules.
final class RedactionTrapsTests: XCTestCase {
    private static let jane = PersonalData([
        .init(.name, "Jane Quill Döbeß"), .init(.name, "Łucja O'Brien-Sørensen"),
        .init(.email, "jane.doebess@mail.example"), .init(.phone, "+49 (0) 171 234 56 78"),
        .init(.address, "Große Elchstraße 14b, 04109 Leipzig"),
        .init(.url, "https://www.doebess.example/cv/"),
        .init(.url, "https://github.com/jdoebess77"),
        .init(.birthDate, "1988-03-14"),
    ])

    /// Nothing of what stands between the marks is left.
    private static let gone: [(PersonalData, String)] = [
        (jane, "led by «Jane Döbeß» in 2019"), (jane, "led by «JANE   DÖBESS» in 2019"),
        (jane, "led by «JANE DÖBEẞ» in 2019"), (jane, "led by «Döbeß, Jane» in 2019"),
        (jane, "led by «J. Döbeß» in 2019"), (jane, "led by «J. Q. Döbeß» in 2019"),
        (jane, "led by «Jane Q. Döbeß» in 2019"), (jane, "led by «Jane Quill Doebess» in 2019"),
        (jane, "led by «Jane Dobess» in 2019"), (jane, "«Döbeß»'s team"), (jane, "«Jane»’s team"),
        (jane, "das Team «Döbeß’»"), (jane, "by «Jane\u{A0}Döbeß», Leipzig"),
        (jane, "by «Jane\n    Döbeß» and others"), (jane, "by «Ja\u{200B}ne Dö\u{AD}beß» today"),
        (jane, "by «Jane Do\u{308}beß» today"), (jane, "by «Ｊａｎｅ Ｄöｂｅß» today"),
        (jane, "by «J a n e   D ö b e ß» today"), (jane, "the account «JaneDoebess»"),
        (jane, "the account «jane_doebess»"), (jane, "the account «jane-doebess»"),
        (jane, "by «**Jane** Döbeß»"), (jane, "by «Jane *Döbeß*»"),
        (jane, "by «<b>Jane</b> Döbeß»"),
        (jane, "by «\u{202B}Jane Döbeß\u{202C}»"), (jane, "by «Lucja O’Brien-Sorensen»"),
        (jane, "by «ŁUCJA O'BRIEN-SØRENSEN»"), (jane, "by «Łucja OBrien Soerensen»"),
        (jane, "by «Łucja O'Brien\u{2011}Sørensen»"), (jane, "by «L. O'Brien-Sørensen»"),
        (jane, "write to «JANE.DOEBESS@MAIL.EXAMPLE» now"),
        (jane, "write to «jane.doebess (at) mail.example» now"),
        (jane, "write to «jane.doebess[at]mail[dot]example» now"),
        (jane, "write to «jane dot doebess at mail dot example» now"),
        (jane, "write to «jane.doebess＠mail.example» now"),
        (jane, "the user «jane.doebess» of the forum"), (jane, "once «jane.doebess@old.example»"),
        (jane, "[«Jane»](mailto:«jane.doebess@mail.example»)"),
        (jane, "call «01712345678» at night"), (jane, "call «+49 171 2345678» at night"),
        (jane, "call «0049-171-234-5678» at night"), (jane, "call «(0171) 23 45 678» at night"),
        (jane, "call «0171/2345678» at night"), (jane, "call «+49.171.234.56.78» at night"),
        (jane, "call «tel:+491712345678» at night"), (jane, "tel «491712345678»"),
        (jane, "at «Große Elchstraße 14b» until 2021"), (jane, "at «GROSSE ELCHSTRASSE 14B»"),
        (jane, "at «Grosse Elchstr. 14b»"), (jane, "at «Große Elchstraße 14b, 04109 Leipzig»"),
        (jane, "at «Große Elchstraße 14 b»"), (jane, "see «doebess.example/cv» there"),
        (jane, "see «http://doebess.example» there"),
        (jane, "see «HTTPS://WWW.DOEBESS.EXAMPLE/CV»"),
        (jane, "see «github.com/jdoebess77/parser» there"), (jane, "as «@jdoebess77» there"),
        (jane, "as «jdoebess77» there"), (jane, "born «14.03.1988» in Leipzig"),
        (jane, "born «14 March 1988» in Leipzig"), (jane, "born «March 14, 1988» in Leipzig"),
        (jane, "geboren am «14. März 1988»"), (jane, "born «03/14/1988» here"),
    ]

    /// Names that are words: the name goes, the word stays.
    private static let words: [(String, String)] = [
        (
            "Will Harkness",
            "I will lead what others will not; a colleague asked «Will Harkness» to speak."
        ),
        ("Will Harkness", "With a strong will. The prize went to «Will», again."),
        (
            "Rose Marsh",
            "Sales rose by 40 %; the garden was planted by «Rose» for the yard."
        ),
        ("Pierre Boulanger", "Une pierre à l'édifice, chez un boulanger. Par «Pierre Boulanger»."),
        ("Mark Stone", "A pass mark of 80 %, set in stone by «Mark Stone» in 2020."),
        ("May Fields", "Fields of work: we may grow. From May 2019 to May 2021. By «May Fields»."),
        ("Ernst Lange", "Wir nehmen es ernst, solange es dauert. Geleitet von «Ernst Lange»."),
        ("Job van Dijk", "The job of a job scheduler; written by «Job van Dijk» in 2018."),
        ("Li Na", "Li-ion cells and Na2SO4 in 2019; lab of «Li Na» in Graz."),
        ("Jo Ng", "Angular (ng serve) and a jo-jo; by «Jo Ng» in 2019."),
        ("Bo Ek", "Both boats of the ekonomi class; by «Bo Ek» in 2019."),
        ("De Nys", "De facto standard, rue de Nancy; by «De Nys» in 2019."),
    ]

    /// Neither a person nor a number of one.
    private static let stays = [
        "2009-2011", "(2009–2011)", "2009/2011", "03/2015 – 11/2018", "2015.03-2018.11",
        "1998 - 2004",
        "10,000 requests/s", "1.234.567,89 €", "1 000 000 zł", "12 000 000 PLN", "₹ 1,20,00,000",
        "$1,000,000.00", "USD 3,400,000", "v1.2.3-rc1", "10.15.7", "RFC 2616", "ISO/IEC 27001:2022",
        "CVE-2021-44228", "KB5005565", "ISBN 978-3-16-148410-0", "DIN EN 61508-3", "GPA 3.9/4.0",
        "99.99 %", "24/7", "4x100 m", "1e-6", "SHA-256", "port 8080", "HTTP 404", "PR #1234567",
        "Section 8.3.2", "US 10,123,456 B2", "10.1145/3292500.3330701", "Node.js", "ASP.NET Core",
        "Socket.IO", "README.md", "setup.py", "index.html", "Three.js r152", "z.B.", "e.g.",
        "Ph.D.",
        "and/or", "@angular/core", "@Transactional", "C++17/20", "x86_64", "TCP/IP", "S/4HANA",
        "Q3 2020", "12.03.2024", "2024-05-12", "400 000 km", "3 500 rpm", "Class of 2012", "I/O",
        "16 GB (2 x 8)", "1,299 stores", "team of 12", "40-60 hours", "Python 2.7/3.6-3.11", "B2B",
        "NASDAQ: ACME", "5 star hotel", "main.rs", "Part 21 Subpart J", "17025:2017", "FAR 25.1309",
        "Route 66", "Boeing 737-800", "Form 10-K", "401(k)", "19,99 €", "1:25.000", "0.5 mm",
    ]

    private func redacted(_ text: String, _ person: PersonalData) -> String {
        var map = RedactionMap()
        let redacted = Redactor(person).redact(text, into: &map)
        XCTAssertEqual(Array(map.restore(redacted).utf8), Array(text.utf8))
        return redacted
    }

    /// The text without its marks, and what stood between them.
    private func parts(_ marked: String) -> (text: String, secrets: [String]) {
        let pieces = marked.split(omittingEmptySubsequences: false) { "«»".contains($0) }
        return (
            pieces.joined(),
            pieces.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        )
    }

    private func letters(_ text: String) -> String {
        String(text.filter { $0.isLetter || $0.isNumber }).lowercased()
    }

    /// What of a secret is nobody's by itself.
    private static let common: Set<String> = [
        "mail", "example", "dot", "tel", "https", "http", "www", "github", "com", "old", "parser",
        "march", "märz",
    ]

    func testNoSpellingOfADeclaredPersonIsLeft() {
        for (person, marked) in Self.gone {
            let (text, secrets) = parts(marked)
            let made = redacted(text, person)
            let failure = "\(marked.debugDescription) became \(made.debugDescription)"
            let left = Set(
                made.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
            for secret in secrets {
                XCTAssertFalse(letters(made).contains(letters(secret)), failure)
                // Each word of it, so that no half is left.
                let words = secret.split { !$0.isLetter && !$0.isNumber }.map {
                    letters(String($0))
                }
                for word in words where word.count > 2 && !Self.common.contains(word) {
                    XCTAssertFalse(left.contains(word), failure)
                }
            }
        }
    }

    func testNamesThatAreWordsGoAndTheWordsStay() {
        for (name, marked) in Self.words {
            let (text, secrets) = parts(marked)
            let made = redacted(text, PersonalData([.init(.name, name)]))
            var expected = text
            for secret in secrets {
                guard let range = expected.range(of: secret, options: .backwards) else { continue }
                expected.replaceSubrange(range, with: "[NAME]")
            }
            XCTAssertEqual(made, expected, name)
        }
    }

    func testWhatOnlyLooksLikeANumberOrAnAddressStays() {
        for text in Self.stays {
            for line in [
                text, "Responsible for \(text) at work.", "- \(text)", "(\(text))", "\(text),",
            ] {
                XCTAssertEqual(redacted(line, Self.jane), line)
            }
        }
    }

    /// The parts of an address that everybody's are: no text is stopped by them.
    func testShortAndCommonPartsOfAProfileTakeNothingWithThem() {
        let person = PersonalData([
            .init(.email, "mail@doe.example"), .init(.email, "job@x.example"),
            .init(.email, "info@y.example"), .init(.url, "https://example.com/resume"),
            .init(.name, "Al Po"), .init(.address, "Unit 5\nMain Road\nLeeds"),
        ])
        let text = "Sent mail for a job in the resume; info on 5 units, al dente, on the Po plain."
        XCTAssertEqual(redacted(text, person), text)
        XCTAssertEqual(LeakGate(person).leaks(in: Array(text.utf8)).map(\.line), [])
    }
}
