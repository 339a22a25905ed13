import Dispatch
import Foundation
import LocalProtocol

/// Handles the requests of the agents. Called on the server's queue.
public protocol AgentServerDelegate: AnyObject {
  func agent(_ agent: AgentConnection, observes isOn: Bool)
  func agent(_ agent: AgentConnection, diverts diversion: Diversion)
  /// The agent has disconnected or was disconnected: everything that it enabled must end.
  func agentDidDisconnect(_ agent: AgentConnection)
}

/// Accepts connections of agents to an extension. Only processes that `isTrusted` accepts may
/// communicate.
public final class AgentServer {
  public struct Options {
    /// The path of the Unix socket.
    public var path: String
    public var hello: ExtensionHello
    /// Returns whether the process at the other end of this descriptor is the agent.
    public var isTrusted: (Int32) -> Bool
    public var log: (String) -> Void

    public init(
      path: String, hello: ExtensionHello, isTrusted: @escaping (Int32) -> Bool,
      log: @escaping (String) -> Void
    ) {
      self.path = path
      self.hello = hello
      self.isTrusted = isTrusted
      self.log = log
    }
  }

  /// The maximum number of agents: one for each signed-in user, and some that are about to end.
  public static let maxAgents = 8

  public weak var delegate: AgentServerDelegate?
  private let options: Options
  private let queue: DispatchQueue
  private var listener: DispatchSourceRead?
  private var timer: DispatchSourceTimer?
  private var agents: [AgentConnection] = []

  public init(_ options: Options, queue: DispatchQueue) {
    self.options = options
    self.queue = queue
  }

  public func start() throws {
    let fd = try UnixSocket.listen(at: options.path)
    let source = DispatchSource.makeReadSource(fileDescriptor: fd, queue: queue)
    source.setEventHandler { [weak self] in
      while let accepted = UnixSocket.accept(on: fd) { self?.addAgent(accepted) }
    }
    source.setCancelHandler { _ = systemClose(fd) }
    source.resume()
    listener = source
    startTimer()
  }

  public func stop() {
    listener?.cancel()
    timer?.cancel()
    agents.forEach { $0.end() }
  }

  private func addAgent(_ fd: Int32) {
    guard agents.count < Self.maxAgents, let user = UnixSocket.peerUser(of: fd),
      options.isTrusted(fd)
    else {
      options.log("a connection that is not the agent's was closed")
      _ = systemClose(fd)
      return
    }
    let agent = AgentConnection(fd: fd, user: user, hello: options.hello, queue: queue)
    agent.onEffect = { [weak self, weak agent] effect in
      if let agent { self?.perform(effect, agent) }
    }
    agents.append(agent)
    agent.start()
  }

  private func perform(_ effect: Conversation.Effect, _ agent: AgentConnection) {
    switch effect {
    case .send(let message): agent.send(message)
    case .observe(let isOn): delegate?.agent(agent, observes: isOn)
    case .divert(let diversion): delegate?.agent(agent, diverts: diversion)
    case .close(let reason):
      options.log("an agent's connection ended: \(reason)")
      agents.removeAll { $0 === agent }
      delegate?.agentDidDisconnect(agent)
    }
  }

  private func startTimer() {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(deadline: .now() + 5, repeating: 5)
    source.setEventHandler { [weak self] in self?.agents.forEach { $0.expire() } }
    source.resume()
    timer = source
  }
}

/// The connection of one agent.
public final class AgentConnection {
  public let user: UInt32
  fileprivate var onEffect: (Conversation.Effect) -> Void = { _ in }
  private let stream: SocketStream
  private var conversation: Conversation
  private var outbox = Outbox()
  private var hasEnded = false

  init(fd: Int32, user: UInt32, hello: ExtensionHello, queue: DispatchQueue) {
    self.user = user
    stream = SocketStream(fd: fd, queue: queue)
    conversation = Conversation(hello: hello, at: Self.now)
  }

  public func send(_ message: ExtensionMessage) {
    outbox.add(message)
    stream.flush()
  }

  fileprivate func start() {
    stream.onBytes = { [weak self] bytes in self?.receive(bytes) }
    stream.onEnd = { [weak self] in self?.end(because: "it was closed") }
    stream.onFailure = { [weak self] in self?.end(because: "it broke") }
    stream.nextBytes = { [weak self] in self?.outbox.first }
    stream.onWritten = { [weak self] count in self?.outbox.written(count) }
    stream.setReading(true)
  }

  fileprivate func expire() {
    conversation.expire(at: Self.now).forEach(perform)
  }

  fileprivate func end() {
    end(because: "the extension stops")
  }

  private func receive(_ bytes: Data) {
    conversation.receive(bytes, at: Self.now).forEach(perform)
  }

  private func perform(_ effect: Conversation.Effect) {
    if case .close(let reason) = effect { end(because: reason) } else { onEffect(effect) }
  }

  private func end(because reason: String) {
    guard !hasEnded else { return }
    hasEnded = true
    stream.close()
    onEffect(.close(reason: reason))
  }

  /// The time in seconds of a clock that no user can set.
  private static var now: TimeInterval { ProcessInfo.processInfo.systemUptime }
}
