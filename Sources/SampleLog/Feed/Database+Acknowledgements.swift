extension Database {
  private static let prefix = Array("subscription/".utf8)

  /// Logs how far a durable subscription has come; deletions after it are kept for it.
  ///
  /// - Parameters:
  ///   - name: The subscription's name.
  ///   - sequence: The highest sequence number it is done with; a lower one than before is an
  ///     error. A new subscription that begins at the beginning says 0 before it reads.
  /// - Throws: ``StoreError/invalid(_:)`` for an anchor that goes back or lies beyond the end;
  ///   ``StoreError/anchorExpired(anchor:floor:)`` for a new name at an anchor whose deletions have
  ///   been forgotten, or are just being forgotten.
  package func acknowledge(_ name: String, through sequence: UInt64) throws {
    // Under one lock, so that no two calls for one name pass each other and no compaction decides
    // what is still needed in between.
    let key = Self.acknowledgementKey(name)
    try forgetting.withLock { pending in
      let snapshot = snapshot()
      guard sequence <= snapshot.end else {
        throw StoreError.invalid(
          "The anchor \(sequence) of \(name) lies beyond the end of the log.")
      }
      if let before = acknowledged(key: key) {
        guard before <= sequence else {
          throw StoreError.invalid(
            "The anchor of \(name) cannot go back from \(before) to \(sequence).")
        }
      } else if sequence > 0, sequence < max(snapshot.floor, pending) {
        throw StoreError.anchorExpired(anchor: sequence, floor: max(snapshot.floor, pending))
      }
      var writer = ByteWriter()
      writer.fixed(sequence)
      var batch = Batch()
      batch.set(key, to: writer.bytes)
      try commit(batch)
    }
  }

  /// Forgets a durable subscription, so that it no longer keeps deletions alive.
  package func removeAcknowledgement(_ name: String) throws {
    let key = Self.acknowledgementKey(name)
    try forgetting.withLock { _ in
      guard acknowledged(key: key) != nil else { return }
      var batch = Batch()
      batch.set(key, to: [])
      try commit(batch)
    }
  }

  /// How far each durable subscription has come.
  ///
  /// Names that are equal as text and differ in their bytes are one here, at the lower sequence
  /// number.
  package var acknowledgements: [String: UInt64] {
    var result: [String: UInt64] = [:]
    for setting in state.withLock({ $0.settings.all }) {
      guard let sequence = Self.acknowledgedSequence(setting) else { continue }
      let name = String(decoding: setting.key.dropFirst(Self.prefix.count), as: UTF8.self)
      result[name] = min(result[name] ?? .max, sequence)
    }
    return result
  }

  /// The lowest sequence number of a durable subscription, which deletions after it are kept for.
  static func lowestAcknowledgement(in settings: [Setting]) -> UInt64 {
    settings.lazy.compactMap(acknowledgedSequence).min() ?? .max
  }

  /// The key of a subscription's setting.
  static func acknowledgementKey(_ name: String) -> [UInt8] { prefix + Array(name.utf8) }

  /// The sequence number that the setting with a key records.
  func acknowledged(key: [UInt8]) -> UInt64? {
    state.withLock { $0.settings[key] }.flatMap(Self.acknowledgedSequence)
  }

  /// Whether a setting's key is a durable subscription's.
  static func isSubscription(_ key: [UInt8]) -> Bool { key.starts(with: prefix) }

  /// The sequence number that a setting records for a durable subscription; nil for any other
  /// setting.
  static func acknowledgedSequence(_ setting: Setting) -> UInt64? {
    guard isSubscription(setting.key) else { return nil }
    return setting.value.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      return reader.fixed64()
    }
  }
}
