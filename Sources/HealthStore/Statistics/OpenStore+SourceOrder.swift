import SampleLog

extension OpenStore {
  private static let settingName = "sourceOrder"

  private static let version: UInt8 = 1

  /// The bundle identifiers in the order that was set for a series; none if no order was set.
  ///
  /// - Throws: `errorDatabaseInaccessible` for what a later version may have written.
  func sourceOrder(of key: SeriesKey) throws -> [String] {
    guard let bytes = database.setting(Self.settingName, of: key) else { return [] }
    var found: [String] = []
    let isWhole = bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard reader.byte() == Self.version else { return false }
      while let identifier = reader.string() {
        found.append(String(decoding: identifier, as: UTF8.self))
      }
      return reader.isAtEnd
    }
    guard isWhole else { throw PersonSettings.unreadable(Self.settingName) }
    return found
  }

  /// Stores the bundle identifiers in an order; none restores the default.
  func setSourceOrder(_ bundleIdentifiers: [String], of key: SeriesKey) throws {
    if isClosed { throw StoreError.closed }
    var writer = ByteWriter()
    if !bundleIdentifiers.isEmpty { writer.byte(Self.version) }
    for identifier in bundleIdentifiers { writer.string(Array(identifier.utf8)) }
    try database.set(Self.settingName, of: key, to: writer.bytes)
  }
}
