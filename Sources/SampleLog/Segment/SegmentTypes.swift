/// The blocks of one subject, type and kind, which lie side by side in start order.
package struct SegmentSeries: Sendable {
  package var subject: Symbol
  package var type: Symbol
  package var kind: RowKind
  package var blocks: Range<Int>
  package var rows: Int

  /// Subject, type, kind, first block, blocks, rows: 32 bits each.
  static let length = 24

  /// Subject and type as one number.
  @inline(__always)
  static func key(_ subject: Symbol, _ type: Symbol) -> UInt64 {
    UInt64(subject) << 32 | UInt64(type)
  }

  var key: UInt64 { Self.key(subject, type) }
}

/// Where the blocks of one subject and type are in a segment; empty when there are none.
struct SeriesBlocks {
  private(set) var samples = 0..<0
  private(set) var deletions = 0..<0

  /// Takes over where the blocks of a series are; false when there have been some of that kind.
  mutating func take(_ series: SegmentSeries) -> Bool {
    let isNew = (series.kind == .sample ? samples : deletions).isEmpty
    if series.kind == .sample { samples = series.blocks } else { deletions = series.blocks }
    return isNew
  }
}

/// A setting or a subscription that rides along in a segment.
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
    guard reader.isAtEnd else { throw CodecError("bytes behind the last setting") }
    return settings
  }
}
