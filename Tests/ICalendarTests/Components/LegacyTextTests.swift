import Base
import XCTest

@testable import ICalendar

/// Lines that are not UTF-8: read as they are meant, kept as they are.
final class LegacyTextTests: XCTestCase {
    private func line(_ bytes: [UInt8]) throws -> ContentLine {
        let file = try CalendarParser.parse(bytes)
        XCTAssertEqual(CalendarWriter.bytes(file), bytes)
        guard case .line(let line)? = file.items.first else { throw CancellationError() }
        return line
    }

    private func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) }
    }

    func testLatin1IsReadAndDamagedUTF8IsNot() throws {
        for (bytes, text, form) in [
            (latin1("SUMMARY:Müller trifft José"), "Müller trifft José", LegacyText.Form.latin1),
            (latin1("SUMMARY:5 € für Brötchen"), "5 € für Brötchen", .latin1),
            (
                latin1("SUMMARY;CHARSET=ISO-8859-1:Käse"), "Käse", .latin1
            ),
            (Array("SUMMARY:Käse".utf8), "Käse", .utf8),
            // A text of bytes that was cut within a letter.
            (Array("SUMMARY:Käse, Grü".utf8).dropLast(), "Käse, Gr\u{FFFD}", .unknown),
            (latin1("SUMMARY:a") + [0x81], "a\u{FFFD}", .unknown),
            (latin1("SUMMARY;CHARSET=SHIFT_JIS:\u{83}\u{E9}"), "\u{FFFD}\u{FFFD}", .unknown),
        ] {
            let line = try line(Array(bytes))
            XCTAssertEqual(line.value, text)
            XCTAssertEqual(line.textForm, form, text)
        }
    }

    func testUTF8FoldedWithinALetterIsUTF8() throws {
        let whole = Array("SUMMARY:Grüße 🎁 zum Fest".utf8)
        for place in 8..<whole.count {
            for fold in ["\r\n ", "\n\t", "\r\n\t"] {
                let line = try line(Array(whole[..<place]) + Array(fold.utf8) + whole[place...])
                XCTAssertEqual(line.value, "Grüße 🎁 zum Fest", "\(place)")
                XCTAssertEqual(line.textForm, .utf8)
            }
        }
    }

    func testQuotedPrintableIsReadWithItsSoftBreaks() throws {
        for (text, value, form) in [
            (
                "SUMMARY;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9", "Café",
                LegacyText.Form.quotedPrintable
            ),
            (
                "SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9", "Café",
                .quotedPrintable
            ),
            ("SUMMARY;QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=c3=a9", "Café", .quotedPrintable),
            (
                "NOTE;encoding=quoted-printable:one=0D=0Atwo=\r\n and three=\r\n=3D",
                "one\\ntwo and three=", .quotedPrintable
            ),
            ("SUMMARY;ENCODING=QUOTED-PRINTABLE:50 =% =", "50 =% =", .quotedPrintable),
            (
                "SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=KOI8-R:=C1", "\u{FFFD}", .unknown
            ),
            ("SUMMARY:Caf=C3=A9", "Caf=C3=A9", .utf8),
            ("SUMMARY;X-A=QUOTED:Caf=C3=A9", "Caf=C3=A9", .utf8),
        ] {
            let line = try line(Array(text.utf8))
            XCTAssertEqual(line.value, value)
            XCTAssertEqual(line.textForm, form, text)
        }
        // A break that was forgotten swallows no END.
        let file = try CalendarParser.parse(
            Array("BEGIN:A\nSUMMARY;ENCODING=QUOTED-PRINTABLE:a=\nEND:A\n".utf8))
        XCTAssertTrue(file.isTerminated)
    }

    func testAFileIsWrittenInUTF8AsAWhole() throws {
        let bytes = latin1(
            "BEGIN:VTODO\r\nSUMMARY;CHARSET=iso-8859-1;LANGUAGE=de:K\u{E4}se\r\n"
                + "X-A;CN=J\u{F6}rg,\"a;b\":x\r\nDUE:20261128\r\nEND:VTODO\r\n")
        let file = try CalendarParser.parse(bytes)
        XCTAssertEqual(
            String(decoding: CalendarWriter.bytes(file.inUTF8), as: UTF8.self),
            "BEGIN:VTODO\r\nSUMMARY;CHARSET=UTF-8;LANGUAGE=de:Käse\r\n"
                + "X-A;CN=Jörg,\"a;b\":x\r\nDUE:20261128\r\nEND:VTODO\r\n")
        let sound = try CalendarParser.parse(Array("SUMMARY:Kä\r\n se".utf8))
        XCTAssertEqual(sound.inUTF8, sound)
    }

    func testATimeZoneWithAColonNeedsNoQuotes() throws {
        for (text, zone, value) in [
            ("DTSTART;TZID=GMT+05:30:20261128T090000", "GMT+05:30", "20261128T090000"),
            (
                "DTSTART;TZID=tzone://Microsoft/Custom:20261128T090000",
                "tzone://Microsoft/Custom", "20261128T090000"
            ),
            (
                "DTSTART;TZID=GMT+05:30;VALUE=DATE-TIME:2026-11-28T09:00", "GMT+05:30",
                "2026-11-28T09:00"
            ),
            (
                "EXDATE;tzid=(UTC+01:00) Amsterdam, Berlin:20261128T090000,20261205T090000",
                "(UTC+01:00) Amsterdam, Berlin", "20261128T090000,20261205T090000"
            ),
            (
                "DTSTART;TZID=Europe/Berlin:2026-11-28T09:00:00", "Europe/Berlin",
                "2026-11-28T09:00:00"
            ),
            ("DTSTART;TZID=\"GMT+05:30\":20261128T090000", "GMT+05:30", "20261128T090000"),
            ("DTSTART;TZID=GMT+05:30:soon", "GMT+05", "30:soon"),
            ("SUMMARY;ALTREP=a:20261128", nil, "20261128"),
        ] {
            let line = try line(Array(text.utf8))
            XCTAssertEqual(line.parameter("TZID"), zone)
            XCTAssertEqual(line.value, value)
        }
    }
}
