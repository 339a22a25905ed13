import Foundation
import XCTest

/// Reads vectors that are shared with the tests of the agent. The tests run in a checkout.
func vectors<T: Decodable>(_ path: String, as type: T.Type = T.self) throws -> T {
  try JSONDecoder().decode(type, from: vectorData(path))
}

func vectorData(_ path: String) throws -> Data {
  var agent = URL(fileURLWithPath: #filePath)
  for _ in 0..<5 { agent.deleteLastPathComponent() }
  return try Data(contentsOf: agent.appendingPathComponent("core/\(path)"))
}

func bytes(hex: String) -> Data {
  let digits = Array(hex)
  return Data(
    stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)!
    })
}

func hex(_ bytes: Data) -> String {
  bytes.map { String(format: "%02x", $0) }.joined()
}
