import TestSupport
import XCTest

@testable import Privacy

final class PlaceholderStreamTests: XCTestCase {
    private func map() -> RedactionMap {
        var map = RedactionMap()
        for (original, kind) in [
            ("Jana O'Neill", PersonalData.Kind.name), ("[x] {{$1}} مريم", .name),
            ("1987-03-09", .birthDate), ("a@b.test", .email),
        ] {
            _ = map.placeholder(for: original, kind)
        }
        return map
    }

    private let texts: [(String, String)] = [
        ("Dear [NAME], born [BIRTH_DATE].", "Dear Jana O'Neill, born 1987-03-09."),
        ("[[NAME]] [NAME_2][EMAIL]", "[Jana O'Neill] [x] {{$1}} مريمa@b.test"),
        (#"\[NAME\] and [NAME\_2]"#, "Jana O'Neill and [x] {{$1}} مريم"),
        ("a[0] [Name] [NAME_9] [NAME x] arr[NAME", "a[0] [Name] [NAME_9] [NAME x] arr[NAME"),
        (#"C:\dir\[x] \ \\ [NAME]["#, #"C:\dir\[x] \ \\ Jana O'Neill["#),
        (
            "[BIRTH_DATEBIRTH_DATEBIRTH_DATEBIRTH_DATEBIRTH] é [",
            "[BIRTH_DATEBIRTH_DATEBIRTH_DATEBIRTH_DATEBIRTH] é ["
        ),
        ("[NAM[NAME]", "[NAMJana O'Neill"), ("", ""),
    ]

    func testOriginalsComeBackWhereverTheTextIsCut() {
        for (text, wanted) in texts {
            XCTAssertEqual(PlaceholderStream.restored(text, map()), wanted)
            let letters = Array(text)
            for first in 0...letters.count {
                for second in first...letters.count {
                    var stream = PlaceholderStream(map())
                    let said =
                        stream.push(String(letters[..<first]))
                        + stream.push(String(letters[first..<second]))
                        + stream.push(String(letters[second...])) + stream.finish()
                    XCTAssertEqual(said, wanted, "\(text) cut at \(first) and \(second)")
                }
            }
            var stream = PlaceholderStream(map())
            let said = letters.map { stream.push(String($0)) }.joined() + stream.finish()
            XCTAssertEqual(said, wanted, "letter by letter")
        }
    }

    func testWhatIsCertainDoesNotWait() {
        var stream = PlaceholderStream(map())
        XCTAssertEqual(stream.push("Hello, [NA"), "Hello, ")
        XCTAssertEqual(stream.push("ME] and [no"), "Jana O'Neill and [no")
        XCTAssertEqual(stream.push("thing"), "thing")
        XCTAssertEqual(stream.finish(), "")
    }

    func testWithoutAnOriginalNothingWaits() {
        var stream = PlaceholderStream(RedactionMap())
        XCTAssertEqual(stream.push("a [NA"), "a [NA")
    }
}
