public import Foundation

/// No limit to the number of results.
public let HKObjectQueryNoLimit: Int = 0

/// The anchor before the first sample, for the deprecated integer-anchored queries.
public let HKAnchoredObjectQueryNoAnchor: Int32 = 0

/// A wildcard for the version of a source.
public let HKSourceRevisionAnyVersion = "HKSourceRevisionAnyVersion"

/// A wildcard for the product type of a source.
public let HKSourceRevisionAnyProductType = "HKSourceRevisionAnyProductType"

/// A wildcard for the operating system of a source.
///
/// Apple documents no value. Every component is -1.
public let HKSourceRevisionAnyOperatingSystem = OperatingSystemVersion(
  majorVersion: -1, minorVersion: -1, patchVersion: -1)

extension NSNotification.Name {
  /// Posted when the preferred units change.
  public static let HKUserPreferencesDidChange = NSNotification.Name(
    "HKUserPreferencesDidChangeNotification")
}
