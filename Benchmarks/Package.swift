// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// A store to compare with, which takes part if its header is installed.
struct Peer {
  var name: String
  var module: String
  var header: String
  var package: String
  var formula: String

  var flag: String { "HAS_" + name.uppercased() }

  /// `BENCHMARK_PEERS=lmdb,leveldb` states the installed libraries if they cannot be detected.
  var isPresent: Bool {
    if let named = Context.environment["BENCHMARK_PEERS"] {
      return named.split(separator: ",").contains { $0 == name }
    }
    let prefixes = ["/usr/include", "/usr/local/include", "/opt/homebrew/include"]
    return prefixes.contains { FileManager.default.fileExists(atPath: "\($0)/\(header)") }
  }
}

let peers = [
  Peer(
    name: "rocksdb", module: "CRocksDB", header: "rocksdb/c.h", package: "librocksdb-dev",
    formula: "rocksdb"),
  Peer(
    name: "lmdb", module: "CLMDB", header: "lmdb.h", package: "liblmdb-dev", formula: "lmdb"),
  Peer(
    name: "leveldb", module: "CLevelDB", header: "leveldb/c.h", package: "libleveldb-dev",
    formula: "leveldb"),
].filter(\.isPresent)

// On other systems the framework is part of the system.
#if os(Linux)
  let frameworks: [Target.Dependency] = [
    .product(name: "CoreLocation", package: "swift-health-store")
  ]
#else
  let frameworks: [Target.Dependency] = []
#endif

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// A separate package, so that the compared stores never become dependencies of a user.
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
    .target(name: "CAllocations"),
    .target(name: "CDuckDB"),
    .target(
      name: "BenchmarkKit",
      dependencies: [
        "CAllocations", "CDuckDB", "CSQLite",
        .product(name: "SampleLog", package: "swift-health-store"),
        .product(name: "HealthStore", package: "swift-health-store"),
      ] + frameworks + peers.map { .target(name: $0.module) },
      swiftSettings: settings + peers.map { .define($0.flag) }
    ),
    .executableTarget(
      name: "healthstore-benchmark",
      dependencies: ["BenchmarkKit"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "healthstore-counts",
      dependencies: ["BenchmarkKit", "CAllocations"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "BenchmarkTests",
      dependencies: ["BenchmarkKit"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "DifferentialTests",
      dependencies: [
        "BenchmarkKit", "CSQLite",
        .product(name: "SampleLog", package: "swift-health-store"),
        .product(name: "HealthStore", package: "swift-health-store"),
      ],
      swiftSettings: settings
    ),
  ]
    + peers.map { peer in
      .systemLibrary(
        name: peer.module,
        providers: [.apt([peer.package]), .brew([peer.formula])]
      )
    },
  swiftLanguageModes: [.v6]
)
