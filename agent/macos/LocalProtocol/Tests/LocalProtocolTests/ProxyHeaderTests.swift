import Foundation
import LocalProtocol
import XCTest

final class ProxyHeaderTests: XCTestCase {
  struct Vector: Decodable {
    struct Expected: Decodable {
      let header: Header?
    }
    struct Header: Decodable {
      let command: String
      let source: End?
      let destination: End?
      let authority: String?
      let pid: UInt32?
      let executable: String?
      let user: String?
      let signingId: String?
    }
    struct End: Decodable {
      let address: String
      let port: UInt16
    }
    let name: String
    let hex: String
    let encodable: Bool
    let expected: Expected
  }

  private func header(_ of: Vector.Header) -> ProxyHeader {
    func end(_ end: Vector.End?) -> ProxyHeader.End? {
      end.map { ProxyHeader.End(address: $0.address, port: $0.port) }
    }
    var header = ProxyHeader()
    header.command = of.command == "proxy" ? .proxy : .local
    header.source = end(of.source)
    header.destination = end(of.destination)
    header.authority = of.authority
    header.pid = of.pid
    header.executable = of.executable
    header.user = of.user
    header.signingId = of.signingId
    return header
  }

  func testVectors() throws {
    let all = try vectors("capture/listeners/proxy-protocol-vectors.json", as: [Vector].self)
    let encodable = all.filter(\.encodable)
    XCTAssertFalse(encodable.isEmpty)
    for vector in encodable {
      let encoded = header(try XCTUnwrap(vector.expected.header)).encoded()
      XCTAssertEqual(encoded.map(hex), vector.hex, vector.name)
    }
  }

  func testWhatNoReaderTakesIsNotWritten() {
    var mixed = ProxyHeader()
    mixed.source = .init(address: "192.0.2.1", port: 1)
    mixed.destination = .init(address: "2001:db8::1", port: 443)
    XCTAssertNil(mixed.encoded())
    var half = ProxyHeader()
    half.destination = .init(address: "192.0.2.1", port: 443)
    XCTAssertNil(half.encoded())
    var long = ProxyHeader()
    long.executable = String(repeating: "x", count: ProxyHeader.longest - 16 - 3)
    XCTAssertEqual(long.encoded()?.count, ProxyHeader.longest)
    long.executable?.append("x")
    XCTAssertNil(long.encoded())
  }

  func testAddressesInOneSpelling() {
    XCTAssertEqual(IPAddress.canonical("2001:DB8:0:0::7"), "2001:db8::7")
    XCTAssertEqual(IPAddress.canonical("fe80::1%en0"), "fe80::1")
    XCTAssertEqual(IPAddress.canonical("203.0.113.7"), "203.0.113.7")
    XCTAssertNil(IPAddress.canonical("api.openai.com"))
  }
}
