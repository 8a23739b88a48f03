/// Mistakes that programs make with disks, to see whether the simulation notices them.
package enum PlantedBug: String, CaseIterable, Sendable {
  /// Files are never synced.
  case noFileSync
  /// The directory is never synced.
  case noDirectorySync
  /// A file gets its name before it is synced.
  case renameBeforeSync
  /// What should be durable when a call returns becomes so a moment later.
  case acknowledgeBeforeSync
}
