import Foundation

/// `gatehouse-extensions activate | deactivate | status`: see agent/macos/README.md. It belongs into the
/// app's Contents/MacOS: only the bundle that holds the extensions may ask the system for them.
guard CommandLine.arguments.count == 2, let task = ExtensionsTask(rawValue: CommandLine.arguments[1])
else {
  FileHandle.standardError.write(
    Data("usage: gatehouse-extensions activate | deactivate | status\n".utf8))
  exit(2)
}

Task { @MainActor in
  let isDone = await task.run(for: ContainerApp.current)
  emit(["event": "done", "ok": isDone])
  exit(isDone ? 0 : 1)
}
dispatchMain()
