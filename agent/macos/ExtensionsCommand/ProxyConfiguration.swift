import ExtensionsTool
import Foundation
import NetworkExtension

/// The transparent proxy's entry in the system's preferences, and its start. An entry from the
/// profile is kept as it is.
enum ProxyConfiguration {
  /// Saves the configuration if there is none, switches it on, and starts the proxy. Where no
  /// profile has configured it, macOS asks the user before it is saved.
  static func start(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "proxy") {
      let present = try await find(for: app)
      let manager = present ?? makeManager(for: app)
      if present == nil || !manager.isEnabled {
        manager.isEnabled = true
        try await manager.saveToPreferences()
      }
      // A saved configuration must be loaded again before it can be started.
      try await manager.loadFromPreferences()
      emit(.configured(.proxy, wasPresent: present != nil))
      let wasRunning = isUp(manager)
      if !wasRunning { try manager.connection.startVPNTunnel() }
      emit(.started(wasRunning: wasRunning))
    }
  }

  /// Stops the proxy and keeps its configuration, so that the next start asks no user.
  static func stop(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "proxy") {
      let present = try await find(for: app)
      let wasRunning = present.map(isUp) ?? false
      present?.connection.stopVPNTunnel()
      emit(.stopped(wasRunning: wasRunning))
    }
  }

  static func remove(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "proxy") {
      let present = try await find(for: app)
      present?.connection.stopVPNTunnel()
      try await present?.removeFromPreferences()
      emit(.removed(.proxy, wasPresent: present != nil))
    }
  }

  static func reportStatus(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "proxy") {
      let present = try await find(for: app)
      emit(
        .proxyStatus(
          present: present != nil, enabled: present?.isEnabled ?? false,
          running: present.map(isUp) ?? false))
    }
  }

  /// Whether the proxy runs or is about to.
  private static func isUp(_ manager: NETransparentProxyManager) -> Bool {
    switch manager.connection.status {
    case .connected, .connecting, .reasserting: return true
    default: return false
    }
  }

  private static func find(for app: ContainerApp) async throws -> NETransparentProxyManager? {
    try await NETransparentProxyManager.loadAllFromPreferences().first {
      let provider = $0.protocolConfiguration as? NETunnelProviderProtocol
      return provider?.providerBundleIdentifier == app.proxy
    }
  }

  private static func makeManager(for app: ContainerApp) -> NETransparentProxyManager {
    let provider = NETunnelProviderProtocol()
    provider.providerBundleIdentifier = app.proxy
    provider.serverAddress = "127.0.0.1"
    let manager = NETransparentProxyManager()
    manager.protocolConfiguration = provider
    manager.localizedDescription = app.name
    return manager
  }
}
