public import Foundation
public import HealthStore
package import SampleLog

/// Writes the data of a store's subject as an export in Apple's format.
///
/// ```swift
/// let summary = try ExportWriter(from: store).write(to: path)
/// ```
///
/// - The folder has `export.xml` and, in folders of Apple's names, a GPX file for each route, a CSV
///   file for each electrocardiogram and a JSON file for each clinical record.
/// - Attributes of this library's own, in a namespace, say what Apple's format has no words for:
///   identifiers, exact dates, sources, links, and whole objects of families that it does not have.
///   With them ``ExportImporter`` makes the same store: equal objects, settings, links and
///   attachments.
/// - ``Options/isPlain`` leaves them out. What is lost then is in ``WritingSummary``.
/// - Elements are in the order of Apple's document type, records by type and start. The same store
///   and date give the same bytes. Days and file names are those of UTC.
/// - What the store had when writing began is in the export, whatever is saved meanwhile, but for
///   the days of activity, which are computed as they are written. What was deleted is not. Anchors
///   do not carry over.
///
/// Memory does not depend on the number of samples but for routes and heartbeat series, about 200
/// bytes each.
public struct ExportWriter {
  /// How an export is written.
  public struct Options: Sendable {
    /// When the export is said to be made.
    public var date: Date
    /// Whether the attributes of this library's own are left out.
    public var isPlain: Bool

    /// Options.
    ///
    /// - Parameters:
    ///   - date: When the export is said to be made.
    ///   - isPlain: Whether the attributes of this library's own are left out.
    public init(date: Date = Date(), isPlain: Bool = false) {
      self.date = date
      self.isPlain = isPlain
    }
  }

  private let store: HKHealthStore
  private let options: Options
  private let fileSystem: any FileSystem

  /// A writer of one export.
  ///
  /// - Parameters:
  ///   - store: The data of its subject is written. It must have no authorization policy.
  ///   - options: How it is written.
  public init(from store: HKHealthStore, options: Options = Options()) {
    self.init(from: store, options: options, fileSystem: PosixFileSystem())
  }

  package init(from store: HKHealthStore, options: Options, fileSystem: any FileSystem) {
    self.store = store
    self.options = options
    self.fileSystem = fileSystem
  }

  /// Writes an export.
  ///
  /// Blocks the calling thread. The document is called `export.xml` only when everything is written
  /// and durable; what an interruption leaves is no export to any reader. After an error the files
  /// are removed.
  ///
  /// - Parameter path: A folder that does not exist or is empty.
  /// - Returns: What was written, and what Apple's format has no words for.
  /// - Throws: ``ExportError/notEmpty(path:)``, ``ExportError/cannotWrite(path:reason:)``,
  ///   `StoreError.damaged` when the store cannot be read, and `HKError`
  ///   with `errorAuthorizationDenied` for a store with a policy.
  public func write(to path: String) throws -> WritingSummary {
    var objects = try StoredObjects(store)
    let folder = try ExportFolder(path, fileSystem)
    var unreadable: [String] = []
    objects.onUnreadable = { unreadable.append($0.description) }
    do {
      let document = try ExportDocument(objects, folder, options)
      try document.write(store)
      try folder.finish()
      var summary = document.summary
      summary.fileCount = folder.fileCount
      summary.byteCount = folder.byteCount
      summary.unreadable = unreadable
      return summary
    } catch {
      folder.discard()
      throw error
    }
  }
}
