import XCTest

@testable import AgentCore
@testable import Base

final class ChatToolCallsTests: XCTestCase {
    /// The calls that come of these fragments, as `id name arguments`.
    private func calls(_ fragments: [String], isCut: Bool = false) throws -> [String] {
        var calls = ChatToolCalls(newID: { "made" })
        for fragment in fragments { _ = calls.take(try JSONParser.parse(fragment)) }
        return calls.finished(isCut: isCut).map {
            "\($0.call.id) \($0.call.name) \($0.call.arguments)"
        }
    }

    func testPiecesWithAnIndexAreJoinedAlsoWhenTheyInterleave() throws {
        XCTAssertEqual(
            try calls([
                #"{"index":3,"id":"a","function":{"name":"x","arguments":"{\"n\""}}"#,
                #"{"index":7,"id":"b","function":{"name":"y","arguments":"{"}}"#,
                #"{"index":3,"function":{"arguments":":1}"}}"#,
                #"{"index":7,"function":{"arguments":"}"}}"#,
            ]), ["a x {\"n\":1}", "b y {}"])
    }

    func testNamesMayBeRepeatedEmptyOrInPieces() throws {
        XCTAssertEqual(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"get_","arguments":""}}"#,
                #"{"index":0,"function":{"name":"size"}}"#,
                #"{"index":0,"id":"a","function":{"name":"get_size","arguments":"{"}}"#,
                #"{"index":0,"function":{"name":"","arguments":"}"}}"#,
                #"{"index":0,"function":{"name":"get_size","arguments":" "}}"#,
            ]), ["a get_size {} "])
    }

    func testWithoutIndexAndIdANameOpensACallOnceTheOneBeforeIsWhole() throws {
        XCTAssertEqual(
            try calls([
                #"{"id":"a","function":{"name":"x","arguments":"{}"}}"#,
                #"{"function":{"name":"x","arguments":"{\"n\":2}"}}"#,
            ]), ["a x {}", "made x {\"n\":2}"])
        XCTAssertEqual(
            try calls([
                #"{"id":"a","function":{"name":"x","arguments":"{\"n\":"}}"#,
                #"{"function":{"name":"x","arguments":"2}"}}"#,
            ]), ["a x {\"n\":2}"])
    }

    func testCallsUnderOneIndexWithoutIDsAreToldApartByTheirNames() throws {
        XCTAssertEqual(
            try calls([
                #"{"index":0,"function":{"name":"x","arguments":"{\"n\":1}"}}"#,
                #"{"index":0,"function":{"name":"y","arguments":"{\"n\":"}}"#,
                #"{"index":0,"function":{"arguments":"2}"}}"#,
                #"{"index":0,"function":{"name":"y","arguments":"{\"n\":3}"}}"#,
            ]), ["made x {\"n\":1}", "made y {\"n\":2}", "made y {\"n\":3}"])
        // One without arguments, and a name that is repeated behind the end of its call.
        XCTAssertEqual(
            try calls([
                #"{"index":0,"function":{"name":"now","arguments":""}}"#,
                #"{"index":0,"function":{"name":"y","arguments":"{}"}}"#,
                #"{"index":0,"function":{"name":"y","arguments":""}}"#,
            ]), ["made now {}", "made y {}"])
    }

    func testCallsUnderOneIDAndTwoIndexesAreTwoUnlessTheySayTheSame() throws {
        XCTAssertEqual(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}"#,
                #"{"index":1,"id":"a","function":{"name":"x","arguments":"{\"n\":2}"}}"#,
                #"{"index":2,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}"#,
            ]), ["a x {\"n\":1}", "made x {\"n\":2}"])
    }

    func testArgumentsUnderAnIndexWithoutACallAreThoseOfTheCallBefore() throws {
        XCTAssertEqual(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"x","arguments":""}}"#,
                #"{"index":1,"function":{"arguments":"{\"n\":"}}"#,
                #"{"index":1,"function":{"arguments":"1}"}}"#,
            ]), ["a x {\"n\":1}"])
        // Where the name comes later, they are its own.
        XCTAssertEqual(
            try calls([
                #"{"index":0,"id":"a","function":{"name":"x","arguments":""}}"#,
                #"{"index":1,"function":{"arguments":"{\"n\":1}"}}"#,
                #"{"index":1,"id":"b","function":{"name":"y"}}"#,
            ]), ["a x {}", "b y {\"n\":1}"])
    }

    func testACutAnswerKeepsOnlyWholeCalls() throws {
        let fragments = [
            #"{"index":0,"id":"a","function":{"name":"x","arguments":"{}"}}"#,
            #"{"index":1,"id":"b","function":{"name":"y","arguments":"{\"p"}}"#,
            #"{"index":2,"id":"c","function":{"name":"z","arguments":""}}"#,
        ]
        XCTAssertEqual(try calls(fragments, isCut: true), ["a x {}"])
        // A model that ends regularly with broken JSON has made a mistake
        // that it is told about; nothing runs.
        XCTAssertEqual(try calls(fragments), ["a x {}", "b y {\"p", "c z {}"])
    }

    func testWhatIsNoCallIsIgnored() throws {
        XCTAssertEqual(try calls(["null", "1", "{}", #"{"index":0,"function":null}"#]), [])
    }
}
