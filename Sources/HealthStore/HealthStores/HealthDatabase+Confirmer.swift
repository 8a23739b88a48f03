package import SampleLog

extension HealthDatabase {
  /// Wraps a database that the caller opened and will close.
  package convenience init(_ database: Database, confirmer: CommitConfirmer) {
    self.init(OpenStore(database, confirmer: confirmer))
  }
}
