import Foundation

/// Writes an event immediately, as one JSON object on its own line.
func emit(_ event: [String: Any]) {
  guard let line = try? JSONSerialization.data(withJSONObject: event, options: [.sortedKeys]) else {
    return
  }
  FileHandle.standardOutput.write(line + Data("\n".utf8))
}

func emitFailure(of subject: String, _ error: Error) {
  let problem = (error as NSError).localizedDescription
  let line = problem.split(whereSeparator: \.isNewline).joined(separator: " ")
  emit(["event": "failed", "of": subject, "problem": line, "code": (error as NSError).code])
}
