import Foundation

/// The frames that wait for an agent that reads slowly. Their size is limited: messages beyond it
/// are counted, and the agent gets the count once at most half of the limit is waiting.
public struct Outbox {
  public static let maxBytes = 1 << 20

  private var frames: [Data] = []
  private var waiting = 0
  private var dropped = 0

  public init() {}

  public var isEmpty: Bool { frames.isEmpty }

  public mutating func add(_ message: ExtensionMessage) {
    if dropped > 0, waiting <= Self.maxBytes / 2, push(.dropped(count: dropped)) { dropped = 0 }
    if dropped > 0 || !push(message) { dropped += 1 }
  }

  /// The next frame to write.
  public var first: Data? { frames.first }

  /// Records that this number of bytes of the first frame was written.
  public mutating func written(_ count: Int) {
    guard let frame = frames.first else { return }
    waiting -= count
    if count < frame.count { frames[0] = Data(frame.dropFirst(count)) } else { frames.removeFirst() }
  }

  private mutating func push(_ message: ExtensionMessage) -> Bool {
    guard let body = try? JSONEncoder().encode(message), let frame = try? Frame.encode(body),
      waiting + frame.count <= Self.maxBytes
    else { return false }
    frames.append(frame)
    waiting += frame.count
    return true
  }
}
