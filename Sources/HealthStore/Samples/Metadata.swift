import Foundation

/// The rules for metadata: which values it may hold, and as what they come back.
enum Metadata {
  /// The longest key, in bytes of UTF-8.
  static let longestKey = 1024
  /// The most bytes that one object's metadata may take once encoded.
  static let largestEncoding = 1 << 20

  /// Returns the metadata with every value in the form that readers expect, and its binary form.
  ///
  /// Numbers become NSNumber, because readers cast one value to Bool, Int and Double alike and a
  /// Swift number in an `Any` allows only one of them. Throws on values of other classes, on
  /// values of the wrong class for a key that HealthKit defines, on dates and quantities that are
  /// not finite, and on excess.
  static func normalized(
    _ metadata: [String: Any]
  ) throws(HKInvalidSampleError) -> (values: [String: Any], encoded: [UInt8]) {
    var result: [String: Any] = [:]
    result.reserveCapacity(metadata.count)
    var entries: [(key: String, value: MetadataValue)] = []
    entries.reserveCapacity(metadata.count)
    var bytes = MetadataCoding.overhead
    for (key, value) in metadata {
      let keyBytes = key.utf8.count
      guard keyBytes <= longestKey else {
        throw .metadataKeyTooLong(bytes: keyBytes, allowed: longestKey)
      }
      guard let normal = MetadataValue(value) else {
        throw .unsupportedMetadataValue(
          key: key, valueType: String(describing: type(of: value)))
      }
      try normal.check(against: key)
      try normal.checkFinite(for: key)
      bytes += keyBytes + normal.mostEncodedBytes + MetadataCoding.overheadPerEntry
      guard bytes <= largestEncoding else {
        throw .metadataTooLarge(bytes: bytes, allowed: largestEncoding)
      }
      result[key] = normal.object
      entries.append((key, normal))
    }
    return (result, try MetadataCoding.encode(&entries))
  }
}
