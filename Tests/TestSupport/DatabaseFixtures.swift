import Foundation
import XCTest

/// Databases that releases of the program have written, with conversations in
/// them: `Fixtures/databases/schema-N.db`. Never changed.
package enum DatabaseFixtures {
    package static func bytes(schema: Int) throws -> [UInt8] {
        let folder = try XCTUnwrap(Bundle.module.resourceURL)
            .appending(path: "Fixtures/databases")
        return [UInt8](try Data(contentsOf: folder.appending(path: "schema-\(schema).db")))
    }
}
