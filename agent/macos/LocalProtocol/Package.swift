// swift-tools-version:5.9
import PackageDescription

/// The code that both network extensions share and that needs no Apple framework. It builds, and
/// its tests run, wherever Swift is available: `swift test`.
let package = Package(
  name: "LocalProtocol",
  platforms: [.macOS(.v12)],
  products: [
    .library(name: "LocalProtocol", targets: ["LocalProtocol"]),
    .library(name: "LocalSocket", targets: ["LocalSocket"]),
  ],
  targets: [
    .target(name: "LocalProtocol"),
    .target(name: "LocalSocket", dependencies: ["LocalProtocol"]),
    .testTarget(name: "LocalProtocolTests", dependencies: ["LocalProtocol"]),
    .testTarget(name: "LocalSocketTests", dependencies: ["LocalSocket"]),
  ]
)
