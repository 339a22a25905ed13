/// The open flows, so that a restarted agent recognizes flows that it already knew, and each end
/// has a matching start. Their number is limited.
public struct OpenFlows {
  public static let most = 4096

  public struct Entry: Equatable {
    public let flow: OpenedFlow
    /// The user of the flow: agents get only flows of their own user.
    public let user: UInt32?

    public init(flow: OpenedFlow, user: UInt32?) {
      self.flow = flow
      self.user = user
    }
  }

  private var entries: [String: Entry] = [:]

  public init() {}

  /// Adds a flow. Returns false if the limit is reached.
  public mutating func open(_ entry: Entry) -> Bool {
    guard entries.count < Self.most else { return false }
    entries[entry.flow.id] = entry
    return true
  }

  /// Returns the entry of a flow, if it was stored.
  public func entry(_ id: String) -> Entry? { entries[id] }

  public mutating func close(_ id: String) {
    entries[id] = nil
  }

  /// Returns the flows that an agent of this user may see, oldest first.
  public func visible(to agentUser: UInt32) -> [OpenedFlow] {
    entries.values
      .filter { mayObserve(agentUser: agentUser, flowUser: $0.user) }
      .map(\.flow)
      .sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
  }
}

/// Returns whether an agent may see a user's flows: an agent gets the flows of its own user, and
/// one that runs as root gets all. Users must not see each other's activity, and TLS of one user
/// must never be decrypted for another.
public func mayObserve(agentUser: UInt32, flowUser: UInt32?) -> Bool {
  agentUser == 0 || agentUser == flowUser
}
