/// Something that a repair could not save.
public struct Loss: Hashable, Sendable {
  /// The file's name; empty when a file is missing.
  public var file: String
  /// The bytes that cannot be read; nil when a file is missing.
  public var bytes: Range<Int>?
  /// Sequence numbers of which some or all are lost; nil when it is not known which.
  public var sequences: ClosedRange<UInt64>?
  /// How many samples are lost; nil when it is not known.
  public var samples: Int?
  /// How many deletions are lost; nil when it is not known.
  ///
  /// Samples that they removed may be back.
  public var deletions: Int?
  /// What is wrong.
  public var reason: String
}

/// What a repair saved and what it could not.
public struct RepairReport: Hashable, Sendable {
  /// What is lost, in order of sequence numbers.
  public internal(set) var losses: [Loss] = []
  /// Damage that cost nothing: what it hit is kept twice or can be made again.
  public internal(set) var mended: [Damage] = []
  /// Live samples and those of surviving deletions that are still in files.
  public internal(set) var sampleRows = 0
  /// Deletions in the repaired store.
  public internal(set) var deletionRows = 0
  /// Files that were read.
  public internal(set) var fileCount = 0
  /// The newest sequence number of what was saved.
  public internal(set) var end: UInt64 = 0
  /// The repaired store's epoch.
  public internal(set) var epoch: UInt32 = 0
  /// Anchors of the damaged store go on in the repaired one up to this sequence number; later ones
  /// are refused.
  public internal(set) var anchorsThrough: UInt64 = 0

  /// Whether nothing is lost.
  public var isWhole: Bool { losses.isEmpty }
}
