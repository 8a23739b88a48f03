/// The metadata texts of samples, created once and kept for the life of the process.
enum StreamMetadata {
  /// The maximum length of a text, in bytes.
  static let capacity = 120

  /// The text for a sample's type and metadata number, or nil for number 0.
  static func text(type: UInt8, metadata: UInt8) -> UnsafeRawBufferPointer? {
    guard metadata > 0 else { return nil }
    let family =
      switch StreamType(rawValue: type) {
      case .heartRate: 0
      case .glucose: 1
      default: 2
      }
    return texts[family * 9 + Int(metadata) - 1]
  }

  // Written once, before the first read, and never freed: sharing it is safe.
  private nonisolated(unsafe) static let texts: [UnsafeRawBufferPointer] = {
    let keys = [
      "HKMetadataKeyHeartRateMotionContext", "HKBloodGlucoseMealTime", "HKWasUserEntered",
    ]
    let zones = ["Europe/Zurich", "America/New_York", "Asia/Tokyo"]
    return keys.flatMap { key in
      (0..<9).map { number in
        let text = #"{"HKTimeZone":"\#(zones[number / 3])","\#(key)":"\#(number % 3)"}"#
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
        bytes.copyBytes(from: text.utf8)
        return UnsafeRawBufferPointer(bytes)
      }
    }
  }()
}
