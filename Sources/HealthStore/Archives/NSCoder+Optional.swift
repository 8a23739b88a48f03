import Foundation

// Encodes and decodes optional fields in keyed archives.
extension NSCoder {
  /// Returns the string with the given key, or nil if there is none.
  func decodeString(_ key: String) -> String? {
    decodeObject(NSString.self, key).map { String(describing: $0) }
  }

  /// Returns the object with the given key, or nil if there is none.
  ///
  /// Checks `containsValue(forKey:)` first: on Linux, decoding a missing key fails the complete
  /// archive.
  func decodeObject<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> Object? {
    containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
  }

  /// Encodes a string unless it is nil.
  func encodeString(_ text: String?, _ key: String) {
    if let text { encode(text as NSString, forKey: key) }
  }
}
