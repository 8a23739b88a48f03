/// The keys of settings that belong to a subject: a word, a slash, the subject's name with its
/// length, and the rest.
///
/// What is erased with a subject is found by this form, so every setting about one must have it.
package enum SubjectSetting: String, CaseIterable {
  /// Settings of a series.
  case series
  /// Registrations of background delivery.
  case delivery
  /// What the layer above keeps about a subject; the word is that of the format.
  case profile = "person"
  /// That the subject was erased.
  case erasure

  private var word: [UInt8] { Array("\(rawValue)/".utf8) }

  /// What the keys about a subject begin with.
  package func prefix(_ subject: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(word)
    writer.string(subject)
    return writer.bytes
  }

  /// Whether a key is of this kind.
  func isKind(of key: [UInt8]) -> Bool { key.starts(with: word) }

  /// Reads a key of this kind behind its word; nil when it is of another or has no such form.
  func read<Value>(_ key: [UInt8], _ body: (inout ByteReader) -> Value?) -> Value? {
    let word = word
    guard key.starts(with: word) else { return nil }
    return key.withUnsafeBytes { bytes in
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(word.count)))
      return body(&reader)
    }
  }

  /// The key of this kind about a series: its subject and type by name, then a name.
  func key(_ key: SeriesKey, _ symbols: SymbolTable, _ name: String = "") -> [UInt8] {
    var writer = ByteWriter()
    writer.append(prefix(symbols.name(key.subject)))
    writer.string(symbols.name(key.type))
    writer.append(Array(name.utf8))
    return writer.bytes
  }

  /// The series that a key of this kind is about; nil for a key of another.
  ///
  /// Keys of all kinds but ``series`` end with the type.
  func series(ofKey key: [UInt8], _ symbols: SymbolTable) -> SeriesKey? {
    read(key) { reader in
      guard let subject = reader.string(), let type = reader.string(),
        self == .series || reader.isAtEnd
      else { return nil }
      return SeriesKey(subject: symbols.intern(subject), type: symbols.intern(type))
    }
  }

  /// The name of the subject that a setting is about; nil for any other setting.
  static func subject(ofKey key: [UInt8]) -> [UInt8]? {
    allCases.lazy.compactMap { $0.read(key) { $0.string() } }.first
  }
}
