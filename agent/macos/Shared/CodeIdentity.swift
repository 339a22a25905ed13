import Foundation
import Security

/// Identifies the signer of a running process.
enum CodeIdentity {
  /// Returns the identifier in the process's signature; nil if the signature is invalid.
  static func signingId(of token: AuditToken) -> String? {
    code(of: token).flatMap { information($0)?[kSecCodeInfoIdentifier] as? String }
  }

  /// Returns whether the process is the agent, or one of its helper processes. Both the identifier
  /// and the team count, because anyone can sign a program with the agent's identifier.
  static func isAgent(_ token: AuditToken) -> Bool {
    guard let requirement = ownTeamRequirement, let code = code(of: token),
      SecCodeCheckValidity(code, [], requirement) == errSecSuccess,
      let identifier = information(code)?[kSecCodeInfoIdentifier] as? String
    else { return false }
    let agent = ExtensionIdentity.agentBundleId
    return identifier == agent || identifier.hasPrefix(agent + ".")
  }

  /// The requirement that the code was signed by the same team as this extension; nil if no team
  /// signed it.
  private static let ownTeamRequirement: SecRequirement? = {
    var own: SecCode?
    guard SecCodeCopySelf([], &own) == errSecSuccess, let own,
      let team = information(own)?[kSecCodeInfoTeamIdentifier] as? String
    else { return nil }
    var requirement: SecRequirement?
    let text = "anchor apple generic and certificate leaf[subject.OU] = \"\(team)\""
    SecRequirementCreateWithString(text as CFString, [], &requirement)
    return requirement
  }()

  private static func code(of token: AuditToken) -> SecCode? {
    var code: SecCode?
    let attributes = [kSecGuestAttributeAudit: token.bytes] as CFDictionary
    guard SecCodeCopyGuestWithAttributes(nil, attributes, [], &code) == errSecSuccess else {
      return nil
    }
    return code
  }

  private static func information(_ code: SecCode) -> [CFString: Any]? {
    var onDisk: SecStaticCode?
    guard SecCodeCopyStaticCode(code, [], &onDisk) == errSecSuccess, let onDisk else { return nil }
    var information: CFDictionary?
    let flags = SecCSFlags(rawValue: kSecCSSigningInformation)
    guard SecCodeCopySigningInformation(onDisk, flags, &information) == errSecSuccess else {
      return nil
    }
    return information as? [CFString: Any]
  }
}
