import Foundation

/// The rules for metadata: the supported values and their normalised forms.
enum Metadata {
  /// The maximum length of a key, in UTF-8 bytes.
  static let longestKey = 1024
  /// The maximum encoded size of one object's metadata, in bytes.
  static let largestEncoding = 1 << 20

  /// A key with a value of known class.
  typealias Entry = (key: String, value: MetadataValue)

  /// Returns the metadata with normalised values, and its encoding.
  ///
  /// Numbers become NSNumber: readers may cast a value to Bool, Int or Double, and a Swift number
  /// in an `Any` allows only one of these casts. Throws the errors of `entries`, and if a value has
  /// the wrong class for a predefined key or the metadata is too large.
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

  /// Returns the entries in unspecified order.
  ///
  /// Throws if a value is not supported or a key is too long.
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
