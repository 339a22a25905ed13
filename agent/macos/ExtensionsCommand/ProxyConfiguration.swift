import Foundation
import NetworkExtension

/// The transparent proxy's entry in the system's preferences, and its start. An entry from the
/// profile is kept as it is.
enum ProxyConfiguration {
  static func enable(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "proxy") {
      let present = try await find(for: app)
      let manager = present ?? makeManager(for: app)
      if present == nil || !manager.isEnabled {
        manager.isEnabled = true
        try await manager.saveToPreferences()
      }
      // A saved configuration must be loaded again before it can be started.
      try await manager.loadFromPreferences()
      try manager.connection.startVPNTunnel()
      emit(["event": "configured", "configuration": "proxy", "was_present": present != nil])
    }
  }

  static func remove(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "proxy") {
      let present = try await find(for: app)
      present?.connection.stopVPNTunnel()
      try await present?.removeFromPreferences()
      emit(["event": "removed", "configuration": "proxy", "was_present": present != nil])
    }
  }

  static func reportStatus(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "proxy") {
      let present = try await find(for: app)
      emit([
        "event": "status", "configuration": "proxy", "present": present != nil,
        "enabled": present?.isEnabled ?? false, "running": present?.connection.status == .connected,
      ])
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
