import SampleLog

/// A cache of values derived from the extras of a block's rows.
///
/// Rows with equal extras share an entry. Only the entries of the last block are cached.
struct BlobCache<Entry> {
  // Retained so that no other block can be allocated at its address.
  private var block: Block?
  private var entries: [Entry?] = []

  /// The maximum number of entries.
  private static var limit: Int { 1 << 16 }

  /// Returns the entry of a row, or nil if it is not cached.
  @inline(__always)
  func entry(_ block: Block, _ row: Int) -> Entry? {
    let number = Int(block.extras[row])
    return block === self.block && number < entries.count ? entries[number] : nil
  }

  mutating func keep(_ entry: Entry, _ block: Block, _ row: Int) {
    if block !== self.block {
      self.block = block
      entries.removeAll(keepingCapacity: true)
    }
    let number = Int(block.extras[row])
    guard number < Self.limit else { return }
    while entries.count <= number { entries.append(nil) }
    entries[number] = entry
  }

  mutating func removeAll() { self = BlobCache() }
}
