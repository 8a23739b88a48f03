import HealthStore
import SampleLog

/// Saves the changes of a kept store in another copy, in batches, each of which is one commit.
struct KeptChangeSaver: ~Copyable {
  private let objects: StoredObjects
  private let symbols: SymbolTable
  private let appliesDeletions: Bool
  private var writer: RowWriter
  /// The number of changes in the current batch.
  private var waiting = 0
  /// The size of their extras, in bytes.
  private var waitingBytes = 0
  private var counts = KeptChangeCounts()
  /// The numbers of committed changes.
  private(set) var saved = KeptChangeCounts()

  init(_ kept: Database, _ snapshot: Snapshot, into store: Database, appliesDeletions: Bool) {
    objects = StoredObjects(RowReader(kept), snapshot)
    symbols = kept.symbols
    writer = RowWriter(store, subject: "")
    self.appliesDeletions = appliesDeletions
    WorkoutRecount.addCommitHook(to: store)
  }

  mutating func save(_ change: KeptChange) throws {
    if waiting >= Ingestion.batchCount || waitingBytes >= Ingestion.batchBytes { try commit() }
    switch change {
    case .sample(let row):
      let (sample, children) = try objects.stored(row)
      writer.use(subject: symbols.text(row.subject))
      try writer.add(sample, children: children)
      waitingBytes += ([sample] + children).reduce(0) { $0 + $1.extras.count }
    case .addition(let row, let parent):
      let child = try objects.stored(row, of: parent)
      writer.use(subject: symbols.text(row.subject))
      try writer.add(child)
      waitingBytes += child.extras.count
    case .deletion(let row):
      guard appliesDeletions else { return }
      writer.delete(row.id)
    }
    counts.add(change)
    waiting += 1
  }

  /// Commits the current batch.
  mutating func commit() throws {
    if waiting == 0 { return }
    _ = try writer.commit()
    saved = counts
    (waiting, waitingBytes) = (0, 0)
  }
}

/// The numbers of changes of a kept store.
struct KeptChangeCounts {
  var samples = 0
  var deletions = 0
  /// The number of samples with additions.
  var extended: Int { parents.count }
  private var parents: Set<Identifier> = []

  /// Counts a change, and returns whether it is not a further addition to the same sample.
  @discardableResult
  mutating func add(_ change: KeptChange) -> Bool {
    switch change {
    case .sample: samples += 1
    case .addition(_, let parent): return parents.insert(parent.id).inserted
    case .deletion: deletions += 1
    }
    return true
  }
}
