import Foundation

public enum FrameError: Error, Equatable {
  /// Nothing in it, or more than the limit.
  case length
}

/// A message on the wire: its length in four bytes, the highest first, then its JSON.
public enum Frame {
  public static let longestBody = 262_144

  public static func encode(_ body: Data) throws -> Data {
    guard (1...longestBody).contains(body.count) else { throw FrameError.length }
    let length = UInt32(body.count)
    return Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }) + body
  }
}

/// Cuts what arrives into the bodies of frames. It holds less than one frame and what was just read.
public struct FrameReader {
  private var bytes = Data()

  public init() {}

  public mutating func append(_ more: Data) {
    bytes.append(more)
  }

  /// The next whole body, or nil before all of it is there.
  public mutating func next() throws -> Data? {
    guard bytes.count >= 4 else { return nil }
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard (1...Frame.longestBody).contains(length) else { throw FrameError.length }
    guard bytes.count >= 4 + length else { return nil }
    let body = Data(bytes.dropFirst(4).prefix(length))
    bytes = Data(bytes.dropFirst(4 + length))
    return body
  }
}
