import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Documents

/// Where the picture of a book's cover is.
final class EPUBCoverTests: XCTestCase {
    private func cover(
        manifest: String, metadata: String = "", guide: String = "",
        pages: [(name: String, text: String)] = [], pictures: [(name: String, bytes: [UInt8])]
    ) async throws -> CoverPicture? {
        var book = EPUBFixture(
            manifest: "<item id=\"a\" href=\"a.html\" media-type=\"text/html\"/>" + manifest,
            spine: "<spine><itemref idref=\"a\"/></spine>",
            metadata: "<dc:title>The Tide</dc:title>" + metadata, guide: guide,
            pages: [("a.html", "<p>It rose.</p>")] + pages)
        book.pictures = pictures
        let folder = try TemporaryFolder()
        let document = try await DocumentReader(variables: [:]).read(
            path: try book.write(to: folder), shown: "book.epub")
        XCTAssertEqual(document.text, "It rose.")
        return document.cover
    }

    private let (jpeg, png) = (CoverFixture.jpeg, CoverFixture.png)

    func testItIsWhatTheManifestMarks() async throws {
        let found = try await cover(
            manifest: """
                <item id="x" href="img/x.jpg" media-type="image/jpeg"/>
                <item id="c" href="img/my%20cover.png" media-type="image/png"
                 properties="svg cover-image"/>
                """, metadata: "<meta name=\"cover\" content=\"x\"/>",
            pictures: [("OEBPS/img/x.jpg", jpeg), ("OEBPS/img/my cover.png", png)])
        XCTAssertEqual(found?.bytes, png)
        XCTAssertEqual(found?.format, .png)
        XCTAssertEqual(found?.size, ImageHeader.Size(width: 8, height: 12))
    }

    func testOlderBooksNameItInTheirMetadata() async throws {
        let item = "<item id=\"c-1\" href=\"c.jpg\" media-type=\"image/jpeg\"/>"
        for name in ["c-1", "c.jpg"] {
            let found = try await cover(
                manifest: item, metadata: "<meta content=\"\(name)\" name=\"cover\"/>",
                pictures: [("OEBPS/C.JPG", jpeg)])
            XCTAssertEqual(found?.bytes, jpeg, name)
            XCTAssertEqual(found?.mediaType, "image/jpeg")
        }
    }

    func testElseItIsOnThePageOfTheGuide() async throws {
        let pages = [
            "<html><body><p>x</p><img alt=\"\" src=\"../img/c.png\"/></body></html>",
            """
            <html><body><svg xmlns="http://www.w3.org/2000/svg"
            xmlns:xlink="http://www.w3.org/1999/xlink"><image width="8" height="12"
            xlink:href="../img/c.png"/></svg></body></html>
            """,
        ]
        for page in pages {
            let found = try await cover(
                manifest: "", guide: "<guide><reference type=\"cover\" href=\"t/c.html\"/></guide>",
                pages: [("t/c.html", page)], pictures: [("OEBPS/img/c.png", png)])
            XCTAssertEqual(found?.bytes, png)
        }
    }

    func testWhatIsNoPictureOrTooLargeIsNoCoverAndTheBookIsRead() async throws {
        // What packs well is refused as a bomb.
        var number: UInt32 = 7
        let large =
            jpeg
            + (0..<CoverPicture.limit).map { _ in
                number = number &* 1_664_525 &+ 1_013_904_223
                return UInt8(number >> 24)
            }
        let others = [
            Array("GIF89a\u{8}\0\u{C}\0\0\0\0".utf8), Array("<svg/>".utf8), [], large,
            Array(jpeg.prefix(20)), Array(png.prefix(12)),
        ]
        for bytes in others {
            let found = try await cover(
                manifest: "<item id=\"c\" href=\"c.jpg\" media-type=\"image/jpeg\" "
                    + "properties=\"cover-image\"/>",
                pictures: [("OEBPS/c.jpg", bytes)])
            XCTAssertNil(found, "\(bytes.count)")
        }
        // The next that is meant takes its place.
        let second = try await cover(
            manifest: "<item id=\"c\" href=\"none.jpg\" properties=\"cover-image\"/>"
                + "<item id=\"d\" href=\"d.png\"/>",
            metadata: "<meta name=\"cover\" content=\"d\"/>", pictures: [("OEBPS/d.png", png)])
        XCTAssertEqual(second?.bytes, png)
    }
}
