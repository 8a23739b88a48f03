import Foundation
import HealthStore

/// A fictitious device and the source of its samples.
struct Recorder {
  let revision: HKSourceRevision
  let device: HKDevice

  static let watch = Recorder("Ada's Watch", "org.example.watch", "11.5", "Watch", "Watch7,1")
  static let phone = Recorder("Ada's Phone", "org.example.phone", "18.5", "Phone", "Phone17,1")
  static let scales = Recorder("Scales", "org.example.scales", "2.1", "Scales", "S1")

  private init(
    _ name: String, _ bundleIdentifier: String, _ version: String, _ model: String,
    _ hardware: String
  ) {
    revision = HKSourceRevision(
      source: HKSource(name: name, bundleIdentifier: bundleIdentifier), version: version,
      productType: hardware,
      operatingSystemVersion: OperatingSystemVersion(
        majorVersion: 18, minorVersion: 5, patchVersion: 0))
    device = HKDevice(
      name: name, manufacturer: "Example", model: model, hardwareVersion: hardware,
      firmwareVersion: nil, softwareVersion: version, localIdentifier: nil,
      udiDeviceIdentifier: nil)
  }
}
