package import HealthStore

/// An object, what belongs to one, or a setting, as an export of this library has it.
///
/// Exports made by ``ExportWriter`` say with attributes of their own what Apple's format has no
/// words for. Where they are, they count, and what Apple's attributes and children say does not.
public struct ExportStoredItem: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case row(StoredSample)
    case setting(StoredSetting)
  }

  package var content: Content
  /// The file in which the same is for other programs.
  package var file: String?

  package init(_ content: Content, file: String? = nil) {
    self.content = content
    self.file = file
  }

  /// Whether it belongs to the object before it, and must be saved together with that.
  var belongsToLast: Bool {
    if case .row(let row) = content { row.role != nil } else { false }
  }
}
