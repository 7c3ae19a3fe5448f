import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class ToolRouterTests: XCTestCase {
    private struct Server: ToolServer {
        var name: String
        let description = ""
        var topic: String
        var tools: [Tool]
        var toolsInUse: [String] = []

        func listTools() -> [Tool] { tools }
        func callTool(
            _ name: String, arguments: JSONObject, emit: Emitter
        ) async throws -> ToolOutput { ToolOutput(text: name) }
    }

    private static func tool(_ name: String, _ cues: String, _ kind: ToolClass = .read) -> Tool {
        Tool(
            name: name, title: name, description: "Does \(name).", inputSchema: .object([]),
            toolClass: kind, cues: cues)
    }

    private let registry = ToolRegistry(servers: [
        Server(
            name: "plants", topic: "plant* pflanze*",
            tools: [tool("water", "water* gieß*", .write), tool("dig_up", "dig+up", .destroy)]),
        Server(name: "tea", topic: "", tools: [tool("brew", "#min *kanne tea", .outward)]),
    ])

    private func matches(_ cues: String, _ message: String) -> Bool {
        ToolCues(cues).match(MessageWords(message))
    }

    func testCuesAreWordsBeginningsPartsAndWordsTogether() {
        XCTAssertTrue(matches("tea", "A cup of TEA, please"))
        XCTAssertFalse(matches("tea", "a teapot"))
        XCTAssertTrue(matches("tea*", "a teapot"))
        XCTAssertTrue(matches("*kanne", "Die Teekannen"))
        XCTAssertTrue(matches("pick+up", "up to you to pick"))
        XCTAssertFalse(matches("pick+up", "pick one"))
        XCTAssertTrue(matches("gieß*", "GIESSEN"))
        XCTAssertTrue(matches("#min", "in 20min"))
        XCTAssertTrue(matches("i#", "show me i12"))
        XCTAssertFalse(matches("", "anything"))
    }

    func testALongTextTellsByItsBeginningAndItsEnd() {
        let filler = String(repeating: "x ", count: 20_000)
        XCTAssertTrue(matches("tea", "tea " + filler))
        XCTAssertTrue(matches("tea", filler + "tea"))
        XCTAssertFalse(matches("tea", filler + "tea " + filler))
    }

    func testTheSubjectBringsAllOfAServerAndACueItsTool() {
        let router = ToolRouter(registry)
        XCTAssertEqual(router.tools(for: "my plants look sad"), ["water", "dig_up"])
        XCTAssertEqual(router.tools(for: "water them"), ["water"])
        XCTAssertEqual(router.tools(for: "what is a prime?"), [])
        XCTAssertEqual(router.tools(for: "go on", inUse: ["brew"]), ["brew"])
        XCTAssertEqual(router.tools(for: "go on", suggested: ["dig_up"]), ["dig_up"])
    }

    func testTheLikeliestComeFirstWhereThereIsLittleRoom() {
        let router = ToolRouter(registry)
        let room = registry.tools[1].sizeInBytes
        XCTAssertEqual(router.tools(for: "dig up that plant", room: room), ["dig_up"])
        XCTAssertEqual(
            router.tools(for: "tea", room: 2 * room, fills: true), ["water", "brew"])
    }

    func testARouterServesUntilAToolChanges() {
        let router = ToolRouter(registry)
        XCTAssertTrue(router.fits(ToolRegistry(servers: registry.servers)))
        XCTAssertFalse(router.fits(registry.offering(["water", "brew"])))
        var server = Server(name: "tea", topic: "", tools: registry.tools)
        server.tools[2].description += " Slowly."
        XCTAssertFalse(router.fits(ToolRegistry(servers: [server])))
    }

    func testWordsOfAModelFindTheNearest() {
        let router = ToolRouter(registry)
        XCTAssertEqual(router.find("dig_up").map(\.name), ["dig_up"])
        XCTAssertEqual(router.find("plant watering").map(\.name), ["water"])
        XCTAssertEqual(router.find("xylophone").map(\.name), [])
    }

    func testAnOfferOnlyGrowsBehind() {
        var offer = ToolOffer()
        offer.join(["find_tools", "water"])
        offer.join(["water", "brew"])
        offer.join(["brew"])
        XCTAssertEqual(offer.names, ["find_tools", "water", "brew"])
        XCTAssertEqual(offer.joinings, 1)
        XCTAssertEqual(registry.offering(offer.names).tools.map(\.name), ["water", "brew"])
        XCTAssertNil(registry.offering(["brew"]).tool(named: "water"))
    }

    func testASmallWindowKeepsWhatIsNeededAndThenTheNewest() {
        let offer = ToolOffer(joined: [["find_tools", "water"], ["dig_up"], ["brew"]])
        let room = registry.tools.map(\.sizeInBytes).reduce(0, max) * 2
        XCTAssertEqual(
            offer.fitting(room, of: registry, keeping: ["water"]).names,
            ["find_tools", "water", "brew"])
    }

    // MARK: - find_tools

    private func find(_ words: String, isUntrusted: Bool = false, named: Set<String> = [])
        async throws
        -> ToolOutput
    {
        let finder = FindTools(registry, router: ToolRouter(registry)) { named.contains($0) }
        return try await ToolCallContext.$hasUntrustedText.withValue(isUntrusted) {
            try await finder.callTool(
                FindTools.toolName, arguments: JSONObject([.init("words", .string(words))]))
        }
    }

    func testWhatIsFoundIsOffered() async throws {
        let output = try await find("plant")
        XCTAssertEqual(output.offers, ["water", "dig_up"])
        XCTAssertEqual(
            output.text, "You can call these now:\nwater: Does water.\ndig_up: Does dig_up.")
        XCTAssertFalse(output.isUntrusted)
    }

    func testAfterForeignTextNothingThatDeletesOrSendsIsOfferedUnnamed() async throws {
        let output = try await find("plant", isUntrusted: true)
        XCTAssertEqual(output.offers, ["water"])
        XCTAssertTrue(output.text.hasSuffix("does not ask for it: dig_up."))
        let named = try await find("plant", isUntrusted: true, named: ["dig_up"])
        XCTAssertEqual(named.offers, ["water", "dig_up"])
    }

    func testWhereNothingIsFoundTheNamesAreTold() async throws {
        let output = try await find("xylophone")
        XCTAssertEqual(output.offers, [])
        XCTAssertEqual(output.text, "Nothing was found. There are: water, dig_up, brew.")
    }

    func testToolsOfOthersAreForeignText() async throws {
        var foreign = Self.tool("wiki__look", "wiki")
        foreign.isUntrusted = true
        let registry = ToolRegistry(servers: [Server(name: "mcp", topic: "", tools: [foreign])])
        let finder = FindTools(registry, router: ToolRouter(registry)) { _ in false }
        XCTAssertTrue(finder.listTools()[0].description.hasSuffix("There are tools for: wiki."))
        let output = try await finder.callTool(
            FindTools.toolName, arguments: JSONObject([.init("words", "wiki")]))
        XCTAssertTrue(output.isUntrusted)
        XCTAssertEqual(output.offers, ["wiki__look"])
    }
}
