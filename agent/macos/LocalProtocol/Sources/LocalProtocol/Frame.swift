import Foundation

public enum FrameError: Error, Equatable {
  /// The frame is empty, or longer than the limit.
  case length
}

/// A message on the wire: its length in four bytes, most significant first, then its JSON.
public enum Frame {
  public static let longestBody = 262_144

  public static func encode(_ body: Data) throws -> Data {
    guard (1...longestBody).contains(body.count) else { throw FrameError.length }
    let length = UInt32(body.count)
    return Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }) + body
  }
}

/// Splits received bytes into the bodies of frames. It stores less than one frame plus the latest
/// read.
public struct FrameReader {
  private var bytes = Data()

  public init() {}

  public mutating func append(_ more: Data) {
    bytes.append(more)
  }

  /// Returns the next complete body, or nil if it is incomplete.
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
