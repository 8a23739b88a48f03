import Foundation
import HealthStore

/// One sample in both stores.
///
/// Fields have few different values, so that ties are frequent.
struct SampleRow: Sendable {
  var sequence: UInt64
  var uuid: UUID
  var subject: Int
  var type: Int

  static let key = "flag"
  static let types = [
    HKQuantityType(.heartRate), HKQuantityType(.stepCount), HKQuantityType(.bodyMass),
  ]
  static let units = [
    HKUnit.count().unitDivided(by: .minute()), HKUnit.count(), HKUnit.gramUnit(with: .kilo),
  ]
  static let revisions = (0..<3).map { number in
    HKSourceRevision(source: .default(), version: "\(number)")
  }
  static let devices = (0..<3).map { number in
    HKDevice(
      name: "device \(number)", manufacturer: nil, model: nil, hardwareVersion: nil,
      firmwareVersion: nil, softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
  }

  /// Half seconds within a few minutes.
  static func randomDate(_ random: inout Dice) -> Double {
    700_000_000 + Double(random.below(400)) / 2
  }

  /// Quarters, whose sums are exact in any order.
  static func randomValue(_ random: inout Dice) -> Double { Double(random.below(120)) / 4 }
}
