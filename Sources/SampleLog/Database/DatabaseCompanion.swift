/// What a layer above keeps for as long as a database is open.
package protocol DatabaseCompanion: AnyObject, Sendable {
  /// Writes what is left to write; called by ``Database/close()``, which then closes.
  func databaseWillClose()
}

extension Database {
  /// Returns the companion that was made for the database, or makes it.
  ///
  /// The database keeps it, so it must not keep the database.
  package func companion<Companion: DatabaseCompanion>(
    _ make: () -> Companion
  ) -> Companion {
    companion.withLock { companion in
      if let known = companion as? Companion { return known }
      let made = make()
      companion = made
      return made
    }
  }
}
