/// The earlier epochs of a store, and the sequence number up to which it shares the history of
/// each.
///
/// Copies of a store diverge: the same sequence number then denotes different records in each. So
/// every copy draws a new epoch and records up to which sequence number it agrees with the epochs
/// before it.
struct Lineage: Equatable, Sendable {
  /// An earlier epoch; one may occur several times.
  ///
  /// The last occurrence gives the sequence number up to which the epoch's history is this store's.
  /// The greatest sequence number of all occurrences gives the end of the epoch. The two differ if
  /// a repair lost records: files may then contain sequence numbers beyond those that it kept.
  struct Ancestor: Equatable, Sendable {
    var epoch: UInt32
    /// The last sequence number that denotes the same record in both histories.
    var through: UInt64
  }

  private(set) var ancestors: [Ancestor] = []

  /// The key of the setting that stores the lineage.
  static let key = Array("epochs".utf8)

  init() {}

  /// Returns the lineage of a copy that shares an epoch's history up to a sequence number, where
  /// the epoch itself continued to `end`.
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

  /// Returns the end of an epoch, or nil if it is not an ancestor.
  func end(_ epoch: UInt32) -> UInt64? {
    ancestors.lazy.filter { $0.epoch == epoch }.map(\.through).max()
  }

  /// Returns the lineage with additional epochs that ended at `end` and share no known history with
  /// this store.
  func including(_ epochs: [UInt32], end: UInt64) -> Lineage {
    var result = self
    for epoch in epochs where result.through(epoch) == nil {
      result.ancestors.append(Ancestor(epoch: epoch, through: end))
      result.ancestors.append(Ancestor(epoch: epoch, through: 0))
    }
    return result
  }

  /// Returns the sequence number up to which an epoch's history is this store's, or nil if the
  /// epoch is not an ancestor.
  func through(_ epoch: UInt32) -> UInt64? {
    ancestors.last { $0.epoch == epoch }?.through
  }

  /// Returns an epoch for a new copy that differs from all ancestors and, with high probability,
  /// from all other copies.
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

extension Snapshot {
  /// Returns the last sequence number that denotes the same record in this copy and in another one,
  /// or 0 if the lineages show none.
  package func sharedEnd(with other: Snapshot) -> UInt64 {
    guard identity.storeID == other.identity.storeID else { return 0 }
    let ends = other.epochEnds
    return epochEnds.compactMap { epoch, end in ends[epoch].map { min($0, end) } }.max() ?? 0
  }

  /// The last sequence number of each epoch that the copy has from that epoch.
  private var epochEnds: [UInt32: UInt64] {
    let ancestors = identity.lineage.ancestors.map { ($0.epoch, $0.through) }
    return Dictionary(ancestors + [(identity.epoch, end)], uniquingKeysWith: { $1 })
  }
}
