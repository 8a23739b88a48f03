public import Foundation

/// The source and device of a sample.
public struct ExportOrigin: Equatable, Sendable {
  /// The name of the app or device that saved the sample.
  public var sourceName: String
  /// The version of that app or of the device's system.
  public var sourceVersion: String?
  /// The device's description without its memory address; see ``DeviceDescription``.
  public var device: String?
  /// The date on which the sample was saved.
  public var creationDate: Date?

  /// Creates an origin.
  public init(
    sourceName: String, sourceVersion: String? = nil, device: String? = nil,
    creationDate: Date? = nil
  ) {
    self.sourceName = sourceName
    self.sourceVersion = sourceVersion
    self.device = device
    self.creationDate = creationDate
  }
}

/// A key and its value, both as written in the file.
public struct ExportEntry: Equatable, Sendable {
  /// The key; third-party keys may contain spaces.
  public var key: String
  /// The value as text; see ``MetadataText``.
  public var value: String

  /// Creates an entry.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}
