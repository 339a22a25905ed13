import ExtensionsTool
import Foundation

/// `gatehouse-extensions TASK`: see agent/macos/README.md. It must be in the app's Contents/MacOS,
/// because only the bundle with the extensions may request changes from the system.
guard let task = ExtensionsTask.named(by: Array(CommandLine.arguments.dropFirst())) else {
  FileHandle.standardError.write(Data(ExtensionsTask.usage.utf8))
  exit(2)
}

Task { @MainActor in
  let isDone = await task.run(for: ContainerApp.current)
  emit(.done(ok: isDone))
  exit(isDone ? 0 : 1)
}
dispatchMain()
