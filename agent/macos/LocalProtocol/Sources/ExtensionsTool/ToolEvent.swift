import Foundation

/// What `gatehouse-extensions` prints: one JSON object per line. The agent reads the same lines in
/// agent/core/network-extensions/tool-output.ts.
public enum ToolEvent {
  public enum Configuration: String {
    case filter, proxy
  }

  public enum State: String {
    case active, inactive
    case needsApproval = "needs_approval"
  }

  case activated(String, needsRestart: Bool)
  case deactivated(String, needsRestart: Bool)
  /// A user must allow the extension in System Settings.
  case needsApproval(String)
  case configured(Configuration, wasPresent: Bool)
  case removed(Configuration, wasPresent: Bool)
  case started(wasRunning: Bool)
  case stopped(wasRunning: Bool)
  case status(String, State, versions: [String])
  case filterStatus(present: Bool, enabled: Bool)
  case proxyStatus(present: Bool, enabled: Bool, running: Bool)
  /// An error of the system, about an extension or a configuration.
  case failed(of: String, problem: String, code: Int)
  case done(ok: Bool)

  /// The event as it is printed, with a line feed at the end.
  public var line: Data {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    let json = try? JSONSerialization.data(withJSONObject: members, options: options)
    return (json ?? Data()) + Data("\n".utf8)
  }

  private var members: [String: Any] {
    switch self {
    case .activated(let identifier, let needsRestart):
      return ["event": "activated", "extension": identifier, "needs_restart": needsRestart]
    case .deactivated(let identifier, let needsRestart):
      return ["event": "deactivated", "extension": identifier, "needs_restart": needsRestart]
    case .needsApproval(let identifier):
      return ["event": "needs_approval", "extension": identifier]
    case .configured(let configuration, let wasPresent):
      return Self.change("configured", configuration, "was_present", wasPresent)
    case .removed(let configuration, let wasPresent):
      return Self.change("removed", configuration, "was_present", wasPresent)
    case .started(let wasRunning):
      return Self.change("started", .proxy, "was_running", wasRunning)
    case .stopped(let wasRunning):
      return Self.change("stopped", .proxy, "was_running", wasRunning)
    case .status(let identifier, let state, let versions):
      return [
        "event": "status", "extension": identifier, "state": state.rawValue, "versions": versions,
      ]
    case .filterStatus(let present, let enabled):
      return [
        "event": "status", "configuration": "filter", "present": present, "enabled": enabled,
      ]
    case .proxyStatus(let present, let enabled, let running):
      return [
        "event": "status", "configuration": "proxy", "present": present, "enabled": enabled,
        "running": running,
      ]
    case .failed(let subject, let problem, let code):
      let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ")
      return ["event": "failed", "of": subject, "problem": line, "code": code]
    case .done(let isDone):
      return ["event": "done", "ok": isDone]
    }
  }

  private static func change(
    _ event: String, _ configuration: Configuration, _ key: String, _ value: Bool
  ) -> [String: Any] {
    ["event": event, "configuration": configuration.rawValue, key: value]
  }
}
