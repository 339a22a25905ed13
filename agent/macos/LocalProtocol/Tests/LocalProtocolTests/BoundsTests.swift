import Foundation
import LocalProtocol
import XCTest

final class BoundsTests: XCTestCase {
  private func flow(_ id: Int) -> OpenedFlow {
    OpenedFlow(
      id: "\(id)", startedAt: Int64(id), protocol: .tcp, address: "192.0.2.1", port: 443, host: nil,
      process: nil)
  }

  func testAnAgentGetsTheFlowsOfItsUser() {
    var flows = OpenFlows()
    _ = flows.open(.init(flow: flow(3), user: 501))
    _ = flows.open(.init(flow: flow(1), user: 501))
    _ = flows.open(.init(flow: flow(2), user: 502))
    _ = flows.open(.init(flow: flow(4), user: nil))
    XCTAssertEqual(flows.visible(to: 501).map(\.id), ["1", "3"])
    XCTAssertEqual(flows.visible(to: 0).map(\.id), ["1", "2", "3", "4"])
    flows.close("3")
    XCTAssertEqual(flows.visible(to: 501).map(\.id), ["1"])
    XCTAssertNil(flows.entry("3"))
  }

  func testNoMoreFlowsThanTheLimit() {
    var flows = OpenFlows()
    for id in 0..<OpenFlows.most { XCTAssertTrue(flows.open(.init(flow: flow(id), user: 1))) }
    XCTAssertFalse(flows.open(.init(flow: flow(OpenFlows.most), user: 1)))
    XCTAssertEqual(flows.visible(to: 1).count, OpenFlows.most)
  }

  func testWhatDoesNotFitIsCounted() throws {
    var outbox = Outbox()
    let greeting = ExtensionMessage.greeting(id: "1", bytes: Data(count: 4096))
    for _ in 0..<1000 { outbox.add(greeting) }
    let first = try XCTUnwrap(outbox.first)
    outbox.written(10)
    XCTAssertEqual(outbox.first?.count, first.count - 10)
    outbox.written(first.count - 10)
    // There is enough space, but the earlier dropped messages must be reported first.
    outbox.add(.listed)
    var sent = 1
    while sent * 2 * first.count < Outbox.maxBytes, let frame = outbox.first {
      outbox.written(frame.count)
      sent += 1
    }
    outbox.add(.listed)
    let messages = try drain(&outbox)
    sent += messages.filter { $0 == greeting }.count
    XCTAssertEqual(messages.suffix(2), [.dropped(count: 1000 - sent + 1), .listed])
    XCTAssertLessThanOrEqual(sent * 4096, Outbox.maxBytes)
  }

  private func drain(_ outbox: inout Outbox) throws -> [ExtensionMessage] {
    var reader = FrameReader()
    var messages: [ExtensionMessage] = []
    while let frame = outbox.first {
      reader.append(frame)
      outbox.written(frame.count)
      while let body = try reader.next() {
        messages.append(try JSONDecoder().decode(ExtensionMessage.self, from: body))
      }
    }
    return messages
  }
}
