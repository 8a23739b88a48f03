/// Common errors in the use of disks, to test whether the simulation detects them.
package enum PlantedBug: String, CaseIterable, Sendable {
  /// Files are never synced.
  case noFileSync
  /// The directory is never synced.
  case noDirectorySync
  /// A file is renamed before it is synced.
  case renameBeforeSync
  /// Data become durable only after the call that should make them durable has returned.
  case acknowledgeBeforeSync
}
