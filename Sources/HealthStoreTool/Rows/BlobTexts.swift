import SampleLog

/// A cache of the encoded extras of one block; rows with equal extras share an entry.
struct BlobTexts {
  struct Entry {
    /// The JSON member or CSV field of the metadata; empty if there is none.
    var metadata = Fragment()
    var hasMetadata = false
    /// Whether the extras may contain more than the metadata.
    var isMore = false
  }

  // Retained, so that no other block can be allocated at its address.
  private var block: Block?
  private var entries: [Entry?] = []

  /// The maximum number of entries.
  private static let limit = 1 << 16

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

  mutating func removeAll() { self = BlobTexts() }
}
