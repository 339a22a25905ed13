import Foundation
import LocalProtocol
import LocalSocket
import XCTest

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs the server on a real socket, with a test agent.
final class AgentServerTests: XCTestCase, AgentServerDelegate {
  private let queue = DispatchQueue(label: "test")
  private var folder = ""
  private var path = ""
  private var server: AgentServer?
  private var isTrusted = true
  private var events: [String] = []
  private var happened = DispatchSemaphore(value: 0)
  private let hello = ExtensionHello(name: "flowmonitor", build: "1")

  override func setUpWithError() throws {
    // The tests write to connections that the server has ended.
    signal(SIGPIPE, SIG_IGN)
    folder = NSTemporaryDirectory() + "agent-server-\(UUID().uuidString)"
    path = folder + "/flowmonitor.sock"
    let options = AgentServer.Options(
      path: path, hello: hello, isTrusted: { [weak self] _ in self?.isTrusted ?? false },
      log: { _ in })
    let server = AgentServer(options, queue: queue)
    server.delegate = self
    try server.start()
    self.server = server
  }

  override func tearDown() {
    queue.sync { server?.stop() }
    try? FileManager.default.removeItem(atPath: folder)
  }

  func agent(_ agent: AgentConnection, observes isOn: Bool) {
    events.append("observes \(isOn) for \(agent.user == geteuid() ? "me" : "another")")
    agent.send(.listed)
    happened.signal()
  }

  func agent(_ agent: AgentConnection, diverts diversion: Diversion) {
    events.append("diverts \(diversion.hosts)")
    agent.send(.diverting(number: diversion.number, problem: nil))
    happened.signal()
  }

  func agentDidDisconnect(_ agent: AgentConnection) {
    events.append("gone")
    happened.signal()
  }

  private func send(_ message: AgentMessage, on fd: Int32) throws {
    let frame = try Frame.encode(JSONEncoder().encode(message))
    XCTAssertEqual(frame.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }, frame.count)
  }

  /// Waits for this number of messages; returns fewer if the connection was closed.
  private func receive(_ count: Int, on fd: Int32) throws -> [ExtensionMessage] {
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK)
    var reader = FrameReader()
    var messages: [ExtensionMessage] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while messages.count < count {
      let length = recv(fd, &buffer, buffer.count, 0)
      if length <= 0 { break }
      reader.append(Data(buffer.prefix(length)))
      while let body = try reader.next() {
        messages.append(try JSONDecoder().decode(ExtensionMessage.self, from: body))
      }
    }
    return messages
  }

  private func eventsSoFar() -> [String] { queue.sync { events } }

  func testAnAgentEnablesAndGoes() throws {
    let fd = try UnixSocket.connect(to: path)
    try send(.hello(version: 1), on: fd)
    try send(.observe(isOn: true), on: fd)
    try send(
      .divert(Diversion(number: 3, hosts: ["a.example"], addresses: [], socket: "/a")), on: fd)
    XCTAssertEqual(
      try receive(3, on: fd), [.hello(hello), .listed, .diverting(number: 3, problem: nil)])
    close(fd)
    for _ in 0..<3 { happened.wait() }
    XCTAssertEqual(
      eventsSoFar(), ["observes true for me", "diverts [\"a.example\"]", "gone"])
  }

  func testWhoIsNotTheAgentIsNotHeard() throws {
    isTrusted = false
    let fd = try UnixSocket.connect(to: path)
    // The connection may be closed before or after this.
    let frame = try Frame.encode(JSONEncoder().encode(AgentMessage.hello(version: 1)))
    _ = frame.withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }
    XCTAssertEqual(try receive(1, on: fd), [])
    XCTAssertEqual(eventsSoFar(), [])
    close(fd)
  }

  func testNonsenseEndsOnlyItsOwnConnection() throws {
    let good = try UnixSocket.connect(to: path)
    try send(.hello(version: 1), on: good)
    let bad = try UnixSocket.connect(to: path)
    XCTAssertEqual(write(bad, "GET / HTTP/1.1\r\n", 16), 16)
    XCTAssertEqual(try receive(1, on: bad), [])
    try send(.observe(isOn: false), on: good)
    XCTAssertEqual(try receive(2, on: good), [.hello(hello), .listed])
    close(good)
    close(bad)
  }

  func testNoMoreAgentsThanTheLimit() throws {
    let agents = try (0..<AgentServer.maxAgents).map { _ in try UnixSocket.connect(to: path) }
    for fd in agents {
      try send(.hello(version: 1), on: fd)
      XCTAssertEqual(try receive(1, on: fd), [.hello(hello)])
    }
    let more = try UnixSocket.connect(to: path)
    XCTAssertEqual(try receive(1, on: more), [])
    (agents + [more]).forEach { close($0) }
  }

  func testASocketThatAnEarlierProcessLeftIsReplaced() throws {
    let options = AgentServer.Options(
      path: path, hello: hello, isTrusted: { _ in true }, log: { _ in })
    let next = AgentServer(options, queue: queue)
    XCTAssertNoThrow(try next.start())
    queue.sync { next.stop() }
  }

  func testAFolderThatOthersMayChangeIsRefused() throws {
    chmod(folder, 0o777)
    let options = AgentServer.Options(
      path: path, hello: hello, isTrusted: { _ in true }, log: { _ in })
    XCTAssertThrowsError(try AgentServer(options, queue: queue).start()) {
      XCTAssertEqual("\($0)", "\(folder) is not a folder that only its owner may change")
    }
  }

  func testNobodyThereIsKnownAtOnce() {
    XCTAssertThrowsError(try UnixSocket.connect(to: folder + "/none.sock"))
    XCTAssertThrowsError(try UnixSocket.connect(to: "/" + String(repeating: "x", count: 200)))
  }
}
