/// The flows that are open, so that an agent that starts again finds those it knew, and each end has
/// a beginning. Bounded.
public struct OpenFlows {
  public static let most = 4096

  public struct Entry: Equatable {
    public let flow: OpenedFlow
    /// Whose flow it is: agents get those of their own user.
    public let user: UInt32?

    public init(flow: OpenedFlow, user: UInt32?) {
      self.flow = flow
      self.user = user
    }
  }

  private var entries: [String: Entry] = [:]

  public init() {}

  /// Answers whether there was room for it.
  public mutating func open(_ entry: Entry) -> Bool {
    guard entries.count < Self.most else { return false }
    entries[entry.flow.id] = entry
    return true
  }

  /// The entry of a flow, if it was remembered.
  public func entry(_ id: String) -> Entry? { entries[id] }

  public mutating func close(_ id: String) {
    entries[id] = nil
  }

  /// Those that an agent of this user may know, oldest first.
  public func visible(to agentUser: UInt32) -> [OpenedFlow] {
    entries.values
      .filter { mayKnow(agentUser: agentUser, flowUser: $0.user) }
      .map(\.flow)
      .sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
  }
}

/// An agent gets the flows of its own user; one that runs as root gets all. What one user does is no
/// concern of another's agent, and TLS of one must never be decrypted for another.
public func mayKnow(agentUser: UInt32, flowUser: UInt32?) -> Bool {
  agentUser == 0 || agentUser == flowUser
}
