import SampleLog

extension Database {
  /// Commits an edit and returns the sequence numbers it took.
  func perform(_ edit: Edit, isBuffered: Bool) throws -> ClosedRange<UInt64>? {
    if let (name, position) = edit.acknowledgement {
      let before = end
      if let position {
        try acknowledge(name, through: position)
      } else {
        try removeAcknowledgement(name)
      }
      return before < end ? end...end : nil
    }
    if let subject = edit.erasure {
      return try erase(symbols.intern(Comparison.subject(subject))).sequence.map { $0...$0 }
    }
    var batch = Batch()
    let unit = symbols.intern(Comparison.unit)
    let types = Comparison.types.map { symbols.intern($0) }
    var isVersioned = false
    for record in edit.additions {
      isVersioned = isVersioned || record.syncName > 0
      let extras = batch.intern(extras: record.extras)
      batch.add(
        subject: symbols.intern(Comparison.subject(record.series / types.count)),
        type: types[record.series % types.count], id: record.id, start: record.start,
        end: record.end,
        value: record.value, unit: unit, extras: extras)
    }
    // The store itself deletes the version that a newer one replaces.
    if !isVersioned { for id in edit.deletions { batch.delete(id) } }
    return try commit(batch, durability: isBuffered ? .buffered : .durable).sequences
  }
}
