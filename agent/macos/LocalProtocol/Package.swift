// swift-tools-version:5.9
import PackageDescription

/// The code of the macOS parts that needs no Apple framework. It builds, and its tests run, wherever
/// Swift is available: `swift test`.
let package = Package(
  name: "LocalProtocol",
  platforms: [.macOS(.v12)],
  products: [
    .library(name: "LocalProtocol", targets: ["LocalProtocol"]),
    .library(name: "LocalSocket", targets: ["LocalSocket"]),
    .library(name: "ExtensionsTool", targets: ["ExtensionsTool"]),
  ],
  targets: [
    .target(name: "LocalProtocol"),
    .target(name: "LocalSocket", dependencies: ["LocalProtocol"]),
    .target(name: "ExtensionsTool"),
    .testTarget(name: "LocalProtocolTests", dependencies: ["LocalProtocol"]),
    .testTarget(name: "LocalSocketTests", dependencies: ["LocalSocket"]),
    .testTarget(name: "ExtensionsToolTests", dependencies: ["ExtensionsTool"]),
  ]
)
