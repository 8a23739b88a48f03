extension RowWriter {
  /// Creates a writer for the data of a store's subject.
  ///
  /// - Throws: The errors of opening the store.
  package init(_ store: HKHealthStore) throws {
    self.init(try store.location.open(), subject: store.subject)
  }
}
