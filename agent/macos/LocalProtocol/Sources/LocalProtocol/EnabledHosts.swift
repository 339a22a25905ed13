import Foundation

/// The enabled hosts. A name matches only that host, `*.example.com` every host exactly one label
/// below. Applies the same rule as the agent's `isEnabledHost`, tested with shared vectors.
public struct EnabledHosts: Equatable {
  private let names: Set<String>

  public init(_ hosts: [String]) {
    names = Set(hosts.map(Self.normalized))
  }

  public func contains(_ name: String) -> Bool {
    let host = Self.normalized(name)
    if names.contains(host) { return true }
    guard let dot = host.firstIndex(of: ".") else { return false }
    return names.contains("*" + host[dot...])
  }

  /// Returns the name in lower case, without surrounding blanks and without the dot after a
  /// complete name.
  static func normalized(_ name: String) -> String {
    let host = name.trimmingCharacters(in: blanks).lowercased()
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  private static let blanks = CharacterSet.whitespacesAndNewlines.union(["\u{feff}"])
}
