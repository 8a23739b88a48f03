public import Foundation

/// Who wrote a sample, with what.
public struct ExportOrigin: Equatable, Sendable {
  /// The name of the app or device that saved it.
  public var sourceName: String
  /// The version of that app or of the device's system.
  public var sourceVersion: String?
  /// The device's description without its memory address; see ``DeviceDescription``.
  public var device: String?
  /// When it was saved.
  public var creationDate: Date?

  /// An origin from its parts.
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

/// A key and its value, both as they stand in the file.
public struct ExportEntry: Equatable, Sendable {
  /// The key; third-party keys may contain spaces.
  public var key: String
  /// The value as text; see ``MetadataText``.
  public var value: String

  /// An entry from its parts.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}
