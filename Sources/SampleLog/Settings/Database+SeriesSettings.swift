extension Database {
  /// Returns the newest value of a setting of a series; nil where there is none.
  package func setting(_ name: String, of key: SeriesKey) -> [UInt8]? {
    setting(SubjectSetting.series.key(key, symbols, name))
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
    try set(settings.map { (SubjectSetting.series.key(key, symbols, $0.name), $0.value) })
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
      if let one = SubjectSetting.series.series(ofKey: key, symbols) { series.insert(one) }
      if let subject = Erasure.subject(ofKey: key) {
        series.formUnion(seriesToNotify(ofErased: symbols.intern(subject)))
      }
    }
    return series
  }
}
