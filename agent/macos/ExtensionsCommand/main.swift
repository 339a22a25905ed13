import Foundation

/// `gatehouse-extensions activate | deactivate | status`: see agent/macos/README.md. It must be in
/// the app's Contents/MacOS, because only the bundle with the extensions may request changes from
/// the system.
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
