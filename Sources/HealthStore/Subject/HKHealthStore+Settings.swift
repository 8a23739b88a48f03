// Access to the subject's settings.
extension HKHealthStore {
  /// Reads settings of this object's subject on the calling thread.
  ///
  /// - Throws: ``HKError`` if the store cannot be opened. Errors of `body` are converted to
  ///   `HKError`.
  func withSettings<Value>(_ body: (SubjectSettings) throws -> Value) throws -> Value {
    do {
      return try body(SubjectSettings(try location.open(), subject: subject))
    } catch {
      throw HKError.from(error)
    }
  }

  /// Changes settings of this object's subject on a background thread.
  func changeSettings(
    _ body: @escaping @Sendable (SubjectSettings) throws -> Void
  ) async throws {
    try await changing { store, subject in try body(SubjectSettings(store, subject: subject)) }
  }
}
