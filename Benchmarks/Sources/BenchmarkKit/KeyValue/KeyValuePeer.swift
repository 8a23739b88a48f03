/// A key-value store with the three tables of a careful user.
final class KeyValuePeer<Store: KeyValueStore>: BenchmarkPeer, TailingReader {
  let store: Store
  private let reservations = SampleReservations()

  init(directory: String) throws {
    store = try Store(directory: directory)
  }

  func close() throws { try store.close() }
  func beginBulk() throws { try store.beginBulk() }
  func endBulk() throws { try store.endBulk() }
  func quiesce() throws { try store.quiesce() }
  func compact() throws { try store.compact() }

  /// Returns the peer itself, because any thread may read.
  func tailingReader() -> any TailingReader { self }

  func ingestBulk(_ samples: ArraySlice<StreamSample>) throws { try ingest(samples) }

  func ingest(_ samples: ArraySlice<StreamSample>) throws {
    if Store.detectsConcurrentDuplicates {
      try store.write { try add(samples, $0) }
    } else {
      try reservations.reserving(samples) { try store.write { try add(samples, $0) } }
    }
  }

  private func add(_ samples: ArraySlice<StreamSample>, _ writer: Store.Writer) throws {
    try withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { scratch in
      guard let base = scratch.baseAddress else { return }
      let (key, identifier, sequence, value) = (base, base + 24, base + 40, base + 48)
      let keyBytes = UnsafeRawBufferPointer(start: key, count: KeyValueCoding.keyLength)
      let identifierBytes = UnsafeRawBufferPointer(start: identifier, count: 16)
      let sequenceBytes = UnsafeRawBufferPointer(start: sequence, count: 8)
      for sample in samples {
        KeyValueCoding.writeKey(
          key, subject: sample.subject, type: sample.type, start: sample.start,
          sequence: sample.sequence)
        KeyValueCoding.writeIdentifier(identifier, sample.identifier)
        sequence.storeBytes(of: sample.sequence.bigEndian, as: UInt64.self)
        let length = KeyValueCoding.writeValue(value, sample)
        try writer.putNew(.identifiers, identifierBytes, keyBytes)
        try writer.put(.rows, keyBytes, UnsafeRawBufferPointer(start: value, count: length))
        try writer.put(.log, sequenceBytes, keyBytes)
      }
    }
  }

  func delete(_ identifiers: ArraySlice<StreamIdentifier>, firstSequence: UInt64) throws {
    try store.write { writer in
      var sequence = firstSequence
      var key: [UInt8] = []
      var number = [UInt8](repeating: 0, count: 8)
      var deletion = [UInt8](repeating: 0, count: KeyValueCoding.deletionLength)
      for identifier in identifiers {
        try deletion.withUnsafeMutableBytes { deletion in
          guard let base = deletion.baseAddress else { return }
          KeyValueCoding.writeIdentifier(base + 1, identifier)
          let uuid = UnsafeRawBufferPointer(rebasing: deletion[1...])
          guard try writer.get(.identifiers, uuid, &key) else {
            throw KeyValueError(store: "delete", message: "an identifier is unknown")
          }
          deletion[0] = key[2]
          try key.withUnsafeBytes { key in
            try writer.remove(.rows, key)
            try writer.remove(.log, UnsafeRawBufferPointer(rebasing: key[11...]))
          }
          try writer.remove(.identifiers, uuid)
        }
        number.withUnsafeMutableBytes { $0.storeBytes(of: sequence.bigEndian, as: UInt64.self) }
        try number.withUnsafeBytes { number in
          try deletion.withUnsafeBytes { try writer.put(.log, number, $0) }
        }
        sequence += 1
      }
    }
  }
}
