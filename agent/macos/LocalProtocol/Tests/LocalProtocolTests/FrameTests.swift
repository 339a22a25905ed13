import Foundation
import LocalProtocol
import XCTest

final class FrameTests: XCTestCase {
  struct Vector: Decodable {
    let name: String
    let hex: String
    let bodies: [String]
    let error: String?
  }

  /// Returns all bodies before the end or the first error.
  private func read(_ pieces: [Data]) -> (bodies: [String], failed: Bool) {
    var reader = FrameReader()
    var bodies: [String] = []
    for piece in pieces {
      reader.append(piece)
      do {
        while let body = try reader.next() { bodies.append(String(decoding: body, as: UTF8.self)) }
      } catch { return (bodies, true) }
    }
    return (bodies, false)
  }

  func testVectorsInAnyPieces() throws {
    for vector in try vectors("extension-protocol/frame-vectors.json", as: [Vector].self) {
      let stream = bytes(hex: vector.hex)
      for size in [1, 3, 7, 1000] {
        let pieces = stride(from: 0, to: stream.count, by: size).map {
          Data(stream.dropFirst($0).prefix(size))
        }
        let result = read(pieces)
        XCTAssertEqual(result.bodies, vector.bodies, "\(vector.name), by \(size)")
        XCTAssertEqual(result.failed, vector.error != nil, "\(vector.name), by \(size)")
      }
    }
  }

  func testEncodesUpToTheLimit() throws {
    let longest = Data(repeating: 120, count: Frame.longestBody)
    XCTAssertEqual(read([try Frame.encode(longest)]).bodies.first?.count, longest.count)
    XCTAssertThrowsError(try Frame.encode(longest + Data([120])))
    XCTAssertThrowsError(try Frame.encode(Data()))
  }
}
