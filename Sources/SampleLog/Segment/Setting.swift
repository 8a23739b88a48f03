/// A setting or subscription stored in a segment.
package struct Setting: Equatable, Sendable {
  package var key: [UInt8]
  package var value: [UInt8]
  package var sequence: UInt64

  package init(key: [UInt8], value: [UInt8], sequence: UInt64) {
    self.key = key
    self.value = value
    self.sequence = sequence
  }

  static func encode(_ settings: [Setting]) -> [UInt8] {
    var writer = ByteWriter()
    writer.varint(UInt64(settings.count))
    for setting in settings {
      writer.string(setting.key)
      writer.string(setting.value)
      writer.varint(setting.sequence)
    }
    return writer.bytes
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> [Setting] {
    var reader = ByteReader(bytes)
    guard let count = reader.varint(), count <= UInt64(bytes.count) else {
      throw CodecError("impossible count of settings")
    }
    var settings: [Setting] = []
    for _ in 0..<count {
      guard let key = reader.string(), let value = reader.string(),
        let sequence = reader.varint()
      else { throw CodecError("cut settings") }
      settings.append(Setting(key: key, value: value, sequence: sequence))
    }
    guard reader.isAtEnd else { throw CodecError("bytes after the last setting") }
    return settings
  }
}
