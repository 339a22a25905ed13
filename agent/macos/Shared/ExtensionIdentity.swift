import Foundation
import LocalProtocol

/// The identity of this extension and of its app. All of it derives from the bundle, so the code
/// contains no names.
enum ExtensionIdentity {
  /// `com.example.agent.flowmonitor`
  static let bundleId = Bundle.main.bundleIdentifier ?? ""

  /// `com.example.agent`: the app that contains the extension.
  static let agentBundleId = bundleId.split(separator: ".").dropLast().joined(separator: ".")

  /// `flowmonitor`
  static let name = bundleId.split(separator: ".").last.map(String.init) ?? ""

  /// Root creates the folder, so no other user can put a socket there.
  static let socketPath = "/var/run/\(agentBundleId)/\(name).sock"

  static let hello = ExtensionHello(
    name: name,
    build: Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? "")
}
