import Dispatch
import Foundation

#if canImport(Darwin)
  import Darwin
  private let sendFlags: Int32 = 0
#else
  import Glibc
  private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// Reads and writes one connected descriptor, and closes it. Everything runs on the given serial
/// queue.
public final class SocketStream {
  private let fd: Int32
  private let queue: DispatchQueue
  private let reader: DispatchSourceRead
  private var writer: DispatchSourceWrite?
  private var isOpen = true
  private var isReading = false
  private var hasEnded = false

  /// Called with received bytes.
  public var onBytes: (Data) -> Void = { _ in }
  /// Called when the peer sends no more data. It may still read.
  public var onEnd: () -> Void = {}
  /// Called until it returns nil: the next bytes to write. `onWritten` gets the number of bytes
  /// written.
  public var nextBytes: () -> Data? = { nil }
  public var onWritten: (Int) -> Void = { _ in }
  /// Called when the connection has failed, but not after `close`.
  public var onFailure: () -> Void = {}

  public init(fd: Int32, queue: DispatchQueue) {
    self.fd = fd
    self.queue = queue
    reader = DispatchSource.makeReadSource(fileDescriptor: fd, queue: queue)
    reader.setEventHandler { [weak self] in self?.read() }
    // Only now may the descriptor number be reused.
    reader.setCancelHandler { _ = systemClose(fd) }
  }

  /// Writes the available bytes.
  public func flush() {
    guard isOpen else { return }
    while let bytes = nextBytes() {
      let count = bytes.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, sendFlags) }
      if count < 0 { return waitOrFail() }
      onWritten(count)
    }
    writer?.cancel()
    writer = nil
  }

  public func endWriting() {
    if isOpen { shutdown(fd, Int32(SHUT_WR)) }
  }

  public func close() {
    guard isOpen else { return }
    isOpen = false
    writer?.cancel()
    reader.cancel()
    // A suspended source never calls its cancel handler.
    if !isReading { reader.resume() }
  }

  /// Starts or pauses reading. While it is paused, the peer has to wait.
  public func setReading(_ wanted: Bool) {
    guard isOpen, !hasEnded, wanted != isReading else { return }
    isReading = wanted
    if wanted { reader.resume() } else { reader.suspend() }
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(fd, &buffer, buffer.count, 0)
    if count > 0 { return onBytes(Data(buffer.prefix(count))) }
    if count < 0 { return isTemporary(errno) ? () : fail() }
    setReading(false)
    hasEnded = true
    onEnd()
  }

  private func waitOrFail() {
    guard isTemporary(errno) else { return fail() }
    guard writer == nil else { return }
    let source = DispatchSource.makeWriteSource(fileDescriptor: fd, queue: queue)
    source.setEventHandler { [weak self] in self?.flush() }
    writer = source
    source.resume()
  }

  private func fail() {
    guard isOpen else { return }
    close()
    onFailure()
  }

  deinit { close() }
}

private func isTemporary(_ code: Int32) -> Bool {
  code == EAGAIN || code == EWOULDBLOCK || code == EINTR
}

func systemClose(_ fd: Int32) -> Int32 {
  #if canImport(Darwin)
    return Darwin.close(fd)
  #else
    return Glibc.close(fd)
  #endif
}
