import Foundation
import LocalSocket
import NetworkExtension

/// Relays one flow between a program and the agent, each direction as fast as its receiver reads.
/// It lives as long as the flow or the stream refers to it.
final class HandedOverFlow {
  private let flow: NEAppProxyTCPFlow
  private let stream: SocketStream
  private let queue = DispatchQueue(label: "flow")
  /// The bytes on their way to the agent.
  private var unsent: Data?
  private var hasProgramEnded = false
  private var hasAgentEnded = false

  init(_ flow: NEAppProxyTCPFlow, to agent: Int32) {
    self.flow = flow
    stream = SocketStream(fd: agent, queue: queue)
  }

  func start(with header: Data) {
    unsent = header
    stream.nextBytes = { self.unsent }
    stream.onWritten = { self.sent($0) }
    stream.onBytes = { self.write($0) }
    stream.onEnd = { self.agentEnded() }
    stream.onFailure = { self.end(Self.connectionLost) }
    flow.open(withLocalEndpoint: nil) { error in
      self.queue.async {
        if let error { return self.end(error) }
        self.stream.setReading(true)
        self.stream.flush()
      }
    }
  }

  /// Reads the next bytes once the agent has received these.
  private func sent(_ count: Int) {
    unsent = unsent.map { Data($0.dropFirst(count)) }
    guard unsent?.isEmpty == true else { return }
    unsent = nil
    read()
  }

  private func read() {
    flow.readData { data, error in
      self.queue.async {
        if let error { return self.end(error) }
        guard let data, !data.isEmpty else { return self.programEnded() }
        self.unsent = data
        self.stream.flush()
      }
    }
  }

  private func write(_ bytes: Data) {
    stream.setReading(false)
    flow.write(bytes) { error in
      self.queue.async {
        if let error { return self.end(error) }
        self.stream.setReading(true)
      }
    }
  }

  private func programEnded() {
    hasProgramEnded = true
    stream.endWriting()
    if hasAgentEnded { end(nil) }
  }

  private func agentEnded() {
    hasAgentEnded = true
    flow.closeWriteWithError(nil)
    if hasProgramEnded { end(nil) }
  }

  private func end(_ error: Error?) {
    stream.close()
    flow.closeReadWithError(error)
    flow.closeWriteWithError(error)
    // These closures refer to this object.
    stream.nextBytes = { nil }
    stream.onWritten = { _ in }
    stream.onBytes = { _ in }
    stream.onEnd = {}
    stream.onFailure = {}
  }

  private static let connectionLost = NSError(
    domain: NEAppProxyErrorDomain, code: NEAppProxyFlowError.peerReset.rawValue)
}
