import Foundation
import LocalProtocol
import XCTest

final class ConversationTests: XCTestCase {
  private let hello = ExtensionHello(name: "proxymonitor", build: "1.2.3")
  private let diversion = Diversion(
    number: 1, hosts: ["api.openai.com"], addresses: [], socket: "/a")

  private func frame(_ message: AgentMessage) throws -> Data {
    try Frame.encode(JSONEncoder().encode(message))
  }

  private func greeted() throws -> Conversation {
    var conversation = Conversation(hello: hello, at: 0)
    XCTAssertEqual(
      conversation.receive(try frame(.hello(version: 1)), at: 0), [.send(.hello(hello))])
    return conversation
  }

  func testWhatTheAgentEnables() throws {
    var conversation = try greeted()
    let both = try frame(.observe(isOn: true)) + frame(.alive) + frame(.divert(diversion))
    XCTAssertEqual(conversation.receive(both, at: 1), [.observe(true), .divert(diversion)])
    XCTAssertEqual(conversation.receive(try frame(.unknown(type: "dance")), at: 1), [])
  }

  func testWhatIsWrongEndsIt() throws {
    let wrong: [(String, Data, String)] = [
      ("order", try frame(.hello(version: 1)), "a second hello"),
      ("length", Data([0, 0, 0, 0]), "a frame is empty or too long"),
      ("JSON", try Frame.encode(Data("{".utf8)), "a message is malformed"),
      ("type", try Frame.encode(Data(#"{"type":"observe"}"#.utf8)), "a message is malformed"),
    ]
    for (name, bytes, reason) in wrong {
      var conversation = try greeted()
      XCTAssertEqual(conversation.receive(bytes, at: 0), [.close(reason: reason)], name)
      XCTAssertEqual(conversation.receive(try frame(.observe(isOn: true)), at: 0), [], name)
      XCTAssertEqual(conversation.expire(at: 1000), [], name)
    }
  }

  func testWhatComesBeforeTheWrongCounts() throws {
    var conversation = try greeted()
    let bytes = try frame(.observe(isOn: true)) + Data([0, 0, 0, 0])
    let ended = Conversation.Effect.close(reason: "a frame is empty or too long")
    XCTAssertEqual(conversation.receive(bytes, at: 0), [.observe(true), ended])
  }

  func testNothingBeforeHello() throws {
    var conversation = Conversation(hello: hello, at: 0)
    let ended = [Conversation.Effect.close(reason: "no hello")]
    XCTAssertEqual(conversation.receive(try frame(.divert(diversion)), at: 0), ended)
  }

  func testAnotherVersionLearnsOurs() throws {
    var conversation = Conversation(hello: hello, at: 0)
    XCTAssertEqual(
      conversation.receive(try frame(.hello(version: 2)), at: 0),
      [.send(.hello(hello)), .close(reason: "the agent speaks 2")])
  }

  func testSilenceEndsIt() throws {
    var conversation = try greeted()
    XCTAssertEqual(conversation.receive(try frame(.alive), at: 20), [])
    XCTAssertEqual(conversation.expire(at: 50), [])
    // Bytes without a complete message do not count as a sign of life.
    XCTAssertEqual(conversation.receive(Data([0]), at: 50), [])
    XCTAssertEqual(conversation.expire(at: 50.1), [.close(reason: "the agent is silent")])
    XCTAssertEqual(conversation.expire(at: 90), [])
  }
}
