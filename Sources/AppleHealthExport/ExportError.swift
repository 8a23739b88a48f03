/// Why an export could not be opened, read on or written.
///
/// Defects that Apple's own exports are known for are never errors: they are read through and
/// counted in ``ExportSummary``. A truncated file is no error either: everything before the cut
/// is delivered and ``ExportSummary/end`` says where it was.
public enum ExportError: Error, Equatable, Sendable {
  /// The file or folder could not be opened.
  case cannotOpen(path: String, reason: String)
  /// Reading failed in the middle.
  case cannotRead(reason: String)
  /// There is no `<HealthData` at the start of the document; `found` is the first element seen.
  case notAnExport(found: String?)
  /// The root's tag exceeds a limit that no real export comes near; `offset` counts bytes.
  ///
  /// An item that does is left out and counted, see ``ExportSummary/problems``.
  case limitExceeded(ExportLimit, offset: Int64)
  /// A folder or archive contains no export.
  case noExportInside(path: String)
  /// A folder or archive contains more than one export, so the caller has to name one.
  case severalExports(path: String, names: [String])
  /// The `unzip` program, which reads archives, is not installed.
  case unzipMissing
  /// The `unzip` program failed with this exit status.
  case unzipFailed(path: String, status: Int32)
  /// A later version of this library made the export, with attributes that this one does not know.
  case unsupportedVersion(String)
  /// The folder that an export is to be written to is not empty.
  case notEmpty(path: String)
  /// The work was cancelled; what was read before is saved.
  case cancelled
  /// A file of an export could not be written.
  case cannotWrite(path: String, reason: String)
}

extension ExportError: CustomStringConvertible {
  /// One sentence for a person.
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
