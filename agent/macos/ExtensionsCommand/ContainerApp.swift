import Foundation

/// The app whose bundle contains this command, and the extensions in it.
struct ContainerApp {
  let name: String
  let bundleId: String

  var filter: String { bundleId + ".flowmonitor" }
  var proxy: String { bundleId + ".proxymonitor" }
  var extensions: [String] { [filter, proxy] }

  static let current = ContainerApp(
    name: Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "",
    bundleId: Bundle.main.bundleIdentifier ?? "")
}
