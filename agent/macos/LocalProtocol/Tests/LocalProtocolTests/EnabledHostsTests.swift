import LocalProtocol
import XCTest

final class EnabledHostsTests: XCTestCase {
  struct Vector: Decodable {
    let enabled: [String]
    let name: String
    let expected: Bool
  }

  func testVectors() throws {
    let all = try vectors("capture/listeners/enabled-hosts-vectors.json", as: [Vector].self)
    for vector in all {
      let hosts = EnabledHosts(vector.enabled)
      XCTAssertEqual(hosts.contains(vector.name), vector.expected, "\(vector)")
    }
  }
}
