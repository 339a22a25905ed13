#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

public enum IPAddress {
  /// Returns the bytes of an IPv4 (4) or IPv6 (16) address; nil for other text. A zone (`%en0`) is
  /// ignored.
  public static func bytes(_ text: String) -> [UInt8]? {
    let bare = String(text.prefix { $0 != "%" })
    var v4 = in_addr()
    if inet_pton(AF_INET, bare, &v4) == 1 { return withUnsafeBytes(of: v4) { [UInt8]($0) } }
    var v6 = in6_addr()
    if inet_pton(AF_INET6, bare, &v6) == 1 { return withUnsafeBytes(of: v6) { [UInt8]($0) } }
    return nil
  }

  /// Returns the canonical text of an address, so that two addresses can be compared as text.
  public static func canonical(_ text: String) -> String? {
    guard var bytes = bytes(text) else { return nil }
    var buffer = [CChar](repeating: 0, count: 46)
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, &bytes, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    return String(cString: buffer)
  }
}
