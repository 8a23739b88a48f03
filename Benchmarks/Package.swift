// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what we compare with never becomes a user's dependency.
let package = Package(
  name: "swift-health-store-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-health-store", path: "..")],
  targets: [
    .systemLibrary(
      name: "CSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .executableTarget(
      name: "healthstore-benchmark",
      dependencies: [
        "CSQLite",
        .product(name: "SampleLog", package: "swift-health-store"),
        .product(name: "HealthStore", package: "swift-health-store"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
