/// A part of a damaged store that a repair could not save.
public struct Loss: Hashable, Sendable {
  /// The name of the file; empty if the file is missing.
  public var file: String
  /// The unreadable bytes, or nil if the file is missing.
  public var bytes: Range<Int>?
  /// A range that contains the lost sequence numbers, or nil if it is unknown.
  public var sequences: ClosedRange<UInt64>?
  /// The number of lost samples, or nil if it is unknown.
  public var samples: Int?
  /// The number of lost deletions, or nil if it is unknown.
  ///
  /// Samples that they removed may reappear.
  public var deletions: Int?
  /// A description of the damage.
  public var reason: String
}

/// The result of a repair.
public struct RepairReport: Hashable, Sendable {
  /// The losses, sorted by sequence number.
  public internal(set) var losses: [Loss] = []
  /// Damage without loss: the damaged part is redundant or was rebuilt.
  public internal(set) var mended: [Damage] = []
  /// The number of saved sample rows: live samples, and deleted ones that copied files still hold.
  public internal(set) var sampleRows = 0
  /// The number of deletions in the repaired store.
  public internal(set) var deletionRows = 0
  /// The number of files that were read.
  public internal(set) var fileCount = 0
  /// The newest sequence number that was saved.
  public internal(set) var end: UInt64 = 0
  /// The repaired store's epoch.
  public internal(set) var epoch: UInt32 = 0
  /// The sequence number through which anchors of the damaged store remain valid in the repaired
  /// one; later anchors are rejected.
  public internal(set) var anchorsThrough: UInt64 = 0

  /// Whether the repair saved everything.
  public var isWhole: Bool { losses.isEmpty }
}
