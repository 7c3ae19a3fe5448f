import Foundation
import XCTest

/// The inputs that the fuzzer kept, and those of mended finds, run as the fuzzer runs them.
final class CorpusTests: XCTestCase {
    func testEveryInputOfTheCorpusIsTaken() throws {
        let corpus = try XCTUnwrap(Bundle.module.url(forResource: "Corpus", withExtension: nil))
        for target in FuzzTarget.all {
            let folder = corpus.appendingPathComponent(target.name)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            XCTAssertGreaterThanOrEqual(names.count, 8, target.name)
            for name in names {
                let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
                XCTAssertNoThrow(try target.run(Array(bytes)), "\(target.name)/\(name)")
            }
        }
    }

    func testTheCorpusHasAFolderForEachTargetAndStaysSmall() throws {
        let corpus = try XCTUnwrap(Bundle.module.url(forResource: "Corpus", withExtension: nil))
        let names = try FileManager.default.contentsOfDirectory(atPath: corpus.path)
        XCTAssertEqual(names.sorted(), FuzzTarget.all.map { $0.name }.sorted())
        let files = try FileManager.default.subpathsOfDirectory(atPath: corpus.path)
        let size = try files.reduce(0) { sum, name in
            let path = corpus.appendingPathComponent(name).path
            let facts = try FileManager.default.attributesOfItem(atPath: path)
            let isFile = facts[.type] as? FileAttributeType == .typeRegular
            return sum + (isFile ? facts[.size] as? Int ?? 0 : 0)
        }
        XCTAssertLessThanOrEqual(size, 500_000)
    }
}
