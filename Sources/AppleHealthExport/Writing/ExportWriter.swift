public import Foundation
public import HealthStore
package import SampleLog

/// A writer that exports the data of a store's subject in Apple's format.
///
/// ```swift
/// let summary = try ExportWriter(from: store).write(to: path)
/// ```
///
/// - The folder contains `export.xml` and, in subfolders with Apple's names, a GPX file for each
///   route, a CSV file for each electrocardiogram and a JSON file for each clinical record.
/// - Attributes in a namespace of this library represent what Apple's format cannot: identifiers,
///   exact dates, sources, links, and entire objects of types that it does not have. From them,
///   ``ExportImporter`` restores an equal store with the same objects, settings, links and
///   attachments.
/// - ``Options/isPlain`` omits these attributes. ``WritingSummary`` then lists the lost data.
/// - Elements are in the order of Apple's document type, records by type and start. The same store
///   and date produce the same bytes. Days and file names are in UTC.
/// - The export contains the state of the store when writing began, regardless of concurrent
///   commits. Activity summaries are the exception: they are computed when they are written.
///   Deleted objects and anchors are not exported.
///
/// Memory use does not depend on the number of samples, except for about 200 bytes per route and
/// heartbeat series.
public struct ExportWriter {
  /// Options for writing an export.
  public struct Options: Sendable {
    /// The date of the export, as written to the document.
    public var date: Date
    /// Whether the attributes of this library are omitted.
    public var isPlain: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - date: The date of the export, as written to the document.
    ///   - isPlain: Whether the attributes of this library are omitted.
    public init(date: Date = Date(), isPlain: Bool = false) {
      self.date = date
      self.isPlain = isPlain
    }
  }

  private let store: HKHealthStore
  private let options: Options
  private let fileSystem: any FileSystem

  /// Creates a writer of one export.
  ///
  /// - Parameters:
  ///   - store: The store whose subject is exported. It must have no authorization policy.
  ///   - options: The options for writing.
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
  /// Blocks the calling thread. The document is renamed to `export.xml` only when every file is
  /// durable, so that no reader takes an interrupted export for a complete one. After an error, the
  /// files are removed.
  ///
  /// - Parameter path: A folder that does not exist or is empty.
  /// - Returns: The counts of written objects, and of data that Apple's format cannot represent.
  /// - Throws: ``ExportError/notEmpty(path:)``, ``ExportError/cannotWrite(path:reason:)``,
  ///   `StoreError.damaged` if the store cannot be read, or `HKError` with
  ///   `errorAuthorizationDenied` if the store has a policy.
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
