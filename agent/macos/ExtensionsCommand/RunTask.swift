import ExtensionsTool

extension ExtensionsTask {
  /// Runs the task and returns whether all steps succeeded. A failed step is reported as an event,
  /// and most later steps are still attempted.
  @MainActor
  func run(for app: ContainerApp) async -> Bool {
    switch self {
    case .activate:
      let areActive = await all(app.extensions) { await ExtensionRequest.activate($0) }
      // Configuring an extension that is not active fails with a less helpful error.
      guard areActive else { return false }
      // The proxy is configured when it is first started: where no profile has done it, macOS asks
      // the user, which must not happen before any host is captured.
      return await FilterConfiguration.enable(for: app)
    case .startProxy:
      return await ProxyConfiguration.start(for: app)
    case .stopProxy:
      return await ProxyConfiguration.stop(for: app)
    case .deactivate:
      // The configurations are removed first: while one refers to an extension, the system starts
      // it again.
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
