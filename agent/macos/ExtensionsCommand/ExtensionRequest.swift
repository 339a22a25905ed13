import ExtensionsTool
import Foundation
import SystemExtensions

/// One request to the system about one extension. It ends when the system has responded. If the
/// user or an administrator must approve, that is reported and the command ends, because the
/// approval may take days.
@MainActor
final class ExtensionRequest: NSObject {
  static func activate(_ identifier: String) async -> Bool {
    await ExtensionRequest(identifier, .activation).submit(
      .activationRequest(forExtensionWithIdentifier: identifier, queue: .main))
  }

  static func deactivate(_ identifier: String) async -> Bool {
    await ExtensionRequest(identifier, .deactivation).submit(
      .deactivationRequest(forExtensionWithIdentifier: identifier, queue: .main))
  }

  static func reportStatus(of identifier: String) async -> Bool {
    await ExtensionRequest(identifier, .properties).submit(
      .propertiesRequest(forExtensionWithIdentifier: identifier, queue: .main))
  }

  private let identifier: String
  private let kind: Kind
  private var onEnd: CheckedContinuation<Bool, Never>?

  private enum Kind {
    case activation, deactivation, properties
  }

  private init(_ identifier: String, _ kind: Kind) {
    self.identifier = identifier
    self.kind = kind
  }

  private func submit(_ request: OSSystemExtensionRequest) async -> Bool {
    await withCheckedContinuation { continuation in
      onEnd = continuation
      request.delegate = self
      OSSystemExtensionManager.shared.submitRequest(request)
    }
  }

  /// The system may call back more than once.
  private func end(_ isDone: Bool) {
    onEnd?.resume(returning: isDone)
    onEnd = nil
  }
}

extension ExtensionRequest: OSSystemExtensionRequestDelegate {
  func request(
    _ request: OSSystemExtensionRequest, didFinishWithResult result: OSSystemExtensionRequest.Result
  ) {
    let needsRestart = result == .willCompleteAfterReboot
    switch kind {
    case .activation: emit(.activated(identifier, needsRestart: needsRestart))
    case .deactivation: emit(.deactivated(identifier, needsRestart: needsRestart))
    // Properties were already reported.
    case .properties: break
    }
    end(true)
  }

  func request(_ request: OSSystemExtensionRequest, didFailWithError error: Error) {
    // An extension that does not exist counts as deactivated.
    let code = OSSystemExtensionError.Code(rawValue: (error as NSError).code)
    if kind == .deactivation, code == .extensionNotFound {
      emit(.deactivated(identifier, needsRestart: false))
      return end(true)
    }
    emitFailure(of: identifier, error)
    end(false)
  }

  func requestNeedsUserApproval(_ request: OSSystemExtensionRequest) {
    emit(.needsApproval(identifier))
    end(false)
  }

  func request(
    _ request: OSSystemExtensionRequest,
    actionForReplacingExtension existing: OSSystemExtensionProperties,
    withExtension ext: OSSystemExtensionProperties
  ) -> OSSystemExtensionRequest.ReplacementAction {
    .replace
  }

  func request(
    _ request: OSSystemExtensionRequest, foundProperties properties: [OSSystemExtensionProperties]
  ) {
    // The list includes older versions whose removal waits for a restart.
    let present = properties.filter { !$0.isUninstalling }
    let state: ToolEvent.State =
      present.contains(where: \.isEnabled)
      ? .active : present.contains(where: \.isAwaitingUserApproval) ? .needsApproval : .inactive
    emit(.status(identifier, state, versions: present.map(\.bundleShortVersion)))
    end(true)
  }
}
