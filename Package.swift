// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Elsewhere the system has these frameworks.
#if os(Linux)
  let frameworks = ["CoreLocation", "UniformTypeIdentifiers"]
#else
  let frameworks: [String] = []
#endif

let frameworkProducts = frameworks.map { Product.library(name: $0, targets: [$0]) }
let frameworkDependencies = frameworks.map { Target.Dependency.target(name: $0) }
let frameworkTargets = frameworks.flatMap {
  [
    Target.target(name: $0, swiftSettings: settings),
    .testTarget(
      name: $0 + "Tests", dependencies: [.target(name: $0)], swiftSettings: settings),
  ]
}

func client(_ name: String, _ mode: SwiftLanguageMode) -> Target {
  .target(
    name: name,
    dependencies: ["HealthKit"] + frameworkDependencies,
    path: "Tests/Clients/" + name,
    // Passed on, because the driver refuses it beside -warnings-as-errors.
    swiftSettings: [
      .swiftLanguageMode(mode), .unsafeFlags(["-Xfrontend", "-suppress-warnings"]),
    ]
  )
}

let package = Package(
  name: "swift-health-store",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "HealthKit", targets: ["HealthKit"]),
    .library(name: "HealthKitTesting", targets: ["HealthKitTesting"]),
    .library(name: "HealthStore", targets: ["HealthStore"]),
    .library(name: "AppleHealthExport", targets: ["AppleHealthExport"]),
    .library(name: "HealthTransfer", targets: ["HealthTransfer"]),
    .library(name: "HealthTransferServer", targets: ["HealthTransferServer"]),
    .library(name: "SampleLog", targets: ["SampleLog"]),
    .library(name: "SampleLogReplication", targets: ["SampleLogReplication"]),
    .library(name: "SampleLogNATS", targets: ["SampleLogNATS"]),
    .library(name: "HealthCluster", targets: ["HealthCluster"]),
    .executable(name: "healthstore", targets: ["HealthStoreTool"]),
  ] + frameworkProducts,
  traits: [
    .trait(name: "NATS", description: "Replication through NATS JetStream; needs libnats.")
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
      name: "SampleLogReplication",
      dependencies: ["SampleLog"],
      swiftSettings: settings
    ),
    .systemLibrary(
      name: "CNATS",
      pkgConfig: "libnats",
      providers: [.apt(["libnats-dev"]), .brew(["cnats"])]
    ),
    .target(
      name: "SampleLogNATS",
      dependencies: [
        "SampleLogReplication", "SampleLog",
        .target(name: "CNATS", condition: .when(traits: ["NATS"])),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "SampleLogSimulation",
      dependencies: ["SampleLog", "SampleLogReplication"],
      path: "Tests/SampleLogSimulation",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Prove",
      dependencies: ["SampleLogSimulation", "SampleLog"],
      path: "Tests/Prove",
      swiftSettings: settings
    ),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["SampleLogSimulation", "SampleLog"],
      swiftSettings: settings
    ),
    .target(
      name: "HealthStore",
      dependencies: ["SampleLog"] + frameworkDependencies,
      swiftSettings: settings
    ),
    .target(
      name: "HealthCluster",
      dependencies: ["HealthStore", "SampleLogReplication", "SampleLog"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "HealthClusterTests",
      dependencies: [
        "HealthCluster", "HealthStore", "SampleLog", "SampleLogNATS", "SampleLogReplication",
      ] + frameworkDependencies,
      swiftSettings: settings
    ),
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
      dependencies: ["HealthStore", "SampleLog"] + frameworkDependencies,
      swiftSettings: settings
    ),
    // The phone's half: there HealthKit is the system's.
    .target(
      name: "HealthTransfer",
      dependencies: [.target(name: "HealthKit", condition: .when(platforms: [.linux]))]
        + frameworkDependencies,
      swiftSettings: settings
    ),
    .target(
      name: "HealthTransferServer",
      dependencies: ["HealthTransfer", "HealthStore", "SampleLog"],
      swiftSettings: settings
    ),
    .target(
      name: "TransferApp",
      dependencies: [
        "HealthTransfer", .target(name: "HealthKit", condition: .when(platforms: [.linux])),
      ],
      path: "Tests/TransferApp"
    ),
    .executableTarget(
      name: "TransferServer",
      dependencies: ["HealthTransfer", "HealthTransferServer", "HealthStore"],
      path: "Tests/TransferServer"
    ),
    .testTarget(
      name: "HealthTransferTests",
      dependencies: [
        "HealthTransfer", "HealthTransferServer", "HealthStore", "SampleLog",
        "SampleLogSimulation", "TransferApp", "TransferServer",
      ] + frameworkDependencies,
      swiftSettings: settings
    ),
    .executableTarget(
      name: "HealthStoreTool",
      dependencies: [
        "HealthStore", "AppleHealthExport", "HealthCluster", "SampleLog", "SampleLogNATS",
        "SampleLogReplication",
      ],
      swiftSettings: settings
    ),
    // Not a product: `make door` links the loadable library from these targets. It compiles the C
    // code with DOOR defined; other builds have only its header and do not need sqlite3ext.h.
    .target(name: "CDoor"),
    .target(
      name: "HealthStoreDoor",
      dependencies: ["CDoor", "HealthStore", "SampleLog"],
      exclude: ["Python"],
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
      dependencies: ["HealthStore", "SampleLog", "SampleLogSimulation"] + frameworkDependencies,
      swiftSettings: settings
    ),
    .executableTarget(
      name: "FirstProgram",
      dependencies: ["HealthKit"],
      path: "Tests/FirstProgram"
    ),
    .executableTarget(
      name: "PhoneProgram",
      dependencies: ["HealthKit"],
      path: "Tests/PhoneProgram"
    ),
    .executableTarget(
      name: "EngineProgram",
      dependencies: ["SampleLog"],
      path: "Tests/EngineProgram"
    ),
    .executableTarget(
      name: "Follower",
      dependencies: ["HealthKit"],
      path: "Tests/Follower"
    ),
    .testTarget(
      name: "ListingTests",
      dependencies: [
        "HealthKit", "HealthKitTesting", "SampleLog", "AppleHealthExport", "HealthTransfer",
        "HealthTransferServer", "Follower",
      ] + frameworkDependencies
    ),
    // As programs that depend on this package: their captures are warnings, as with Apple's SDK.
    client("Swift6Client", .v6),
    client("Services", .v5),
    // A link to the folder of the other, because a package may not name a folder twice.
    client("Services6", .v6),
    .testTarget(
      name: "ServicesTests",
      dependencies: ["Services", "HealthKit", "HealthKitTesting"] + frameworkDependencies,
      path: "Tests/Clients/ServicesTests",
      swiftSettings: [.swiftLanguageMode(.v5)]
    ),
    .testTarget(
      name: "HealthKitTests",
      dependencies: [
        "HealthKit", "SampleLogSimulation", "FirstProgram", "PhoneProgram", "EngineProgram",
        "Swift6Client",
      ] + frameworkDependencies,
      swiftSettings: settings
    ),
    .testTarget(
      name: "AppleHealthExportTests",
      dependencies: [
        "AppleHealthExport", "HealthStore", "SampleLog", "SampleLogSimulation",
      ] + frameworkDependencies,
      swiftSettings: settings
    ),
    .testTarget(
      name: "ToolTests",
      dependencies: [
        "HealthStoreTool", "HealthStore", "AppleHealthExport", "SampleLog", "SampleLogNATS",
        "SampleLogReplication", "SampleLogSimulation",
      ] + frameworkDependencies,
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
        "HealthKit", "SampleLog", "SampleLogSimulation", "Prove", "StoreWriter",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "FeedTests",
      dependencies: ["HealthStore", "SampleLog", "SampleLogSimulation"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "ProveCluster",
      dependencies: ["SampleLogNATS", "SampleLogReplication", "SampleLog"],
      path: "Tests/ProveCluster",
      swiftSettings: settings
    ),
    .testTarget(
      name: "ReplicationTests",
      dependencies: ["SampleLog", "SampleLogReplication", "SampleLogSimulation"],
      swiftSettings: settings
    ),
    .testTarget(name: "TidyTests", swiftSettings: settings),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "SampleLog", "SampleLogReplication", "HealthStore", "AppleHealthExport", "HealthTransfer",
        "HealthTransferServer",
      ],
      path: "Tests/Fuzz/Targets",
      swiftSettings: settings
    ),
    .executableTarget(
      name: "Fuzz",
      dependencies: ["FuzzTargets"],
      path: "Tests/Fuzz/Driver",
      swiftSettings: settings
    ),
    .testTarget(
      name: "FuzzTests",
      dependencies: ["FuzzTargets", "SampleLogSimulation"],
      swiftSettings: settings
    ),
  ] + frameworkTargets,
  swiftLanguageModes: [.v6]
)
