package import SampleLog

// Samples and subjects of stored objects, for exports.
extension StoredObjects {
  /// Returns the sample for a row, or nil if this version does not know its type.
  ///
  /// As in query results, a workout includes the statistics of samples that were added to it
  /// later.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func sample(of row: Row) throws -> HKSample? {
    guard let type = reader.type(row.block.type) else { return nil }
    var check = RowCheck(reader)
    try check.check(row, in: snapshot)
    let block = StoredBlock(row.block, type, reader)
    if block.kind == .workout {
      try WorkoutAdditions.join(
        CollectionOfOne((block, Int32(row.row))), reader, in: snapshot
      ) { true }
    }
    return HKSample.make(block: block, row: Int32(row.row))
  }

  /// Returns the unit of the values in a row's points, or nil if the points have fixed units.
  ///
  /// - Throws: The same errors as ``forEach(_:_:)``.
  package func unitOfPoints(of row: Row) throws -> HKUnit? {
    switch reader.type(row.block.type) {
    case is HKQuantityType: reader.unit(row.block.unit[row.row])
    case is HKElectrocardiogramType: (try sample(of: row) as? HKElectrocardiogram)?.voltageUnit
    default: nil
    }
  }
}

extension HKActivitySummary {
  /// Returns the subjects that may have activity summaries: those with samples or with settings.
  package static func subjects(in snapshot: Snapshot, of database: Database) -> [String] {
    let symbols = snapshot.symbols
    var names = Set(snapshot.series.map { symbols.text($0.subject) })
    let word = Array("\(SubjectSetting.series.rawValue)/".utf8)
    for (key, _) in database.settings(beginningWith: word) {
      key.withUnsafeBytes { bytes in
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(word.count)))
        guard let subject = reader.text(), let type = reader.text(),
          type == HKObjectType.activitySummaryType().identifier
        else { return }
        names.insert(subject)
      }
    }
    return names.sorted()
  }
}
