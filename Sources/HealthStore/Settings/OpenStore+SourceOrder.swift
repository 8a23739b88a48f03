import SampleLog

// The stored order of sources.
extension OpenStore {
  private static let settingName = "sourceOrder"

  private static let version: UInt8 = 1

  /// Returns the source order that was set for a series, as bundle identifiers, or an empty array
  /// if none was set.
  ///
  /// - Throws: `errorDatabaseInaccessible` if a later version wrote the setting.
  func sourceOrder(of key: SeriesKey) throws -> [String] {
    guard let bytes = try database.setting(Self.settingName, of: key) else { return [] }
    var found: [String] = []
    let isWhole = bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard reader.byte() == Self.version else { return false }
      while let identifier = reader.string() {
        found.append(String(decoding: identifier, as: UTF8.self))
      }
      return reader.isAtEnd
    }
    guard isWhole else { throw SubjectSettings.unreadable(Self.settingName) }
    return found
  }

  /// Stores a source order as bundle identifiers.
  ///
  /// An empty array restores the default order.
  func setSourceOrder(_ bundleIdentifiers: [String], of key: SeriesKey) throws {
    if isClosed { throw StoreError.closed }
    var writer = ByteWriter()
    if !bundleIdentifiers.isEmpty { writer.byte(Self.version) }
    for identifier in bundleIdentifiers { writer.string(Array(identifier.utf8)) }
    try database.set(Self.settingName, of: key, to: writer.bytes)
  }
}
