extension Database {
  /// Returns the newest value of a setting; nil where there is none.
  package func setting(_ key: [UInt8]) -> [UInt8]? {
    let value = state.withLock { $0.settings[key]?.value }
    return value?.isEmpty == true ? nil : value
  }

  /// Returns the settings whose keys begin with some bytes, by rising key.
  ///
  /// - Complexity: Linear in the settings of the store.
  package func settings(beginningWith prefix: [UInt8]) -> [(key: [UInt8], value: [UInt8])] {
    let all = state.withLock { $0.settings.all }
    return all.filter { !$0.value.isEmpty && $0.key.starts(with: prefix) }
      .sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value) }
  }

  /// Logs the values of settings together; an empty value removes a setting.
  ///
  /// Those that have their value already are left out, so that saying the same again writes
  /// nothing.
  ///
  /// - Throws: What ``commit(_:durability:)`` throws.
  package func set(_ settings: [(key: [UInt8], value: [UInt8])]) throws {
    try checkWritable()
    var batch = Batch()
    for setting in settings where (self.setting(setting.key) ?? []) != setting.value {
      batch.set(setting.key, to: setting.value)
    }
    if !batch.isEmpty { try commit(batch) }
  }
}
