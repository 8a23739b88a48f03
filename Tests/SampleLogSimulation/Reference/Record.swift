package import SampleLog

/// A sample or child row in the reference store.
package struct Record: Sendable {
  package var sequence: UInt64 = 0
  package var id: Identifier
  /// The number of its series; there is one for each subject and type of ``Comparison/types``.
  package var series: Int
  package var start: Double
  package var end: Double
  package var value: Double
  package var extras: [UInt8]
  /// The sync name by which later versions replace it, or 0 for none.
  package var syncName: UInt8 = 0
  package var syncVersion: Int64 = 0
  /// Whether the record may have child rows.
  package var isParent = false
  /// The parent of a child row.
  package var parent: Identifier?
  /// The sequence number of its deletion.
  package var deletedAt: UInt64?
  package var deletionTime = 0.0
}

/// The changes of a commit.
package struct Edit: Sendable {
  package var deletions: [Identifier] = []
  /// The child rows that are deleted together with their parents.
  package var childDeletions: [Identifier] = []
  package var additions: [Record] = []
  /// The sequence number that a durable subscription acknowledges, or a name with nil to remove the
  /// subscription.
  package var acknowledgement: (name: String, sequence: UInt64?)?
  /// The number of the subject to erase.
  package var erasure: Int?
  package var time: Double

  package init(time: Double) { self.time = time }

  /// The number of sequence numbers that the commit uses.
  package var count: Int {
    deletions.count + childDeletions.count + additions.count + (acknowledgement == nil ? 0 : 1)
      + (erasure == nil ? 0 : 1)
  }
}
