import ExtensionsTool
import Foundation

/// Writes an event immediately, on its own line.
func emit(_ event: ToolEvent) {
  FileHandle.standardOutput.write(event.line)
}

func emitFailure(of subject: String, _ error: Error) {
  let error = error as NSError
  emit(.failed(of: subject, problem: error.localizedDescription, code: error.code))
}
