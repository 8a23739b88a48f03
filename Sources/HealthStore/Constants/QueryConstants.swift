public import Foundation

/// No limit to the number of results.
public let HKObjectQueryNoLimit: Int = 0

/// The anchor before everything, for anchored queries of the first kind.
public let HKAnchoredObjectQueryNoAnchor: Int32 = 0

/// Stands for any version of a source.
public let HKSourceRevisionAnyVersion = "HKSourceRevisionAnyVersion"

/// Stands for any product type of a source.
public let HKSourceRevisionAnyProductType = "HKSourceRevisionAnyProductType"

/// Stands for any operating system of a source.
///
/// Apple publishes no value; here every component is -1.
public let HKSourceRevisionAnyOperatingSystem = OperatingSystemVersion(
  majorVersion: -1, minorVersion: -1, patchVersion: -1)

extension NSNotification.Name {
  /// Posted when the preferred units change.
  public static let HKUserPreferencesDidChange = NSNotification.Name(
    "HKUserPreferencesDidChangeNotification")
}
