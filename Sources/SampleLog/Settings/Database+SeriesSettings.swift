extension Database {
  /// Returns the value of a series' setting, or nil if it is not set.
  package func setting(_ name: String, of key: SeriesKey) throws -> [UInt8]? {
    try setting(SubjectSetting.series.key(key, symbols, name))
  }

  /// Logs a setting of a series and notifies the series' observers; an empty value removes it.
  ///
  /// Feeds of the series then deliver a page without changes. Writes nothing if the setting already
  /// has the value.
  ///
  /// - Throws: The errors of ``commit(_:durability:)``.
  package func set(_ name: String, of key: SeriesKey, to value: [UInt8]) throws {
    try set([(name, value)], of: key)
  }

  /// Logs several settings of a series in one commit, like ``set(_:of:to:)``.
  package func set(_ settings: [(name: String, value: [UInt8])], of key: SeriesKey) throws {
    try set(settings.map { (SubjectSetting.series.key(key, symbols, $0.name), $0.value) })
  }
}

extension Database {
  /// Returns the series that the settings of a commit affect, including the observed series of an
  /// erased subject.
  func seriesTouched(bySettings payload: CommitPayload) -> Set<SeriesKey> {
    seriesTouched(bySettings: payload.settings.map(\.key))
  }

  /// Returns the series that settings with the given keys affect.
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
