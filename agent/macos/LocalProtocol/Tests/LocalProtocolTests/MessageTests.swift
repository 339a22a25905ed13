import Foundation
import LocalProtocol
import XCTest

/// Valid messages survive decoding and encoding unchanged; invalid ones are rejected.
final class MessageTests: XCTestCase {
  private func check<T: Codable>(_ side: String, as type: T.Type) throws {
    let file = try vectorData("extension-protocol/message-vectors.json")
    let sides = try XCTUnwrap(JSONSerialization.jsonObject(with: file) as? [String: [[String: Any]]])
    for vector in try XCTUnwrap(sides[side]) {
      let name = try XCTUnwrap(vector["name"] as? String)
      let message = try XCTUnwrap(vector["message"])
      let body = try JSONSerialization.data(withJSONObject: message)
      if vector["valid"] as? Bool == true {
        let encoded = try JSONEncoder().encode(try JSONDecoder().decode(type, from: body))
        let again = try JSONSerialization.jsonObject(with: encoded)
        XCTAssertEqual(again as? NSDictionary, message as? NSDictionary, name)
      } else {
        XCTAssertThrowsError(try JSONDecoder().decode(type, from: body), name)
      }
    }
  }

  func testOfTheAgent() throws {
    try check("agent", as: AgentMessage.self)
  }

  func testOfTheExtensions() throws {
    try check("extension", as: ExtensionMessage.self)
  }

  func testADiversionIsBounded() throws {
    func decode(hosts: Int, addresses: Int) throws -> AgentMessage {
      let diversion = Diversion(
        number: 1, hosts: Array(repeating: "a.example", count: hosts),
        addresses: Array(repeating: "192.0.2.1", count: addresses), socket: "/a")
      let body = try JSONEncoder().encode(AgentMessage.divert(diversion))
      return try JSONDecoder().decode(AgentMessage.self, from: body)
    }
    XCTAssertNoThrow(try decode(hosts: Diversion.maxHosts, addresses: Diversion.maxAddresses))
    XCTAssertThrowsError(try decode(hosts: Diversion.maxHosts + 1, addresses: 0))
    XCTAssertThrowsError(try decode(hosts: 0, addresses: Diversion.maxAddresses + 1))
  }

  func testWhatANewerAgentSaysIsUnknown() throws {
    let body = Data(#"{"type":"dance","how":"fast"}"#.utf8)
    let message = try JSONDecoder().decode(AgentMessage.self, from: body)
    XCTAssertEqual(message, .unknown(type: "dance"))
  }
}
