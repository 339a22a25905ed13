import Foundation

/// The hosts that are enabled. A name means that host alone, `*.example.com` every host exactly one
/// label below. The same as `isEnabledHost` of the agent, held together by shared vectors.
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

  /// Lower case, no blanks around it, without the dot at the end of a whole name.
  static func normalized(_ name: String) -> String {
    let host = name.trimmingCharacters(in: blanks).lowercased()
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  private static let blanks = CharacterSet.whitespacesAndNewlines.union(["\u{feff}"])
}
