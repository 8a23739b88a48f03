extension HKHealthStore {
  /// Reads settings of this object's subject on the calling thread.
  ///
  /// - Throws: ``HKError`` if the store cannot be opened. Errors of `body` are converted to
  ///   `HKError`.
  func withSettings<Value>(_ body: (PersonSettings) throws -> Value) throws -> Value {
    do {
      return try body(PersonSettings(try location.open(), subject: subject))
    } catch {
      throw HKError.from(error)
    }
  }

  /// Changes settings of this object's subject on a background thread.
  func changeSettings(
    _ body: @escaping @Sendable (PersonSettings) throws -> Void
  ) async throws {
    try await changing { store, subject in try body(PersonSettings(store, subject: subject)) }
  }
}
