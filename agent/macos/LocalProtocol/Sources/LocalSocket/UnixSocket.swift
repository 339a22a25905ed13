import Foundation

#if canImport(Darwin)
  import Darwin
  private let streamSocket = SOCK_STREAM
#else
  import Glibc
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif

public struct SocketError: Error, Equatable, CustomStringConvertible {
  public let description: String

  init(_ call: String, _ code: Int32 = errno) {
    description = "\(call): \(String(cString: strerror(code)))"
  }

  init(reason: String) {
    description = reason
  }
}

/// Unix sockets with the functions of POSIX. Descriptors are non-blocking and closed in child
/// processes.
public enum UnixSocket {
  /// Connects immediately or fails: waiting would delay a flow.
  public static func connect(to path: String) throws -> Int32 {
    try withSocket { fd in
      let result = try withAddress(path) { Posix.connect(fd, $0, $1) }
      if result != 0 { throw SocketError("connect \(path)") }
    }
  }

  /// Listens at a path in a folder that only this user may change.
  public static func listen(at path: String) throws -> Int32 {
    try prepareFolder(of: path)
    unlink(path)
    return try withSocket { fd in
      if try withAddress(path, { bind(fd, $0, $1) }) != 0 { throw SocketError("bind \(path)") }
      // Any user may connect; the identity is checked for each connection.
      if chmod(path, 0o666) != 0 { throw SocketError("chmod \(path)") }
      if Posix.listen(fd, 8) != 0 { throw SocketError("listen \(path)") }
    }
  }

  /// Accepts a connection; nil if none is waiting.
  public static func accept(on listener: Int32) -> Int32? {
    let fd = Posix.accept(listener, nil, nil)
    guard fd >= 0 else { return nil }
    prepare(fd)
    return fd
  }

  /// Returns the effective user of the process at the other end at the time when it connected.
  public static func peerUser(of fd: Int32) -> UInt32? {
    #if canImport(Darwin)
      var user = uid_t()
      var group = gid_t()
      return getpeereid(fd, &user, &group) == 0 ? user : nil
    #else
      // `struct ucred`, which is declared only for GNU sources.
      var peer: (pid: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
      var size = socklen_t(MemoryLayout.size(ofValue: peer))
      return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.user : nil
    #endif
  }

  private static func prepareFolder(of path: String) throws {
    let folder = (path as NSString).deletingLastPathComponent
    if mkdir(folder, 0o755) != 0, errno != EEXIST { throw SocketError("mkdir \(folder)") }
    var status = stat()
    if lstat(folder, &status) != 0 { throw SocketError("lstat \(folder)") }
    let isOurs = status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    guard status.st_mode & S_IFMT == S_IFDIR, isOurs else {
      throw SocketError(reason: "\(folder) is not a folder that only its owner may change")
    }
  }

  private static func withSocket(_ use: (Int32) throws -> Void) throws -> Int32 {
    let fd = socket(AF_UNIX, streamSocket, 0)
    if fd < 0 { throw SocketError("socket") }
    prepare(fd)
    do { try use(fd) } catch {
      close(fd)
      throw error
    }
    return fd
  }

  private static func prepare(_ fd: Int32) {
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    #if canImport(Darwin)
      // On other systems `send` has a flag for this.
      var isOn: Int32 = 1
      setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  private static func withAddress<T>(
    _ path: String, _ use: (UnsafePointer<sockaddr>, socklen_t) throws -> T
  ) throws -> T {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = path.utf8CString
    // The limit is 104 bytes on macOS and 108 on Linux, including the terminating zero.
    guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
      throw SocketError(reason: "\(path) is too long for a socket")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { room in
      bytes.withUnsafeBytes { room.copyMemory(from: $0) }
    }
    return try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        try use($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

/// The functions whose names are used above for other functions.
private enum Posix {
  #if canImport(Darwin)
    static let connect = Darwin.connect
    static let listen = Darwin.listen
    static let accept = Darwin.accept
  #else
    static let connect = Glibc.connect
    static let listen = Glibc.listen
    static let accept = Glibc.accept
  #endif
}
