import ExtensionsTool
import Foundation
import XCTest

final class ExtensionsToolTests: XCTestCase {
  func testArguments() {
    let named = { ExtensionsTask.named(by: $0) }
    XCTAssertEqual(named(["start-proxy"]), .startProxy)
    XCTAssertEqual(ExtensionsTask.allCases.map { named([$0.rawValue]) }, ExtensionsTask.allCases)
    for wrong in [[], ["startProxy"], [""], ["status", "status"]] {
      XCTAssertNil(named(wrong), "\(wrong)")
    }
    XCTAssertEqual(
      ExtensionsTask.usage,
      "usage: gatehouse-extensions activate | deactivate | status | start-proxy | stop-proxy\n")
  }

  /// The events in the order of the vectors, which the agent's tests read too.
  private let events: [ToolEvent] = [
    .activated("com.example.agent.flowmonitor", needsRestart: false),
    .deactivated("com.example.agent.flowmonitor", needsRestart: true),
    .needsApproval("com.example.agent.proxymonitor"),
    .configured(.filter, wasPresent: true),
    .removed(.proxy, wasPresent: false),
    .started(wasRunning: false),
    .stopped(wasRunning: true),
    .status("com.example.agent.flowmonitor", .needsApproval, versions: ["1.2.3"]),
    .status("com.example.agent.proxymonitor", .active, versions: []),
    .filterStatus(present: true, enabled: false),
    .proxyStatus(present: true, enabled: true, running: false),
    .failed(of: "filter", problem: "not\npermitted: \"a/b\"", code: 10),
    .done(ok: false),
  ]

  func testVectors() throws {
    let agent = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let path = "core/network-extensions/tool-output-vectors.json"
    let data = try Data(contentsOf: agent.appendingPathComponent(path))
    let lines = try JSONDecoder().decode([String].self, from: data)
    XCTAssertEqual(events.map { String(decoding: $0.line, as: UTF8.self) }, lines.map { $0 + "\n" })
  }
}
