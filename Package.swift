// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

// The fuzzer brings its own main function, so what calls the targets is there only for its build.
let fuzzer: [Target] =
  Context.environment["FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "Fuzz",
      dependencies: ["FuzzTargets"],
      path: "Tests/Fuzz/Driver",
      swiftSettings: settings
    )
  ]

let package = Package(
  name: "swift-health-store",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "HealthKit", targets: ["HealthKit"]),
    .library(name: "HealthKitTesting", targets: ["HealthKitTesting"]),
    .library(name: "HealthStore", targets: ["HealthStore"]),
    .library(name: "AppleHealthExport", targets: ["AppleHealthExport"]),
    .library(name: "SampleLog", targets: ["SampleLog"]),
    .executable(name: "healthstore", targets: ["HealthStoreTool"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLZ4",
      pkgConfig: "liblz4",
      providers: [.apt(["liblz4-dev"]), .brew(["lz4"])]
    ),
    .target(name: "CPlatform"),
    .target(
      name: "SampleLog",
      dependencies: ["CLZ4", "CPlatform"],
      swiftSettings: settings
    ),
    .target(
      name: "SampleLogSimulation",
      dependencies: ["SampleLog"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Simulate",
      dependencies: ["SampleLogSimulation", "SampleLog"],
      path: "Tests/Simulate",
      swiftSettings: settings
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["SampleLogSimulation", "SampleLog"],
      swiftSettings: settings
    ),
    .target(name: "HealthStore", dependencies: ["SampleLog"], swiftSettings: settings),
    .target(name: "HealthKit", dependencies: ["HealthStore"], swiftSettings: settings),
    .target(name: "HealthKitTesting", dependencies: ["HealthKit"], swiftSettings: settings),
    .testTarget(
      name: "HealthKitTestingTests",
      dependencies: ["HealthKitTesting"],
      swiftSettings: settings
    ),
    .target(
      name: "StepCounter",
      dependencies: ["HealthKit"],
      path: "Tests/ExampleApp/Sources/StepCounter"
    ),
    .testTarget(
      name: "StepCounterTests",
      dependencies: ["StepCounter", "HealthKitTesting"],
      path: "Tests/ExampleApp/Tests/StepCounterTests"
    ),
    .target(
      name: "AppleHealthExport",
      dependencies: ["HealthStore"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "HealthStoreTool",
      dependencies: ["HealthStore", "AppleHealthExport", "SampleLog", "SampleLogSimulation"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "CrashWriter",
      dependencies: ["SampleLog"],
      path: "Tests/CrashWriter",
      swiftSettings: settings
    ),
    .testTarget(
      name: "SampleLogTests",
      dependencies: ["SampleLog", "SampleLogSimulation", "CrashWriter"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "HealthStoreTests",
      dependencies: ["HealthStore", "SampleLog", "SampleLogSimulation"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "FirstProgram",
      dependencies: ["HealthKit"],
      path: "Tests/FirstProgram"
    ),
    .executableTarget(
      name: "EngineProgram",
      dependencies: ["SampleLog"],
      path: "Tests/EngineProgram"
    ),
    .testTarget(
      name: "HealthKitTests",
      dependencies: ["HealthKit", "FirstProgram", "EngineProgram"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "AppleHealthExportTests",
      dependencies: ["AppleHealthExport", "HealthStore", "SampleLogSimulation"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "ToolTests",
      dependencies: ["HealthStoreTool", "HealthStore", "AppleHealthExport", "SampleLogSimulation"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "PowerCut",
      dependencies: ["SampleLog", "SampleLogSimulation"],
      path: "Tests/PowerCut",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "StoreWriter",
      dependencies: ["HealthKit"],
      path: "Tests/StoreWriter",
      swiftSettings: settings
    ),
    .testTarget(
      name: "ProcessTests",
      dependencies: [
        "HealthKit", "SampleLog", "SampleLogSimulation", "HealthStoreTool", "StoreWriter",
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "ProveFeeds",
      dependencies: ["SampleLog", "SampleLogSimulation"],
      path: "Tests/ProveFeeds",
      swiftSettings: settings
    ),
    .testTarget(
      name: "FeedTests",
      dependencies: ["HealthStore", "SampleLog", "SampleLogSimulation"],
      swiftSettings: settings
    ),
    .testTarget(name: "TidyTests", swiftSettings: settings),
    .target(
      name: "FuzzTargets",
      dependencies: ["SampleLog", "HealthStore", "AppleHealthExport"],
      path: "Tests/Fuzz/Targets",
      swiftSettings: settings
    ),
    .testTarget(
      name: "FuzzTests",
      dependencies: ["FuzzTargets"],
      swiftSettings: settings
    ),
  ] + fuzzer,
  swiftLanguageModes: [.v6]
)
