import Foundation
import LocalProtocol
import LocalSocket
import os

let log = Logger(subsystem: ExtensionIdentity.bundleId, category: "extension")

/// Accepts the agent's connections to this extension. If it cannot listen, it retries; until then
/// nothing is enabled, as if there were no extension.
final class ExtensionServer {
  let queue = DispatchQueue(label: "agents")
  private let delegate: AgentServerDelegate
  private var server: AgentServer?
  private static let retrySeconds = 30.0

  init(delegate: AgentServerDelegate) {
    self.delegate = delegate
  }

  /// The system may start a provider more than once.
  func start() {
    queue.async { [self] in
      guard server == nil else { return }
      let next = AgentServer(options, queue: queue)
      next.delegate = delegate
      do {
        try next.start()
        server = next
      } catch {
        log.error("no connections are accepted: \(String(describing: error), privacy: .public)")
        queue.asyncAfter(deadline: .now() + Self.retrySeconds) { [weak self] in self?.start() }
      }
    }
  }

  func stop() {
    queue.sync {
      server?.stop()
      server = nil
    }
  }

  private var options: AgentServer.Options {
    AgentServer.Options(
      path: ExtensionIdentity.socketPath, hello: ExtensionIdentity.hello,
      isTrusted: { AuditToken(peerOf: $0).map(CodeIdentity.isAgent) ?? false },
      log: { log.notice("\($0, privacy: .public)") })
  }
}
