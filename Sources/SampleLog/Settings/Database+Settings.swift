extension Database {
  /// Returns the value of a setting, or nil if it is not set.
  ///
  /// Throws only on an inline attempt, if a commit holds the lock.
  package func setting(_ key: [UInt8]) throws -> [UInt8]? {
    let value = try state.withLockInline { $0.settings[key]?.value }
    return value?.isEmpty == true ? nil : value
  }

  /// Returns the settings whose keys have a prefix, sorted by key.
  ///
  /// - Complexity: Linear in the number of the store's settings.
  package func settings(beginningWith prefix: [UInt8]) -> [(key: [UInt8], value: [UInt8])] {
    let all = state.withLock { $0.settings.all }
    return all.filter { !$0.value.isEmpty && $0.key.starts(with: prefix) }
      .sorted { $0.key.precedes($1.key) }.map { ($0.key, $0.value) }
  }

  /// Logs settings in one commit; an empty value removes a setting.
  ///
  /// Omits settings that already have their value, so that repeating a call writes nothing.
  ///
  /// - Throws: The errors of ``commit(_:durability:)``.
  package func set(_ settings: [(key: [UInt8], value: [UInt8])]) throws {
    try checkWritable()
    var batch = Batch()
    for setting in settings where try (self.setting(setting.key) ?? []) != setting.value {
      batch.set(setting.key, to: setting.value)
    }
    if !batch.isEmpty { try commit(batch) }
  }
}
