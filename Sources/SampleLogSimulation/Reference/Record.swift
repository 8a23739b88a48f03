package import SampleLog

/// One sample as the reference store knows it.
package struct Record: Sendable {
  package var sequence: UInt64 = 0
  package var id: Identifier
  /// Which series it is in: there is one for each person and type of ``Comparison/types``.
  package var series: Int
  package var start: Double
  package var end: Double
  package var value: Double
  package var extras: [UInt8]
  /// The name under which later versions replace it, 0 for none.
  package var syncName: UInt8 = 0
  package var syncVersion: Int64 = 0
  /// Whether rows may belong to it.
  package var isOwner = false
  /// What it belongs to, for a row that is owned.
  package var owner: Identifier?
  /// The sequence number of its deletion.
  package var deletedAt: UInt64?
  package var deletionTime = 0.0
}

/// What a commit changes.
package struct Edit: Sendable {
  package var deletions: [Identifier] = []
  /// What goes with the deletions, because it belongs to what is deleted.
  package var ownedDeletions: [Identifier] = []
  package var additions: [Record] = []
  /// The sequence number that a durable subscription acknowledges; nil with a name removes it.
  package var acknowledgement: (name: String, sequence: UInt64?)?
  /// The person who is erased, by number.
  package var erasure: Int?
  package var time: Double

  package init(time: Double) { self.time = time }

  /// How many sequence numbers it takes.
  package var count: Int {
    deletions.count + ownedDeletions.count + additions.count + (acknowledgement == nil ? 0 : 1)
      + (erasure == nil ? 0 : 1)
  }
}
