/// Stores the positions of durable subscriptions.
extension Database {
  private static let prefix = Array("subscription/".utf8)

  /// Logs the position of a durable subscription; the store retains deletions after it.
  ///
  /// - Parameters:
  ///   - name: The subscription's name.
  ///   - sequence: The highest sequence number that the subscriber has processed. It must not be
  ///     lower than the last one acknowledged. A new subscription that reads from the beginning
  ///     acknowledges 0 before it reads.
  /// - Throws: ``StoreError/invalid(_:)`` for an anchor that goes back or lies beyond the end;
  ///   ``StoreError/anchorExpired(anchor:floor:)`` for a new name at an anchor whose deletions have
  ///   been forgotten or are being forgotten by a running compaction.
  package func acknowledge(_ name: String, through sequence: UInt64) throws {
    // The lock serialises acknowledgements of one name, and acknowledgements with compaction's
    // retention decision.
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

  /// Removes a durable subscription, so that the store no longer retains deletions for it.
  package func removeAcknowledgement(_ name: String) throws {
    let key = Self.acknowledgementKey(name)
    try forgetting.withLock { _ in
      guard acknowledged(key: key) != nil else { return }
      var batch = Batch()
      batch.set(key, to: [])
      try commit(batch)
    }
  }

  /// The position of each durable subscription.
  ///
  /// Names that are equal as strings but differ in their bytes share one entry, with the lower
  /// sequence number.
  package var acknowledgements: [String: UInt64] {
    var result: [String: UInt64] = [:]
    for setting in state.withLock({ $0.settings.all }) {
      guard let sequence = Self.acknowledgedSequence(setting) else { continue }
      let name = String(decoding: setting.key.dropFirst(Self.prefix.count), as: UTF8.self)
      result[name] = min(result[name] ?? .max, sequence)
    }
    return result
  }

  /// Returns the lowest sequence number that a durable subscription has acknowledged; deletions
  /// after it are retained.
  static func lowestAcknowledgement(in settings: [Setting]) -> UInt64 {
    settings.lazy.compactMap(acknowledgedSequence).min() ?? .max
  }

  /// Returns the key of a subscription's setting.
  static func acknowledgementKey(_ name: String) -> [UInt8] { prefix + Array(name.utf8) }

  /// Returns the sequence number recorded in the setting with the given key, or nil if there is
  /// none.
  func acknowledged(key: [UInt8]) -> UInt64? {
    state.withLock { $0.settings[key] }.flatMap(Self.acknowledgedSequence)
  }

  /// Returns whether a setting's key belongs to a durable subscription.
  static func isSubscription(_ key: [UInt8]) -> Bool { key.starts(with: prefix) }

  /// Returns the sequence number that a durable subscription's setting records, or nil for any
  /// other setting.
  static func acknowledgedSequence(_ setting: Setting) -> UInt64? {
    guard isSubscription(setting.key) else { return nil }
    return setting.value.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      return reader.fixed64()
    }
  }
}
