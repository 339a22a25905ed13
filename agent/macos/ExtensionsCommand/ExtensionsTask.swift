import Foundation

enum ExtensionsTask: String {
  case activate, deactivate, status

  /// Answers whether all of it worked. What did not is reported as an event; the rest is done nevertheless.
  @MainActor
  func run(for app: ContainerApp) async -> Bool {
    switch self {
    case .activate:
      let areActive = await all(app.extensions) { await ExtensionRequest.activate($0) }
      // Configuration of an extension that is not active fails with an error that explains less.
      guard areActive else { return false }
      let filters = await FilterConfiguration.enable(for: app)
      let proxies = await ProxyConfiguration.enable(for: app)
      return filters && proxies
    case .deactivate:
      // The configurations first: while one refers to an extension, the system starts it again.
      let filters = await FilterConfiguration.remove(for: app)
      let proxies = await ProxyConfiguration.remove(for: app)
      let areInactive = await all(app.extensions) { await ExtensionRequest.deactivate($0) }
      return filters && proxies && areInactive
    case .status:
      let areKnown = await all(app.extensions) { await ExtensionRequest.reportStatus(of: $0) }
      let filters = await FilterConfiguration.reportStatus(for: app)
      let proxies = await ProxyConfiguration.reportStatus(for: app)
      return areKnown && filters && proxies
    }
  }

  @MainActor
  private func all(_ extensions: [String], _ work: (String) async -> Bool) async -> Bool {
    var areAll = true
    for identifier in extensions where !(await work(identifier)) { areAll = false }
    return areAll
  }
}
