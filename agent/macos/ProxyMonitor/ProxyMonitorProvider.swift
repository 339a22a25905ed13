import Foundation
import LocalProtocol
import LocalSocket
import NetworkExtension

/// Hands flows to enabled hosts over to the agent. All other flows, and those that cannot be handed
/// over, are left to the system and go where they would without this extension.
final class ProxyMonitorProvider: NETransparentProxyProvider, AgentServerDelegate {
  private lazy var server = ExtensionServer(delegate: self)
  private let lock = NSLock()
  private var diversions = Diversions()

  override func startProxy(
    options: [String: Any]?, completionHandler: @escaping (Error?) -> Void
  ) {
    server.start()
    apply(completionHandler)
  }

  override func stopProxy(
    with reason: NEProviderStopReason, completionHandler: @escaping () -> Void
  ) {
    server.stop()
    completionHandler()
  }

  /// Returns whether the flow is handed over; other flows go directly.
  override func handleNewFlow(_ flow: NEAppProxyFlow) -> Bool {
    guard let flow = flow as? NEAppProxyTCPFlow,
      let destination = destination(flow, flow.remoteEndpoint),
      let token = token(of: flow), let path = socket(for: destination, of: token)
    else { return false }
    guard let agent = try? UnixSocket.connect(to: path) else { return false }
    guard AuditToken(peerOf: agent).map(CodeIdentity.isAgent) == true,
      let header = header(destination, token)
    else {
      close(agent)
      return false
    }
    HandedOverFlow(flow, to: agent).start(with: header)
    return true
  }

  /// A client whose QUIC is refused falls back to TCP at once.
  override func handleNewUDPFlow(
    _ flow: NEAppProxyUDPFlow, initialRemoteEndpoint remoteEndpoint: NWEndpoint
  ) -> Bool {
    guard let destination = destination(flow, remoteEndpoint), let token = token(of: flow),
      socket(for: destination, of: token) != nil
    else { return false }
    let refused = NSError(domain: NEAppProxyErrorDomain, code: NEAppProxyFlowError.refused.rawValue)
    flow.closeReadWithError(refused)
    flow.closeWriteWithError(refused)
    return true
  }

  func agent(_ agent: AgentConnection, diverts diversion: Diversion) {
    change { diversions in
      if diversion.isEmpty {
        diversions.remove(by: agent)
      } else {
        diversions.set(diversion, by: agent, of: agent.user)
      }
    }
    apply { [server] error in
      let problem = error?.localizedDescription
      server.queue.async { agent.send(.diverting(number: diversion.number, problem: problem)) }
    }
  }

  func agent(_ agent: AgentConnection, observes isOn: Bool) {}

  func agentDidDisconnect(_ agent: AgentConnection) {
    change { $0.remove(by: agent) }
    apply { _ in }
  }

  private func socket(for destination: Destination, of token: AuditToken) -> String? {
    lock.lock()
    let path = diversions.socket(for: destination, of: token.user)
    lock.unlock()
    // Connections of the agent itself are excluded, because they would come back to it.
    return path.flatMap { CodeIdentity.isAgent(token) ? nil : $0 }
  }

  private func change(_ make: (inout Diversions) -> Void) {
    lock.lock()
    make(&diversions)
    lock.unlock()
  }

  /// Makes the system show only the flows to the enabled hosts. Settings such as includeAllNetworks
  /// are not used: with them a transparent proxy fails silently.
  private func apply(_ completion: @escaping (Error?) -> Void) {
    lock.lock()
    let rules =
      diversions.domains.map(rule(domain:)) + diversions.addresses.compactMap(rule(address:))
    lock.unlock()
    let settings = NETransparentProxyNetworkSettings(tunnelRemoteAddress: "127.0.0.1")
    settings.includedNetworkRules = rules
    setTunnelNetworkSettings(settings, completionHandler: completion)
  }

  private func rule(domain: String) -> NENetworkRule {
    NENetworkRule(
      destinationHost: NWHostEndpoint(hostname: domain, port: "443"), protocol: .any)
  }

  private func rule(address: String) -> NENetworkRule? {
    guard let length = IPAddress.bytes(address)?.count else { return nil }
    return NENetworkRule(
      remoteNetwork: NWHostEndpoint(hostname: address, port: "443"), remotePrefix: length * 8,
      localNetwork: nil, localPrefix: 0, protocol: .any, direction: .outbound)
  }

  private func destination(_ flow: NEAppProxyFlow, _ endpoint: NWEndpoint) -> Destination? {
    guard let remote = endpoint as? NWHostEndpoint, let port = UInt16(remote.port) else {
      return nil
    }
    return Destination(hostname: flow.remoteHostname, endpoint: remote.hostname, port: port)
  }

  private func token(of flow: NEAppProxyFlow) -> AuditToken? {
    AuditToken(flow.metaData.sourceAppAuditToken)
  }

  private func header(_ destination: Destination, _ token: AuditToken) -> Data? {
    let process = FlowProcess(token)
    var header = destination.header()
    header.pid = UInt32(exactly: process.pid)
    header.executable = process.path
    header.user = process.user
    header.signingId = process.signingId
    return header.encoded()
  }
}
