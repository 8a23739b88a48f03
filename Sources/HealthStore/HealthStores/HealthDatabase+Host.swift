package import SampleLog

extension HealthDatabase {
  /// Wraps a database that its delegate opened and will close.
  package convenience init(_ database: Database, host: StoreHost) {
    self.init(OpenStore(database, host: host))
  }
}
