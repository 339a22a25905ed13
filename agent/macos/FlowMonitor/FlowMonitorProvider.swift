import Foundation
import LocalProtocol
import NetworkExtension

/// Reports flows to the observing agents. Every flow is always allowed.
final class FlowMonitorProvider: NEFilterDataProvider {
  private let observers = Observers()
  private lazy var server = ExtensionServer(delegate: observers)

  /// The maximum size of the reported TLS greeting; sufficient for current browsers.
  private static let greetingBytes = 4096

  override func startFilter(completionHandler: @escaping (Error?) -> Void) {
    server.start()
    let outbound = NENetworkRule(
      remoteNetwork: nil, remotePrefix: 0, localNetwork: nil, localPrefix: 0, protocol: .any,
      direction: .outbound)
    let rules = [NEFilterRule(networkRule: outbound, action: .filterData)]
    apply(NEFilterSettings(rules: rules, defaultAction: .allow), completionHandler: completionHandler)
  }

  override func stopFilter(
    with reason: NEProviderStopReason, completionHandler: @escaping () -> Void
  ) {
    server.stop()
    completionHandler()
  }

  override func handleNewFlow(_ flow: NEFilterFlow) -> NEFilterNewFlowVerdict {
    guard let entry = entry(of: flow) else { return .allow() }
    server.queue.async { [observers] in observers.open(entry) }
    // The system knows the host name if the program connects by name; otherwise the TLS greeting
    // may contain it.
    let isUnnamed = entry.flow.host == nil && entry.flow.port == 443 && entry.flow.protocol == .tcp
    let verdict =
      isUnnamed
      ? NEFilterNewFlowVerdict.filterDataVerdict(
        withFilterInbound: false, peekInboundBytes: 0, filterOutbound: true,
        peekOutboundBytes: Self.greetingBytes)
      : .allow()
    verdict.shouldReport = true
    verdict.statisticsReportFrequency = .medium
    return verdict
  }

  override func handleOutboundData(
    from flow: NEFilterFlow, readBytesStartOffset offset: Int, readBytes: Data
  ) -> NEFilterDataVerdict {
    if offset == 0, !readBytes.isEmpty {
      let id = flow.identifier.uuidString
      let bytes = Data(readBytes.prefix(Self.greetingBytes))
      server.queue.async { [observers] in observers.greeting(id, bytes) }
    }
    let verdict = NEFilterDataVerdict.allow()
    verdict.shouldReport = true
    verdict.statisticsReportFrequency = .medium
    return verdict
  }

  override func handle(_ report: NEFilterReport) {
    guard let flow = report.flow else { return }
    let counts = FlowCounts(
      id: flow.identifier.uuidString, at: now(), bytesIn: UInt64(report.bytesInboundCount),
      bytesOut: UInt64(report.bytesOutboundCount))
    switch report.event {
    case .statistics: server.queue.async { [observers] in observers.counted(counts) }
    case .flowClosed: server.queue.async { [observers] in observers.closed(counts) }
    default: break
    }
  }

  private func entry(of flow: NEFilterFlow) -> OpenFlows.Entry? {
    guard let flow = flow as? NEFilterSocketFlow, flow.direction == .outbound,
      let kind = flow.transportProtocol, let remote = flow.remoteEndpoint as? NWHostEndpoint,
      let port = UInt16(remote.port)
    else { return nil }
    let destination = Destination(
      hostname: flow.remoteHostname, endpoint: remote.hostname, port: port)
    let token = AuditToken(flow.sourceAppAuditToken)
    // The process is identified only if an agent observes this user, because that takes time.
    guard observers.mayObserve(user: token?.user) else { return nil }
    let opened = OpenedFlow(
      id: flow.identifier.uuidString, startedAt: now(), protocol: kind,
      address: destination.address, port: port, host: destination.host,
      process: token.map(FlowProcess.init))
    return OpenFlows.Entry(flow: opened, user: token?.user)
  }

  private func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
}

extension NEFilterSocketFlow {
  fileprivate var transportProtocol: FlowProtocol? {
    switch socketProtocol {
    case IPPROTO_TCP: return .tcp
    case IPPROTO_UDP: return .udp
    default: return nil
    }
  }
}
