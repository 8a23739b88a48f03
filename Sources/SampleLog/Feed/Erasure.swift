/// That everything of a subject was erased: its samples, its deletions and its settings.
public struct Erasure: Hashable, Sendable {
  /// The subject that was erased.
  public let name: Name
  /// The sequence number of the erasure; nothing of the subject with a lower one is left.
  public let sequence: UInt64
  /// When it was erased, in seconds since 2001-01-01 00:00 UTC.
  public let time: Double

  package var subject: Symbol { name.number }
}

extension Erasure {
  /// Reads a setting; nil when it records no erasure.
  init?(_ setting: Setting, _ symbols: SymbolTable) {
    guard let subject = Self.subject(ofKey: setting.key),
      let time = setting.value.withUnsafeBytes({ bytes -> Double? in
        var reader = ByteReader(bytes)
        return reader.double()
      })
    else { return nil }
    self.init(
      name: symbols.name(of: symbols.intern(subject)), sequence: setting.sequence, time: time)
  }

  /// The name of the subject whose erasure a setting records; nil for any other setting.
  static func subject(ofKey key: [UInt8]) -> [UInt8]? {
    SubjectSetting.erasure.read(key) { reader in
      guard let subject = reader.string(), reader.isAtEnd else { return nil }
      return subject
    }
  }

  /// The setting that records the erasure of a subject at a time.
  static func setting(_ subject: [UInt8], time: Double) -> (key: [UInt8], value: [UInt8]) {
    var writer = ByteWriter()
    writer.fixed(time)
    return (SubjectSetting.erasure.prefix(subject), writer.bytes)
  }
}

extension Erasure {
  /// The sequence numbers of those of some rows of the subject's samples that were erased.
  func sequences(in block: Block, _ rows: Range<Int>) -> [UInt64] {
    rows.lazy.map { block.sequence[$0] }.filter { $0 < sequence }
  }
}

extension MemTable {
  /// The sequence numbers of the samples that were erased.
  func sequences(erasedBy erasures: [Symbol: Erasure]) -> [UInt64] {
    series(.sample).flatMap { series -> [UInt64] in
      guard let erasure = erasures[series.key.subject] else { return [] }
      return blocks(series.key, .sample, through: .max).flatMap {
        erasure.sequences(in: $0.block, 0..<$0.block.count)
      }
    }
  }
}

extension Snapshot {
  /// Whether a row of a block is a deletion that was erased with its subject.
  ///
  /// Samples that were erased count as deleted.
  @inline(__always)
  func isErasedDeletion(_ block: Block, _ row: Int) -> Bool {
    if block.kind == .sample { return false }
    return erasures[block.subject(at: row)].map { block.sequence[row] < $0.sequence } ?? false
  }

  /// Throws when a subject of some series was erased after an anchor.
  func checkNotErased(_ series: [SeriesKey]?, after anchor: Anchor) throws {
    guard let series, !erasures.isEmpty, anchor.sequence > 0 else { return }
    let seen = max(anchor.sequence, anchor.passStart)
    for key in series {
      guard let erasure = erasures[key.subject], erasure.sequence > seen else { continue }
      throw StoreError.erased(subject: symbols.text(key.subject), sequence: erasure.sequence)
    }
  }
}
