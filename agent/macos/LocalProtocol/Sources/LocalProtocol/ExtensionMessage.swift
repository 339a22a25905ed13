import Foundation

/// A message from an extension to the agent.
public enum ExtensionMessage: Equatable {
  case hello(ExtensionHello)
  case opened(OpenedFlow)
  /// The first bytes that the program sent over a flow without a host name: a TLS greeting may
  /// contain one.
  case greeting(id: String, bytes: Data)
  case counted(FlowCounts)
  case closed(FlowCounts)
  /// All flows that were open when the agent started observing have been sent.
  case listed
  /// This number of messages was dropped because the agent did not read them in time.
  case dropped(count: Int)
  /// The response to a diversion: it is in force if `problem` is nil.
  case diverting(number: Int, problem: String?)
}

public struct ExtensionHello: Equatable, Codable {
  public static let currentVersion = 1

  public let version: Int
  /// `flowmonitor` or `proxymonitor`.
  public let name: String
  /// The version of the extension's bundle.
  public let build: String

  public init(version: Int = currentVersion, name: String, build: String) {
    self.version = version
    self.name = name
    self.build = build
  }

  private enum CodingKeys: String, CodingKey {
    case version = "protocol", name = "extension", build = "version"
  }
}

public struct FlowProcess: Equatable, Codable {
  public let pid: Int32
  /// A number that grows when a pid is reused.
  public let pidVersion: Int32
  public let path: String?
  public let signingId: String?
  public let user: String?

  public init(pid: Int32, pidVersion: Int32, path: String?, signingId: String?, user: String?) {
    self.pid = pid
    self.pidVersion = pidVersion
    self.path = path
    self.signingId = signingId
    self.user = user
  }

  private enum CodingKeys: String, CodingKey {
    case pid, pidVersion = "pid_version", path, signingId = "signing_id", user
  }

  public func encode(to encoder: Encoder) throws {
    var process = encoder.container(keyedBy: CodingKeys.self)
    try process.encode(pid, forKey: .pid)
    try process.encode(pidVersion, forKey: .pidVersion)
    try process.encode(path, forKey: .path)
    try process.encode(signingId, forKey: .signingId)
    try process.encode(user, forKey: .user)
  }
}

public enum FlowProtocol: String, Codable {
  case tcp, udp
}

public struct OpenedFlow: Equatable, Codable {
  public let id: String
  /// Milliseconds since 1970, like all times here.
  public let startedAt: Int64
  public let `protocol`: FlowProtocol
  public let address: String
  public let port: UInt16
  /// The host name that the program requested, if the system knows it.
  public let host: String?
  public let process: FlowProcess?

  public init(
    id: String, startedAt: Int64, protocol: FlowProtocol, address: String, port: UInt16,
    host: String?, process: FlowProcess?
  ) {
    self.id = id
    self.startedAt = startedAt
    self.protocol = `protocol`
    self.address = address
    self.port = port
    self.host = host
    self.process = process
  }

  private enum CodingKeys: String, CodingKey {
    case id, startedAt = "started_at", `protocol`, address, port, host, process
  }

  public func encode(to encoder: Encoder) throws {
    var flow = encoder.container(keyedBy: CodingKeys.self)
    try flow.encode(id, forKey: .id)
    try flow.encode(startedAt, forKey: .startedAt)
    try flow.encode(`protocol`, forKey: .protocol)
    try flow.encode(address, forKey: .address)
    try flow.encode(port, forKey: .port)
    try flow.encode(host, forKey: .host)
    try flow.encode(process, forKey: .process)
  }
}

/// The bytes transferred over a flow until `at`.
public struct FlowCounts: Equatable, Codable {
  public let id: String
  public let at: Int64
  public let bytesIn: UInt64
  public let bytesOut: UInt64

  public init(id: String, at: Int64, bytesIn: UInt64, bytesOut: UInt64) {
    self.id = id
    self.at = at
    self.bytesIn = bytesIn
    self.bytesOut = bytesOut
  }

  private enum CodingKeys: String, CodingKey {
    case id, at, bytesIn = "bytes_in", bytesOut = "bytes_out"
  }
}

extension ExtensionMessage: Codable {
  private enum Key: String, CodingKey {
    case type, id, bytes, count, number, problem
  }

  public init(from decoder: Decoder) throws {
    let message = try decoder.container(keyedBy: Key.self)
    let type = try message.decode(String.self, forKey: .type)
    switch type {
    case "hello": self = .hello(try ExtensionHello(from: decoder))
    case "opened": self = .opened(try OpenedFlow(from: decoder))
    case "greeting":
      self = .greeting(
        id: try message.decode(String.self, forKey: .id),
        bytes: try message.decode(Data.self, forKey: .bytes))
    case "counted": self = .counted(try FlowCounts(from: decoder))
    case "closed": self = .closed(try FlowCounts(from: decoder))
    case "listed": self = .listed
    case "dropped": self = .dropped(count: try message.decode(Int.self, forKey: .count))
    case "diverting":
      self = .diverting(
        number: try message.decode(Int.self, forKey: .number),
        problem: try message.decode(String?.self, forKey: .problem))
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .type, in: message, debugDescription: "no message is called \(type)")
    }
  }

  public func encode(to encoder: Encoder) throws {
    var message = encoder.container(keyedBy: Key.self)
    try message.encode(type, forKey: .type)
    switch self {
    case .hello(let hello): try hello.encode(to: encoder)
    case .opened(let flow): try flow.encode(to: encoder)
    case .greeting(let id, let bytes):
      try message.encode(id, forKey: .id)
      try message.encode(bytes, forKey: .bytes)
    case .counted(let counts), .closed(let counts): try counts.encode(to: encoder)
    case .listed: break
    case .dropped(let count): try message.encode(count, forKey: .count)
    case .diverting(let number, let problem):
      try message.encode(number, forKey: .number)
      try message.encode(problem, forKey: .problem)
    }
  }

  private var type: String {
    switch self {
    case .hello: return "hello"
    case .opened: return "opened"
    case .greeting: return "greeting"
    case .counted: return "counted"
    case .closed: return "closed"
    case .listed: return "listed"
    case .dropped: return "dropped"
    case .diverting: return "diverting"
    }
  }
}
