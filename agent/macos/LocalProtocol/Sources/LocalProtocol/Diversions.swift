/// The combined diversions of all agents.
public struct Diversions {
  private struct Entry {
    let user: UInt32
    let hosts: EnabledHosts
    let addresses: Set<String>
    let diversion: Diversion
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  public init() {}

  public mutating func set(_ diversion: Diversion, by agent: AnyObject, of user: UInt32) {
    entries[ObjectIdentifier(agent)] = Entry(
      user: user, hosts: EnabledHosts(diversion.hosts),
      addresses: Set(diversion.addresses.compactMap(IPAddress.canonical)), diversion: diversion)
  }

  public mutating func remove(by agent: AnyObject) {
    entries[ObjectIdentifier(agent)] = nil
  }

  /// The domains whose flows the system must show. It also shows flows of their subdomains.
  public var domains: [String] {
    let all = entries.values.flatMap(\.diversion.hosts).map(EnabledHosts.normalized)
    return Set(all.map { $0.hasPrefix("*.") ? String($0.dropFirst(2)) : $0 }).sorted()
  }

  public var addresses: [String] {
    Set(entries.values.flatMap(\.addresses)).sorted()
  }

  /// Returns the socket that accepts a flow; nil if the flow is not diverted. A flow with a known
  /// host is matched only by that host, so that another host at the same address is not diverted.
  public func socket(for destination: Destination, of user: UInt32?) -> String? {
    guard destination.port == 443 else { return nil }
    return entries.values
      .filter { mayObserve(agentUser: $0.user, flowUser: user) && matches($0, destination) }
      // The user's own agent takes precedence over one that runs as root.
      .max { $0.user < $1.user }?
      .diversion.socket
  }

  private func matches(_ entry: Entry, _ destination: Destination) -> Bool {
    if let host = destination.host { return entry.hosts.contains(host) }
    guard let address = IPAddress.canonical(destination.address) else { return false }
    return entry.addresses.contains(address)
  }
}

/// The destination of a flow, as reported by the system.
public struct Destination: Equatable {
  /// The host name that the program requested; nil if it connected to an address.
  public let host: String?
  /// The address, or the host name again.
  public let address: String
  public let port: UInt16

  /// `endpoint` may be a host name if the program connected by name.
  public init(hostname: String?, endpoint: String, port: UInt16) {
    let isAddress = IPAddress.bytes(endpoint) != nil
    host = hostname.flatMap { $0.isEmpty || IPAddress.bytes($0) != nil ? nil : $0 }
      ?? (isAddress ? nil : endpoint)
    address = endpoint
    self.port = port
  }

  /// Returns the header that the agent reads: without an address, the unspecified address and the
  /// host name. The system does not report the program's own endpoint.
  public func header() -> ProxyHeader {
    let bytes = IPAddress.bytes(address)
    let unspecified = bytes?.count == 16 ? "::" : "0.0.0.0"
    var header = ProxyHeader()
    header.source = .init(address: unspecified, port: 0)
    header.destination = .init(address: bytes == nil ? unspecified : address, port: port)
    header.authority = host
    return header
  }
}
