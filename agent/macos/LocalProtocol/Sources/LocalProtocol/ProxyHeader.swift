import Foundation

/// The header of the PROXY protocol, version 2 (haproxy.org, proxy-protocol.txt), which precedes
/// the bytes of a handed-over flow. A nil member is not in the header.
public struct ProxyHeader: Equatable {
  public enum Command: UInt8 {
    case local = 0x20
    case proxy = 0x21
  }

  public struct End: Equatable {
    public let address: String
    public let port: UInt16

    public init(address: String, port: UInt16) {
      self.address = address
      self.port = port
    }
  }

  public static let longest = 4096

  public var command = Command.proxy
  public var source: End?
  public var destination: End?
  public var authority: String?
  public var pid: UInt32?
  public var executable: String?
  public var user: String?
  public var signingId: String?

  public init() {}

  /// Returns nil if the endpoints are not of one family, or if the header would be longer than a
  /// reader accepts.
  public func encoded() -> Data? {
    guard let addresses = encodedEnds() else { return nil }
    let body = addresses.bytes + tlvs()
    guard 16 + body.count <= Self.longest else { return nil }
    return Data(Self.signature + [command.rawValue, addresses.family] + pair(body.count) + body)
  }

  private static let signature: [UInt8] = [
    13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10,
  ]

  private func encodedEnds() -> (family: UInt8, bytes: [UInt8])? {
    guard let source, let destination else {
      return source == nil && destination == nil ? (0, []) : nil
    }
    guard let from = IPAddress.bytes(source.address),
      let to = IPAddress.bytes(destination.address), from.count == to.count
    else { return nil }
    let ports = pair(Int(source.port)) + pair(Int(destination.port))
    return (from.count == 4 ? 0x11 : 0x21, from + to + ports)
  }

  private func tlvs() -> [UInt8] {
    let number = pid.map { pid in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: pid >> $0) } }
    let values: [(type: UInt8, value: [UInt8]?)] = [
      (0x02, authority.map { [UInt8]($0.utf8) }),
      (0xe0, number),
      (0xe1, executable.map { [UInt8]($0.utf8) }),
      (0xe2, user.map { [UInt8]($0.utf8) }),
      (0xe3, signingId.map { [UInt8]($0.utf8) }),
    ]
    return values.flatMap { type, value in
      value.map { [type] + pair($0.count) + $0 } ?? []
    }
  }

  private func pair(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
}
