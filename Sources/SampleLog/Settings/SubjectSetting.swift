/// The keys of settings that belong to a subject: a word, a slash, the length-prefixed name of the
/// subject, and the rest.
///
/// Erasing a subject finds its settings by this form, so all settings of a subject must use it.
package enum SubjectSetting: String, CaseIterable {
  /// A setting of a series.
  case series
  /// A registration for background delivery.
  case delivery
  /// Data that the layer above stores about a subject.
  case person
  /// The erasure of a subject.
  case erasure

  private var word: [UInt8] { Array("\(rawValue)/".utf8) }

  /// Returns the prefix of all keys of this kind for a subject.
  package func prefix(_ subject: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(word)
    writer.string(subject)
    return writer.bytes
  }

  /// Returns whether a key is of this kind.
  func isKind(of key: [UInt8]) -> Bool { key.starts(with: word) }

  /// Parses a key of this kind after its word; returns nil for other keys and malformed ones.
  func read<Value>(_ key: [UInt8], _ body: (inout ByteReader) -> Value?) -> Value? {
    let word = word
    guard key.starts(with: word) else { return nil }
    return key.withUnsafeBytes { bytes in
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(word.count)))
      return body(&reader)
    }
  }

  /// Returns the key of this kind for a series and a setting name.
  func key(_ key: SeriesKey, _ symbols: SymbolTable, _ name: String = "") -> [UInt8] {
    var writer = ByteWriter()
    writer.append(prefix(symbols.name(key.subject)))
    writer.string(symbols.name(key.type))
    writer.append(Array(name.utf8))
    return writer.bytes
  }

  /// Returns the series that a key of this kind belongs to, or nil for a key of another kind.
  ///
  /// Keys of all kinds except ``series`` end with the type.
  func series(ofKey key: [UInt8], _ symbols: SymbolTable) -> SeriesKey? {
    read(key) { reader in
      guard let subject = reader.string(), let type = reader.string(),
        self == .series || reader.isAtEnd
      else { return nil }
      return SeriesKey(subject: symbols.intern(subject), type: symbols.intern(type))
    }
  }

  /// Returns the name of the subject that a setting belongs to, or nil for any other setting.
  static func subject(ofKey key: [UInt8]) -> [UInt8]? {
    allCases.lazy.compactMap { $0.read(key) { $0.string() } }.first
  }
}
