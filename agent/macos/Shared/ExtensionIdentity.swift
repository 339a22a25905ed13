import Foundation
import LocalProtocol

/// Who this extension is and whose. All of it follows from its bundle, so no name stands in the code.
enum ExtensionIdentity {
  /// `com.example.agent.flowmonitor`
  static let bundleId = Bundle.main.bundleIdentifier ?? ""

  /// `com.example.agent`: the app that brings the extension.
  static let agentBundleId = bundleId.split(separator: ".").dropLast().joined(separator: ".")

  /// `flowmonitor`
  static let name = bundleId.split(separator: ".").last.map(String.init) ?? ""

  /// Root makes the folder, so no other user can put a socket there.
  static let socketPath = "/var/run/\(agentBundleId)/\(name).sock"

  static let hello = ExtensionHello(
    name: name,
    build: Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? "")
}
