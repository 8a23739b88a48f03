/// The epochs that a store had before it was restored or repaired, and how far each is its own.
///
/// A copy goes on by itself, and from then on the same sequence number names different records in
/// the two. So each copy draws an epoch, and remembers up to which sequence number those before it
/// agree.
struct Lineage: Equatable, Sendable {
  /// An earlier epoch; one may occur several times.
  ///
  /// Its last occurrence says up to where its sequence numbers are this store's, the greatest
  /// sequence number of all where it ended: a repair that lost something leaves files behind the
  /// sequence numbers that it keeps.
  struct Ancestor: Equatable, Sendable {
    var epoch: UInt32
    /// The last sequence number that names the same history in both.
    var through: UInt64
  }

  private(set) var ancestors: [Ancestor] = []

  /// The key of the setting that keeps it.
  static let key = Array("epochs".utf8)

  init() {}

  /// The lineage of a copy that has the history of an epoch, which ended later, up to a sequence
  /// number.
  func adding(_ epoch: UInt32, through sequence: UInt64, end: UInt64) -> Lineage {
    var result = self
    for known in Set(ancestors.map(\.epoch)).sorted() {
      guard let through = through(known), through > sequence else { continue }
      result.ancestors.append(Ancestor(epoch: known, through: sequence))
    }
    if end > sequence { result.ancestors.append(Ancestor(epoch: epoch, through: end)) }
    result.ancestors.append(Ancestor(epoch: epoch, through: sequence))
    return result
  }

  /// Where an epoch ended; nil for one that is no ancestor.
  func end(_ epoch: UInt32) -> UInt64? {
    ancestors.lazy.filter { $0.epoch == epoch }.map(\.through).max()
  }

  /// The lineage with epochs of which no sequence number can be told, but where they had ended.
  func including(_ epochs: [UInt32], end: UInt64) -> Lineage {
    var result = self
    for epoch in epochs where result.through(epoch) == nil {
      result.ancestors.append(Ancestor(epoch: epoch, through: end))
      result.ancestors.append(Ancestor(epoch: epoch, through: 0))
    }
    return result
  }

  /// How far an epoch's sequence numbers are this store's; nil for one that is no ancestor.
  func through(_ epoch: UInt32) -> UInt64? {
    ancestors.last { $0.epoch == epoch }?.through
  }

  /// An epoch for a copy, one that neither an ancestor nor, but by chance, another copy has.
  func newEpoch(after current: UInt32, random: UInt64) -> UInt32 {
    var epoch = UInt32(truncatingIfNeeded: random)
    while epoch == 0 || epoch == current || through(epoch) != nil { epoch &+= 1 }
    return epoch
  }

  var encoded: [UInt8] {
    var writer = ByteWriter()
    for ancestor in ancestors {
      writer.fixed(ancestor.epoch)
      writer.fixed(ancestor.through)
    }
    return writer.bytes
  }

  init?(_ bytes: [UInt8]) {
    let ancestors = bytes.withUnsafeBytes { buffer -> [Ancestor]? in
      var reader = ByteReader(buffer)
      var result: [Ancestor] = []
      while !reader.isAtEnd {
        guard let epoch = reader.fixed(UInt32.self), let through = reader.fixed64() else {
          return nil
        }
        result.append(Ancestor(epoch: epoch, through: through))
      }
      return result
    }
    guard let ancestors else { return nil }
    self.ancestors = ancestors
  }
}
