import Foundation

/// A message from the agent to an extension.
public enum AgentMessage: Equatable {
  case hello(version: Int)
  case alive
  case observe(isOn: Bool)
  case divert(Diversion)
  /// A message of a newer agent, which is ignored.
  case unknown(type: String)
}

/// The flows that ProxyMonitor must divert, and the socket that accepts them. Without hosts and
/// addresses, no flow is diverted.
public struct Diversion: Equatable, Codable {
  public static let maxHosts = 512
  public static let maxAddresses = 1024

  /// The number of this order, which the response repeats.
  public let number: Int
  /// Host names, or `*.example.com` for every host one label below.
  public let hosts: [String]
  /// Addresses of those hosts, for programs that resolve names themselves: the system does not know
  /// the host names of their flows.
  public let addresses: [String]
  /// The path of the Unix socket that accepts flows.
  public let socket: String

  public init(number: Int, hosts: [String], addresses: [String], socket: String) {
    self.number = number
    self.hosts = hosts
    self.addresses = addresses
    self.socket = socket
  }

  public var isEmpty: Bool { hosts.isEmpty && addresses.isEmpty }
}

extension AgentMessage: Codable {
  private enum Key: String, CodingKey {
    case type, version = "protocol", on
  }

  public init(from decoder: Decoder) throws {
    let message = try decoder.container(keyedBy: Key.self)
    switch try message.decode(String.self, forKey: .type) {
    case "hello": self = .hello(version: try message.decode(Int.self, forKey: .version))
    case "alive": self = .alive
    case "observe": self = .observe(isOn: try message.decode(Bool.self, forKey: .on))
    case "divert": self = .divert(try Self.checked(Diversion(from: decoder), decoder))
    case let type: self = .unknown(type: type)
    }
  }

  public func encode(to encoder: Encoder) throws {
    var message = encoder.container(keyedBy: Key.self)
    switch self {
    case .hello(let version):
      try message.encode("hello", forKey: .type)
      try message.encode(version, forKey: .version)
    case .alive:
      try message.encode("alive", forKey: .type)
    case .observe(let isOn):
      try message.encode("observe", forKey: .type)
      try message.encode(isOn, forKey: .on)
    case .divert(let diversion):
      try message.encode("divert", forKey: .type)
      try diversion.encode(to: encoder)
    case .unknown(let type):
      try message.encode(type, forKey: .type)
    }
  }

  private static func checked(_ diversion: Diversion, _ decoder: Decoder) throws -> Diversion {
    let isBounded =
      diversion.number >= 0
      && diversion.hosts.count <= Diversion.maxHosts
      && diversion.addresses.count <= Diversion.maxAddresses
      && diversion.socket.hasPrefix("/")
    guard isBounded else {
      let context = DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: "a diversion beyond its limits")
      throw DecodingError.dataCorrupted(context)
    }
    return diversion
  }
}
