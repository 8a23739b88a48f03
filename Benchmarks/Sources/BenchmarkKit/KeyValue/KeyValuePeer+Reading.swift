import Foundation

extension KeyValuePeer {
  func rows(of series: StreamSeries, in range: Range<Int64>, into digest: inout Digest) throws {
    var row = BenchmarkRow()
    try forEach(series, in: range) { key, value in
      KeyValueCoding.read(&row, key, value)
      digest.add(row)
    }
  }

  func rows(
    of series: StreamSeries, in range: Range<Int64>, above bound: Double, into digest: inout Digest
  ) throws {
    var row = BenchmarkRow()
    try forEach(series, in: range) { key, value in
      guard KeyValueCoding.value(value) > bound else { return }
      KeyValueCoding.read(&row, key, value)
      digest.add(row)
    }
  }

  func newest(of series: StreamSeries, into digest: inout Digest) throws {
    try withBound(series, start: .max, sequence: .max) { end in
      try store.read { reader in
        try reader.withCursor(.rows) { cursor in
          cursor.seekBefore(end)
          try cursor.check()
          guard cursor.isValid, cursor.key.prefix(3).elementsEqual(end.prefix(3)) else { return }
          var row = BenchmarkRow()
          KeyValueCoding.read(&row, cursor.key, cursor.value)
          digest.add(row)
        }
      }
    }
  }

  func row(_ identifier: StreamIdentifier, into digest: inout Digest) throws {
    var row = BenchmarkRow()
    var isFound = false
    var key: (UInt64, UInt64, UInt64) = (0, 0, 0)
    try withUnsafeMutableBytes(of: &key) { key in
      try withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { uuid in
        guard let base = uuid.baseAddress else { return }
        KeyValueCoding.writeIdentifier(base, identifier)
        try store.read { reader in
          guard
            try reader.get(.identifiers, UnsafeRawBufferPointer(uuid), { key.copyMemory(from: $0) })
          else { return }
          let rowKey = UnsafeRawBufferPointer(rebasing: key[..<KeyValueCoding.keyLength])
          isFound = try reader.get(.rows, rowKey) { KeyValueCoding.read(&row, rowKey, $0) }
        }
      }
    }
    if isFound { digest.add(row) }
  }

  func days(of series: StreamSeries, in range: Range<Int64>) throws -> [DailyAggregate] {
    var days: [DailyAggregate] = []
    var day = DailyAggregate(day: .min, count: 0, sum: 0, minimum: 0, maximum: 0)
    try forEach(series, in: range) { key, value in
      let number = KeyValueCoding.start(key) / SampleStream.millisecondsPerDay
      let value = KeyValueCoding.value(value)
      if number != day.day {
        if day.count > 0 { days.append(day) }
        day = DailyAggregate(day: number, count: 0, sum: 0, minimum: value, maximum: value)
      }
      day.count += 1
      day.sum += value
      day.minimum = min(day.minimum, value)
      day.maximum = max(day.maximum, value)
    }
    if day.count > 0 { days.append(day) }
    return days
  }

  func changes(
    after sequence: UInt64, of type: StreamType?, limit: Int, into digest: inout Digest
  ) throws -> UInt64 {
    var last = sequence
    try store.read { reader in
      var entries: [FeedEntry] = []
      var keys: [UInt8] = []
      try reader.withCursor(.log) { cursor in
        var first = (sequence + 1).bigEndian
        withUnsafeBytes(of: &first) { cursor.seek($0) }
        while cursor.isValid, entries.count < limit {
          let value = cursor.value
          let isDeletion = value.count == KeyValueCoding.deletionLength
          if let type, value[isDeletion ? 0 : 2] != type.rawValue {
            cursor.next()
            continue
          }
          last = KeyValueCoding.word(cursor.key, 0)
          if isDeletion {
            entries.append(
              FeedEntry(sequence: last, deleted: KeyValueCoding.readIdentifier(value, at: 1)))
          } else {
            entries.append(FeedEntry(sequence: last, deleted: nil))
            keys.append(contentsOf: value)
          }
          cursor.next()
        }
        try cursor.check()
      }
      try deliver(entries, keys, reader, into: &digest)
    }
    return last
  }

  /// Reads the rows of several log entries at once, and adds them in the log's order.
  private func deliver(
    _ entries: [FeedEntry], _ keys: [UInt8], _ reader: Store.Reader, into digest: inout Digest
  ) throws {
    var row = BenchmarkRow()
    var position = 0
    func addDeletions() {
      while position < entries.count, let identifier = entries[position].deleted {
        digest.add(deletionOf: identifier, sequence: entries[position].sequence)
        position += 1
      }
    }
    try keys.withUnsafeBytes { keys in
      let length = KeyValueCoding.keyLength
      try reader.getAll(.rows, keys: keys, length: length) { index, value in
        addDeletions()
        let key = UnsafeRawBufferPointer(rebasing: keys[index * length..<(index + 1) * length])
        KeyValueCoding.read(&row, key, value)
        digest.add(row)
        position += 1
      }
    }
    addDeletions()
  }

  @inline(__always)
  private func forEach(
    _ series: StreamSeries, in range: Range<Int64>,
    _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws {
    try withBound(series, start: range.lowerBound, sequence: 0) { start in
      try withBound(series, start: range.upperBound, sequence: 0) { end in
        guard let limit = end.baseAddress else { return }
        try store.read { reader in
          try reader.withCursor(.rows) { cursor in
            cursor.seek(start)
            while cursor.isValid {
              let key = cursor.key
              guard let bytes = key.baseAddress, memcmp(bytes, limit, key.count) < 0 else { break }
              body(key, cursor.value)
              cursor.next()
            }
            try cursor.check()
          }
        }
      }
    }
  }

  private func withBound(
    _ series: StreamSeries, start: Int64, sequence: UInt64,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try withUnsafeTemporaryAllocation(byteCount: KeyValueCoding.keyLength, alignment: 8) { bytes in
      guard let base = bytes.baseAddress else { return }
      KeyValueCoding.writeKey(
        base, subject: series.subject, type: series.type.rawValue, start: start,
        sequence: sequence)
      try body(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// An entry of the log: a row or a deletion.
private struct FeedEntry {
  var sequence: UInt64
  var deleted: StreamIdentifier?
}
