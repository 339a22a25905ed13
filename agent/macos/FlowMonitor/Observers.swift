import Foundation
import LocalProtocol
import LocalSocket

/// The observing agents, and the messages sent to them. Everything except `mayObserve` runs on the
/// server's queue.
final class Observers: AgentServerDelegate {
  private var agents: [AgentConnection] = []
  private var flows = OpenFlows()
  private let lock = NSLock()
  private var users: Set<UInt32> = []

  func agent(_ agent: AgentConnection, observes isOn: Bool) {
    forget(agent)
    guard isOn else { return }
    add(agent)
    flows.visible(to: agent.user).forEach { agent.send(.opened($0)) }
    agent.send(.listed)
  }

  func agent(_ agent: AgentConnection, diverts diversion: Diversion) {
    agent.send(.diverting(number: diversion.number, problem: "this extension diverts nothing"))
  }

  func agentDidDisconnect(_ agent: AgentConnection) {
    forget(agent)
  }

  /// Returns whether an agent observes the flows of this user. Called on the system's queue, for
  /// every flow.
  func mayObserve(user: UInt32?) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    return users.contains { LocalProtocol.mayObserve(agentUser: $0, flowUser: user) }
  }

  func open(_ entry: OpenFlows.Entry) {
    // A flow that is not stored is not reported as opened, because its end would not be reported.
    let isRemembered = flows.open(entry)
    send(isRemembered ? .opened(entry.flow) : .dropped(count: 1), of: entry.user)
  }

  func greeting(_ id: String, _ bytes: Data) {
    if let entry = flows.entry(id) { send(.greeting(id: id, bytes: bytes), of: entry.user) }
  }

  func counted(_ counts: FlowCounts) {
    if let entry = flows.entry(counts.id) { send(.counted(counts), of: entry.user) }
  }

  func closed(_ counts: FlowCounts) {
    guard let entry = flows.entry(counts.id) else { return }
    flows.close(counts.id)
    send(.closed(counts), of: entry.user)
  }

  private func send(_ message: ExtensionMessage, of user: UInt32?) {
    for agent in agents where LocalProtocol.mayObserve(agentUser: agent.user, flowUser: user) {
      agent.send(message)
    }
  }

  private func add(_ agent: AgentConnection) {
    agents.append(agent)
    updateUsers()
  }

  private func forget(_ agent: AgentConnection) {
    agents.removeAll { $0 === agent }
    updateUsers()
  }

  private func updateUsers() {
    lock.lock()
    users = Set(agents.map(\.user))
    lock.unlock()
  }
}
