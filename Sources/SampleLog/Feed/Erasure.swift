/// A record that all data of a subject was erased: its samples, its deletions and its settings.
public struct Erasure: Hashable, Sendable {
  /// The subject whose data was erased.
  public let name: Name
  /// The sequence number of the erasure.
  ///
  /// No data of the subject with a lower number remains.
  public let sequence: UInt64
  /// The time of the erasure, in seconds since 2001-01-01 00:00 UTC.
  public let time: Double

  package var subject: Symbol { name.number }
}

extension Erasure {
  /// Decodes a setting.
  ///
  /// Returns nil if it does not record an erasure.
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

  /// Returns the name of the subject whose erasure a setting records, or nil for any other setting.
  static func subject(ofKey key: [UInt8]) -> [UInt8]? {
    SubjectSetting.erasure.read(key) { reader in
      guard let subject = reader.string(), reader.isAtEnd else { return nil }
      return subject
    }
  }

  /// Returns the setting that records the erasure of a subject.
  static func setting(_ subject: [UInt8], time: Double) -> (key: [UInt8], value: [UInt8]) {
    var writer = ByteWriter()
    writer.fixed(time)
    return (SubjectSetting.erasure.prefix(subject), writer.bytes)
  }
}

extension Erasure {
  /// Returns the sequence numbers of the erased rows among some rows of the subject.
  func sequences(in block: Block, _ rows: Range<Int>) -> [UInt64] {
    rows.lazy.map { block.sequence[$0] }.filter { $0 < sequence }
  }
}

extension MemTable {
  /// Returns the sequence numbers of the samples that were erased.
  func sequences(erasedBy erasures: [Symbol: Erasure]) throws -> [UInt64] {
    try series(.sample).flatMap { series -> [UInt64] in
      guard let erasure = erasures[series.key.subject] else { return [] }
      return try blocks(series.key, .sample, through: .max).flatMap {
        erasure.sequences(in: $0.block, 0..<$0.block.count)
      }
    }
  }
}

extension Snapshot {
  /// Returns whether a row is a deletion that was erased with its subject.
  ///
  /// Erased samples are in the set of deleted samples, so this returns false for samples.
  @inline(__always)
  func isErasedDeletion(_ block: Block, _ row: Int) -> Bool {
    if block.kind == .sample { return false }
    return erasures[block.subject(at: row)].map { block.sequence[row] < $0.sequence } ?? false
  }

  /// Throws if a subject of the given series was erased after an anchor.
  func checkNotErased(_ series: [SeriesKey]?, after anchor: Anchor) throws {
    guard let series, !erasures.isEmpty, anchor.sequence > 0 else { return }
    let seen = max(anchor.sequence, anchor.initialLoadEnd)
    for key in series {
      guard let erasure = erasures[key.subject], erasure.sequence > seen else { continue }
      throw StoreError.erased(subject: symbols.text(key.subject), sequence: erasure.sequence)
    }
  }
}
