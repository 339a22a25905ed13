/// The tasks of `gatehouse-extensions`, by the argument that names them.
public enum ExtensionsTask: String, CaseIterable {
  case activate, deactivate, status
  case startProxy = "start-proxy"
  case stopProxy = "stop-proxy"

  public static let usage =
    "usage: gatehouse-extensions " + allCases.map(\.rawValue).joined(separator: " | ") + "\n"

  /// Returns the task of a command line, without the program's name; nil if it is not valid.
  public static func named(by arguments: [String]) -> ExtensionsTask? {
    arguments.count == 1 ? ExtensionsTask(rawValue: arguments[0]) : nil
  }
}
