import Foundation

/// The rules for metadata: which values it may hold, and as what they come back.
enum Metadata {
  /// The longest key, in bytes of UTF-8.
  static let longestKey = 1024
  /// The most bytes that one object's metadata may take once encoded.
  static let largestEncoding = 1 << 20

  /// An entry with its value's class told apart.
  typealias Entry = (key: String, value: MetadataValue)

  /// Returns the metadata with every value in the form that readers expect, and its binary form.
  ///
  /// Numbers become NSNumber, because readers cast one value to Bool, Int and Double alike and a
  /// Swift number in an `Any` allows only one of them. Throws what `entries` throws, and on values
  /// of the wrong class for a key that HealthKit defines, and on excess.
  static func normalized(
    _ metadata: [String: Any]
  ) throws(HKInvalidSampleError) -> (values: [String: Any], encoded: [UInt8]) {
    var result: [String: Any] = [:]
    result.reserveCapacity(metadata.count)
    var entries = try entries(metadata)
    for (key, value) in entries {
      try value.check(against: key)
      result[key] = value.object
    }
    return (result, try MetadataCoding.encode(&entries))
  }

  /// Returns the entries in no particular order; throws on values that metadata cannot hold and on
  /// keys that are too long.
  static func entries(_ metadata: [String: Any]) throws(HKInvalidSampleError) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(metadata.count)
    for (key, value) in metadata {
      let bytes = key.utf8.count
      guard bytes <= longestKey else {
        throw .metadataKeyTooLong(bytes: bytes, allowed: longestKey)
      }
      guard let normal = MetadataValue(value) else {
        throw .unsupportedMetadataValue(
          key: key, valueType: String(describing: type(of: value)))
      }
      guard normal.isStorable else { throw .metadataNotFinite(key: key) }
      entries.append((key, normal))
    }
    return entries
  }
}
