import SampleLog

extension OpenStore {
  private static let settingName = "sourceOrder"

  /// The bundle identifiers that were put in order for a type; none where nobody did.
  func sourceOrder(of quantityType: HKQuantityType, subject: Symbol) -> [String] {
    let key = SeriesKey(
      subject: subject, type: database.symbols.intern(quantityType.identifier))
    let bytes = database.setting(Self.settingName, of: key)
    return bytes.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      var found: [String] = []
      while let identifier = reader.string() {
        found.append(String(decoding: identifier, as: UTF8.self))
      }
      return found
    }
  }

  /// Stores the bundle identifiers in an order; none restores the default.
  func setSourceOrder(
    _ bundleIdentifiers: [String], of quantityType: HKQuantityType, subject: Symbol
  ) throws {
    if isClosed { throw StoreError.closed }
    var writer = ByteWriter()
    for identifier in bundleIdentifiers { writer.string(Array(identifier.utf8)) }
    let key = SeriesKey(
      subject: subject, type: database.symbols.intern(quantityType.identifier))
    try database.set(Self.settingName, of: key, to: writer.bytes)
  }
}
