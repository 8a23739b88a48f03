import SampleLog

/// A cache of what follows from the extras of one block's rows; rows with equal extras share an
/// entry.
struct BlobCache<Entry> {
  // Retained, so that no other block can be allocated at its address.
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
