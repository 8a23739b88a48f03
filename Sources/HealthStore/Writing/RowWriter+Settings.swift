import SampleLog

// The settings of the subject, which a batch reads and changes.
extension RowWriter {
  /// Sets a setting of the subject.
  ///
  /// An empty value removes it.
  package mutating func set(_ name: String, to value: [UInt8]) {
    batch.set(setting(name), to: value)
  }

  /// Returns the subject's setting with the given name, or nil if it is not set.
  package func value(_ name: String) throws -> [UInt8]? { try database.setting(setting(name)) }

  /// Returns the settings of the subject whose names begin with a text, by ascending name.
  package func values(beginningWith text: String) -> [(name: String, value: [UInt8])] {
    let length = setting("").count
    return database.settings(beginningWith: setting(text)).map {
      (String(decoding: $0.key.dropFirst(length), as: UTF8.self), $0.value)
    }
  }

  private func setting(_ name: String) -> [UInt8] {
    SubjectSetting.profile.prefix(symbols.name(subject)) + Array(name.utf8)
  }
}
