import Foundation
import SystemExtensions

/// One request to the system about one extension. It ends when the system has responded. If the
/// user or an administrator must approve, that is reported and the command ends, because the
/// approval may take days.
@MainActor
final class ExtensionRequest: NSObject {
  static func activate(_ identifier: String) async -> Bool {
    await ExtensionRequest(identifier, "activated").submit(
      .activationRequest(forExtensionWithIdentifier: identifier, queue: .main))
  }

  static func deactivate(_ identifier: String) async -> Bool {
    await ExtensionRequest(identifier, "deactivated").submit(
      .deactivationRequest(forExtensionWithIdentifier: identifier, queue: .main))
  }

  static func reportStatus(of identifier: String) async -> Bool {
    await ExtensionRequest(identifier, "status").submit(
      .propertiesRequest(forExtensionWithIdentifier: identifier, queue: .main))
  }

  private let identifier: String
  private let event: String
  private var onEnd: CheckedContinuation<Bool, Never>?

  private init(_ identifier: String, _ event: String) {
    self.identifier = identifier
    self.event = event
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
    // Properties were already reported.
    if event != "status" {
      let needsRestart = result == .willCompleteAfterReboot
      emit(["event": event, "extension": identifier, "needs_restart": needsRestart])
    }
    end(true)
  }

  func request(_ request: OSSystemExtensionRequest, didFailWithError error: Error) {
    // An extension that does not exist counts as deactivated.
    let code = OSSystemExtensionError.Code(rawValue: (error as NSError).code)
    if event == "deactivated", code == .extensionNotFound {
      emit(["event": event, "extension": identifier, "needs_restart": false])
      return end(true)
    }
    emitFailure(of: identifier, error)
    end(false)
  }

  func requestNeedsUserApproval(_ request: OSSystemExtensionRequest) {
    emit(["event": "needs_approval", "extension": identifier])
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
    emit([
      "event": event, "extension": identifier,
      "state": present.contains(where: \.isEnabled)
        ? "active" : present.contains(where: \.isAwaitingUserApproval) ? "needs_approval" : "inactive",
      "versions": present.map(\.bundleShortVersion),
    ])
    end(true)
  }
}
