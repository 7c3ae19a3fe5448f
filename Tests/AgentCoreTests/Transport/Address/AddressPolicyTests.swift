import XCTest

@testable import AgentCore

final class AddressPolicyTests: XCTestCase {
    /// Both ends of a block where it has more than one address.
    private static let refused: [(addresses: [String], kind: String)] = [
        (["0.0.0.0", "0.255.255.255"], "this network"),
        (["10.0.0.0", "10.255.255.255"], "private"),
        (["100.64.0.0", "100.127.255.255", "100.100.100.200"], "shared by a provider"),
        (["127.0.0.0", "127.0.0.1", "127.255.255.255"], "loopback"),
        (["169.254.169.254", "168.63.129.16", "fd00:ec2::254"], "metadata"),
        (["169.254.0.0", "169.254.255.255"], "link-local"),
        (["172.16.0.0", "172.31.255.255"], "private"), (["192.0.0.0", "192.0.0.192"], "reserved"),
        (["192.0.2.1", "198.51.100.1", "203.0.113.255"], "for documentation"),
        (["192.88.99.1"], "6to4"), (["192.168.0.0", "192.168.255.255"], "private"),
        (["192.31.196.1", "192.52.193.1", "192.175.48.1"], "reserved"),
        (["198.18.0.0", "198.19.255.255"], "for measurements"),
        (["224.0.0.0", "239.255.255.255"], "multicast"),
        (["240.0.0.0", "255.255.255.255"], "reserved"),
        (["::"], "unspecified"), (["::1"], "loopback"),
        (["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a9fe:a9fe"], "IPv4-mapped"),
        (["::127.0.0.1", "::2"], "IPv4-compatible"),
        (["64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1"], "NAT64"),
        (["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"], "unique-local"),
        (["fe80::1", "febf::1"], "link-local"), (["fec0::1", "feff::1"], "site-local"),
        (["ff00::1", "ff02::fb"], "multicast"), (["2001::1", "2001:0:7f00:1::"], "Teredo"),
        (["2001:2::1", "2001:10::1", "2001:1ff::1"], "reserved"),
        (["2001:db8::1", "3fff::1", "3fff:fff::1"], "for documentation"),
        (["2002:7f00:1::", "2002:a9fe:a9fe::1"], "6to4"),
        (["3ffe::1", "2620:4f:8000::1"], "reserved"),
        (["100::1", "5f00::1", "4000::1", "200::1", "e000::1"], "reserved"),
    ]

    func testEverySpecialAddressIsRefusedByItsKind() throws {
        for (addresses, kind) in Self.refused {
            for text in addresses {
                let address = try XCTUnwrap(IPAddress(text), text)
                XCTAssertEqual(AddressPolicy.publicOnly.refusal(of: address), kind, text)
            }
        }
    }

    func testAddressesBesideTheBlocksAreAllowed() throws {
        for text in [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255",
            "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1",
            "2606:4700::1111", "2a00:1450:4001::1", "2003::1", "2620:4f:8001::1", "3ffd::1",
            "3fff:1000::1",
        ] {
            let address = try XCTUnwrap(IPAddress(text), text)
            XCTAssertNil(AddressPolicy.publicOnly.refusal(of: address), text)
        }
    }

    func testAnExceptionHoldsForOneAddressAlone() throws {
        let one = try XCTUnwrap(IPAddress("127.0.0.2"))
        let policy = AddressPolicy(exceptions: [one])
        XCTAssertNil(policy.refusal(of: one))
        for text in ["127.0.0.1", "127.0.0.3", "::ffff:127.0.0.2"] {
            XCTAssertNotNil(policy.refusal(of: try XCTUnwrap(IPAddress(text))), text)
        }
    }

    func testNamesThatAreNeverPublicAreRefusedUnresolved() {
        let policy = AddressPolicy.publicOnly
        for name in [
            "localhost", "LOCALHOST", "localhost.", "a.localhost", "printer.local",
            "fritz.box.local.",
            "metadata.google.internal", "metadata.google.internal.", "host.docker.internal",
            "nas.home.arpa", "x.onion", "", ".",
        ] {
            XCTAssertNotNil(policy.refusal(ofName: name), name)
        }
        for name in [
            "example.org", "local.example.org", "internal.example", "mylocalhost", "localhost.com",
        ] {
            XCTAssertNil(policy.refusal(ofName: name), name)
        }
    }

    func testAnAddressIsReadInItsOneSpellingOnly() {
        for text in [
            "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "127.0.0.1.", "[::1]", "fe80::1%lo", "",
            "256.0.0.1", "1.2.3.4 ", "::ffff:1.2.3", "example.org",
        ] {
            XCTAssertNil(IPAddress(text), text)
        }
        XCTAssertEqual(IPAddress("::ffff:1.2.3.4")?.bytes.suffix(6), [0xFF, 0xFF, 1, 2, 3, 4])
        XCTAssertEqual(IPAddress("2001:DB8:0::1")?.description, "2001:db8::1")
        XCTAssertEqual(IPAddress("1.2.3.4")?.description, "1.2.3.4")
    }
}
