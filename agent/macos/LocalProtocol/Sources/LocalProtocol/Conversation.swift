import Foundation

/// The protocol state of one agent's connection. Pure: it receives bytes and times, and returns
/// effects. A violation of the protocol ends the connection and with it everything that the agent
/// had enabled.
public struct Conversation {
  public enum Effect: Equatable {
    case send(ExtensionMessage)
    case observe(Bool)
    case divert(Diversion)
    case close(reason: String)
  }

  /// The silence in seconds after which an agent counts as hanging; it sends keep-alive messages
  /// more often.
  public static let longestSilence: TimeInterval = 30

  private let hello: ExtensionHello
  private var reader = FrameReader()
  private var isGreeted = false
  private var isClosed = false
  private var lastHeard: TimeInterval

  public init(hello: ExtensionHello, at now: TimeInterval) {
    self.hello = hello
    lastHeard = now
  }

  public mutating func receive(_ bytes: Data, at now: TimeInterval) -> [Effect] {
    guard !isClosed else { return [] }
    reader.append(bytes)
    var effects: [Effect] = []
    do {
      while !isClosed, let body = try reader.next() {
        lastHeard = now
        effects += take(try JSONDecoder().decode(AgentMessage.self, from: body))
      }
    } catch is FrameError {
      effects += close("a frame is empty or too long")
    } catch {
      effects += close("a message is malformed")
    }
    return effects
  }

  /// Ends the conversation if the agent is silent. Must be called at intervals.
  public mutating func expire(at now: TimeInterval) -> [Effect] {
    let isSilent = now - lastHeard > Self.longestSilence
    return isSilent && !isClosed ? close("the agent is silent") : []
  }

  private mutating func take(_ message: AgentMessage) -> [Effect] {
    switch message {
    case .hello(let version) where !isGreeted:
      isGreeted = true
      // The response contains the supported version.
      let answer = Effect.send(.hello(hello))
      return version == hello.version ? [answer] : [answer] + close("the agent speaks \(version)")
    case .hello: return close("a second hello")
    case _ where !isGreeted: return close("no hello")
    case .alive, .unknown: return []
    case .observe(let isOn): return [.observe(isOn)]
    case .divert(let diversion): return [.divert(diversion)]
    }
  }

  private mutating func close(_ reason: String) -> [Effect] {
    isClosed = true
    return [.close(reason: reason)]
  }
}
