extension StoredBlock {
  /// Returns the members of a correlation that were read for its row.
  func members(at row: Int32) -> Set<HKSample> { related(at: row) as? Set<HKSample> ?? [] }
}
