import XCTest

@testable import Persistence

/// Fails unless `body` throws a `SQLiteError` with that reason.
func XCTAssertReason(
    _ reason: SQLiteError.Reason, file: StaticString = #filePath, line: UInt = #line,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        XCTFail("nothing was thrown", file: file, line: line)
    } catch let error as SQLiteError {
        XCTAssertEqual(error.reason, reason, "\(error)", file: file, line: line)
    } catch {
        XCTFail("\(error)", file: file, line: line)
    }
}
