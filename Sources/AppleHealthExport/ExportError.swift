/// An error that prevents an export from being opened, read or written.
///
/// Defects known from Apple's own exports are not errors: the reader tolerates them and counts them
/// in ``ExportSummary``. Neither is a truncated file: the reader delivers every complete item, and
/// ``ExportSummary/end`` holds the offset of the cut.
public enum ExportError: Error, Equatable, Sendable {
  /// The file or folder could not be opened.
  case cannotOpen(path: String, reason: String)
  /// Reading failed after the export was opened.
  case cannotRead(reason: String)
  /// The document does not start with a `<HealthData>` element.
  ///
  /// `found` is the first element, or a phrase that describes the content. It is nil if there is no
  /// element.
  case notAnExport(found: String?)
  /// The tag of the root element exceeds a limit; `offset` is the position in bytes.
  ///
  /// No real export comes near these limits. An item that exceeds one is skipped and counted in
  /// ``ExportSummary/problems``.
  case limitExceeded(ExportLimit, offset: Int64)
  /// A folder or archive contains no export.
  case noExportInside(path: String)
  /// A folder or archive contains more than one export, so the caller must name one.
  case severalExports(path: String, names: [String])
  /// The `unzip` program, which reads archives, is not installed.
  case unzipMissing
  /// The `unzip` program exited with a nonzero status.
  case unzipFailed(path: String, status: Int32)
  /// The export was written by another version of this library, with attributes unknown to this
  /// one.
  case unsupportedVersion(String)
  /// The destination folder is not empty.
  case notEmpty(path: String)
  /// The operation was cancelled; an import has saved everything that it had read.
  case cancelled
  /// A file of an export could not be written.
  case cannotWrite(path: String, reason: String)
}

extension ExportError: CustomStringConvertible {
  /// A one-sentence description of the error, suitable for display.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "\(path) cannot be opened: \(reason)."
    case .cannotRead(let reason): "The export cannot be read: \(reason)."
    case .notAnExport(nil): "This is not an Apple Health export: there is no <HealthData> in it."
    case .notAnExport(let name?):
      "This is not an Apple Health export: it starts with \(name) instead of <HealthData>."
    case .limitExceeded(let limit, let offset): "At byte \(offset), \(limit.sentence)."
    case .noExportInside(let path): "There is no Apple Health export in \(path)."
    case .severalExports(let path, let names):
      "\(path) contains several exports; name one of them: \(names.joined(separator: ", "))."
    case .unzipMissing:
      "Reading a .zip needs the unzip program. Install it, or unpack the archive first."
    case .unzipFailed(let path, let status):
      "\(path) cannot be unpacked: \(Self.sentence(forStatus: status))."
    case .unsupportedVersion(let version):
      "A later version of this program made the export, with attributes of version \(version)."
    case .notEmpty(let path):
      "\(path) is not empty; name a folder that does not exist or is empty."
    case .cancelled: "The work was cancelled."
    case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)."
    }
  }

  private static func sentence(forStatus status: Int32) -> String {
    switch status {
    case 1, 2, 3: "the archive is damaged (unzip exit status \(status))"
    case 9: "it is not a zip archive, or its end is missing"
    case 11: "the entry is not in the archive"
    case 51: "the archive is cut short"
    case 81, 82: "the archive is encrypted or uses an unsupported compression"
    default: "unzip ended with status \(status)"
    }
  }
}
