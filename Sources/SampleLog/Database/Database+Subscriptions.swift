extension Database {
  private static let prefix = Array("subscription/".utf8)

  /// Logs how far a durable subscription has come; deletions after it are kept for it.
  ///
  /// - Parameters:
  ///   - name: The subscription's name.
  ///   - sequence: The highest sequence number it is done with; a lower one than before is an
  ///     error.
  /// - Throws: ``StoreError/invalid(_:)`` for a place that goes back or lies beyond the end.
  public func acknowledge(_ name: String, through sequence: UInt64) throws {
    guard sequence <= end else {
      throw StoreError.invalid("The place \(sequence) of \(name) lies beyond the end of the log.")
    }
    if let before = acknowledgements[name], before > sequence {
      throw StoreError.invalid("The place of \(name) cannot go back from \(before) to \(sequence).")
    }
    var writer = ByteWriter()
    writer.fixed(sequence)
    var batch = Batch()
    batch.set(Self.prefix + Array(name.utf8), to: writer.bytes)
    try commit(batch)
  }

  /// Forgets a durable subscription, so that it no longer keeps deletions alive.
  public func removeAcknowledgement(_ name: String) throws {
    guard acknowledgements[name] != nil else { return }
    var batch = Batch()
    batch.set(Self.prefix + Array(name.utf8), to: [])
    try commit(batch)
  }

  /// How far each durable subscription has come.
  public var acknowledgements: [String: UInt64] {
    let controls = state.withLock { $0.controls }
    var result: [String: UInt64] = [:]
    for (key, control) in controls {
      if let place = Self.subscriptionPlace(control) {
        result[String(decoding: key.dropFirst(Self.prefix.count), as: UTF8.self)] = place
      }
    }
    return result
  }

  /// The place that a setting records for a durable subscription; nil for any other setting.
  static func subscriptionPlace(_ control: Control) -> UInt64? {
    guard control.key.starts(with: prefix) else { return nil }
    return control.value.withUnsafeBytes { ByteReader($0).peek64() }
  }
}

extension ByteReader {
  fileprivate func peek64() -> UInt64? {
    var copy = self
    return copy.fixed64()
  }
}
