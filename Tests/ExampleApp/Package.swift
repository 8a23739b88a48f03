// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "StepCounter",
  platforms: [.iOS(.v17), .macOS(.v15)],
  products: [.library(name: "StepCounter", targets: ["StepCounter"])],
  dependencies: [.package(path: "../swift-health-store")],
  targets: [
    .target(
      name: "StepCounter",
      dependencies: [
        .product(
          name: "HealthKit", package: "swift-health-store", condition: .when(platforms: [.linux]))
      ]
    ),
    .testTarget(
      name: "StepCounterTests",
      dependencies: [
        "StepCounter",
        .product(
          name: "HealthKitTesting", package: "swift-health-store",
          condition: .when(platforms: [.linux])),
      ]
    ),
  ]
)
