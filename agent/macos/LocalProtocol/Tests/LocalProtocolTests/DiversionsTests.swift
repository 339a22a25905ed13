import LocalProtocol
import XCTest

final class DiversionsTests: XCTestCase {
  private final class Agent {}
  private let zoe = Agent()
  private let root = Agent()

  private func diversion(_ hosts: [String], _ addresses: [String] = [], socket: String) -> Diversion {
    Diversion(number: 1, hosts: hosts, addresses: addresses, socket: socket)
  }

  private func to(_ host: String?, _ address: String = "203.0.113.7", port: UInt16 = 443)
    -> Destination
  {
    Destination(hostname: host, endpoint: address, port: port)
  }

  func testAFlowIsTakenByItsHostElseByItsAddress() {
    var diversions = Diversions()
    let hosts = ["api.openai.com", "*.example.com"]
    diversions.set(
      diversion(hosts, ["203.0.113.7", "2001:DB8:0::7"], socket: "/zoe"), by: zoe, of: 501)
    let expected: [(Destination, UInt32?, String?)] = [
      (to("api.openai.com"), 501, "/zoe"),
      (to("API.openai.com."), 501, "/zoe"),
      (to("a.example.com"), 501, "/zoe"),
      (to(nil), 501, "/zoe"),
      (to(""), 501, "/zoe"),
      (to("203.0.113.7"), 501, "/zoe"),
      (to(nil, "2001:db8::7"), 501, "/zoe"),
      (to(nil, "api.openai.com"), 501, "/zoe"),
      // A host below an enabled host, or another host at an enabled address, is not diverted.
      (to("eu.api.openai.com"), 501, nil),
      (to("bank.example.org"), 501, nil),
      (to(nil, "203.0.113.8"), 501, nil),
      (to("api.openai.com", port: 80), 501, nil),
      (to("api.openai.com"), 502, nil),
      (to("api.openai.com"), 0, nil),
      (to("api.openai.com"), nil, nil),
    ]
    for (destination, user, socket) in expected {
      XCTAssertEqual(
        diversions.socket(for: destination, of: user), socket, "\(destination) of \(user ?? 99)")
    }
  }

  func testEachUserHasAnAgentAndRootHasAll() {
    var diversions = Diversions()
    diversions.set(diversion(["a.example"], ["192.0.2.1"], socket: "/zoe"), by: zoe, of: 501)
    diversions.set(diversion(["a.example", "*.b.example"], socket: "/root"), by: root, of: 0)
    XCTAssertEqual(diversions.socket(for: to("a.example"), of: 501), "/zoe")
    XCTAssertEqual(diversions.socket(for: to("a.example"), of: 502), "/root")
    XCTAssertEqual(diversions.domains, ["a.example", "b.example"])
    XCTAssertEqual(diversions.addresses, ["192.0.2.1"])
    diversions.remove(by: zoe)
    XCTAssertEqual(diversions.socket(for: to("a.example"), of: 501), "/root")
    diversions.remove(by: root)
    XCTAssertNil(diversions.socket(for: to("a.example"), of: 501))
    XCTAssertEqual(diversions.domains + diversions.addresses, [])
  }

  func testTheHeaderSaysWhatIsKnown() {
    let v6 = to(nil, "2001:db8::7").header()
    XCTAssertEqual(v6.source, .init(address: "::", port: 0))
    XCTAssertEqual(v6.destination, .init(address: "2001:db8::7", port: 443))
    XCTAssertNil(v6.authority)
    let named = to(nil, "api.openai.com").header()
    XCTAssertEqual(named.destination, .init(address: "0.0.0.0", port: 443))
    XCTAssertEqual(named.authority, "api.openai.com")
    XCTAssertNotNil(v6.encoded())
    XCTAssertNotNil(named.encoded())
  }
}
