import Darwin
import Foundation

/// The kernel's identifier of a process. Unlike a pid it is never reused, not even after the
/// process has ended.
struct AuditToken {
  let bytes: Data
  private let token: audit_token_t

  init?(_ bytes: Data?) {
    guard let bytes, bytes.count == MemoryLayout<audit_token_t>.size else { return nil }
    self.bytes = bytes
    token = bytes.withUnsafeBytes { $0.loadUnaligned(as: audit_token_t.self) }
  }

  /// Creates the token of the process at the other end of a Unix socket.
  init?(peerOf socket: Int32) {
    var bytes = Data(count: MemoryLayout<audit_token_t>.size)
    var size = socklen_t(bytes.count)
    let result = bytes.withUnsafeMutableBytes {
      getsockopt(socket, SOL_LOCAL, LOCAL_PEERTOKEN, $0.baseAddress, &size)
    }
    guard result == 0 else { return nil }
    self.init(bytes)
  }

  var pid: Int32 { audit_token_to_pid(token) }
  var pidVersion: Int32 { audit_token_to_pidversion(token) }
  var user: UInt32 { audit_token_to_euid(token) }

  var path: String? {
    var token = token
    var buffer = [CChar](repeating: 0, count: 4 * Int(MAXPATHLEN))
    let length = proc_pidpath_audittoken(&token, &buffer, UInt32(buffer.count))
    return length > 0 ? String(cString: buffer) : nil
  }

  var userName: String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      return nil
    }
    return String(cString: entry.pw_name)
  }
}
