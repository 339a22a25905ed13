import ExtensionsTool
import Foundation
import NetworkExtension

/// The content filter's entry in the system's preferences. An entry from the profile is kept as it
/// is.
enum FilterConfiguration {
  static func enable(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "filter") {
      let manager = try await loadManager()
      let isPresent = manager.providerConfiguration != nil
      if !isPresent { configure(manager, for: app) }
      if !isPresent || !manager.isEnabled {
        manager.isEnabled = true
        try await manager.saveToPreferences()
      }
      emit(.configured(.filter, wasPresent: isPresent))
    }
  }

  static func remove(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "filter") {
      let manager = try await loadManager()
      let isPresent = manager.providerConfiguration != nil
      if isPresent { try await manager.removeFromPreferences() }
      emit(.removed(.filter, wasPresent: isPresent))
    }
  }

  static func reportStatus(for app: ContainerApp) async -> Bool {
    await reportingFailure(of: "filter") {
      let manager = try await loadManager()
      let isPresent = manager.providerConfiguration != nil
      emit(.filterStatus(present: isPresent, enabled: isPresent && manager.isEnabled))
    }
  }

  private static func loadManager() async throws -> NEFilterManager {
    let manager = NEFilterManager.shared()
    try await manager.loadFromPreferences()
    return manager
  }

  /// Configures the filter like the profile's payload: as an inspector, which runs after firewalls.
  private static func configure(_ manager: NEFilterManager, for app: ContainerApp) {
    let configuration = NEFilterProviderConfiguration()
    configuration.filterSockets = true
    configuration.filterPackets = false
    configuration.filterDataProviderBundleIdentifier = app.filter
    configuration.organization = app.name
    manager.providerConfiguration = configuration
    manager.localizedDescription = app.name
    manager.grade = .inspector
  }
}

/// Does the work and returns whether it succeeded. A failure is reported as an event.
func reportingFailure(of subject: String, _ work: () async throws -> Void) async -> Bool {
  do {
    try await work()
    return true
  } catch {
    emitFailure(of: subject, error)
    return false
  }
}
