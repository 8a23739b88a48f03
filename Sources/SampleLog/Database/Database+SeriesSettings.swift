extension Database {
  /// Returns the newest value of a setting of a series; nil where there is none.
  package func setting(_ name: String, of key: SeriesKey) -> [UInt8]? {
    setting(SeriesSetting.key(name, key, symbols))
  }

  /// Logs a setting of a series and notifies the series' observers; an empty value removes it.
  ///
  /// Feeds of the series then read a page without changes. Writes nothing when the setting has the
  /// value already.
  ///
  /// - Throws: What ``commit(_:durability:)`` throws.
  package func set(_ name: String, of key: SeriesKey, to value: [UInt8]) throws {
    try set([(name, value)], of: key)
  }

  /// Logs settings of a series together, as ``set(_:of:to:)`` does one.
  package func set(_ settings: [(name: String, value: [UInt8])], of key: SeriesKey) throws {
    try set(settings.map { (SeriesSetting.key($0.name, key, symbols), $0.value) })
  }
}

/// The keys of settings that belong to a series: its subject and type by name, then a name.
enum SeriesSetting {
  static func key(_ name: String, _ key: SeriesKey, _ symbols: SymbolTable) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(SubjectSetting.series.prefix(symbols.name(key.subject)))
    writer.string(symbols.name(key.type))
    writer.append(Array(name.utf8))
    return writer.bytes
  }

  /// The series of a setting; nil when it belongs to none.
  static func series(ofKey key: [UInt8], _ symbols: SymbolTable) -> SeriesKey? {
    SubjectSetting.series.read(key) { reader in
      guard let subject = reader.string(), let type = reader.string() else { return nil }
      return SeriesKey(subject: symbols.intern(subject), type: symbols.intern(type))
    }
  }
}

extension Database {
  /// The series that the settings of a commit are about, those of an erased subject included that
  /// are observed.
  func seriesTouched(bySettings payload: CommitPayload) -> Set<SeriesKey> {
    seriesTouched(bySettings: payload.settings.map(\.key))
  }

  /// The series that settings with some keys are about.
  func seriesTouched(bySettings keys: [[UInt8]]) -> Set<SeriesKey> {
    var series: Set<SeriesKey> = []
    for key in keys {
      if let one = SeriesSetting.series(ofKey: key, symbols) { series.insert(one) }
      if let subject = Erasure.subject(ofKey: key) {
        series.formUnion(seriesToNotify(ofErased: symbols.intern(subject)))
      }
    }
    return series
  }
}
