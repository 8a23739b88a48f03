extension KeyIndex {
  /// Checks that no bucket exceeds its capacity and that the counts add up to the number of
  /// entries.
  package func checkInvariants() throws(BrokenInvariant) {
    try BrokenInvariant.check(
      0 < homes && homes <= buckets && memory.count == buckets << 6,
      "\(buckets) buckets, \(homes) of them homes, take \(memory.count) bytes")
    var total = 0
    for bucket in 0..<buckets {
      let count = Int(touch(bucket) & ~KeyIndex.passedOn)
      let passesOn = touch(bucket) & KeyIndex.passedOn != 0
      try BrokenInvariant.check(
        count <= KeyIndex.slots, "bucket \(bucket) has \(count) entries")
      try BrokenInvariant.check(
        !passesOn || count == KeyIndex.slots && bucket + 1 < buckets,
        "bucket \(bucket) passes entries on, with \(count) of its own")
      total += count
    }
    try BrokenInvariant.check(total == entries, "\(total) entries are counted as \(entries)")
  }
}
