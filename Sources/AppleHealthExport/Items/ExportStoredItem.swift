package import HealthStore

/// An object, a child row or a setting in an export written by this library.
///
/// ``ExportWriter`` adds attributes for data that Apple's format cannot represent. If an element
/// has them, they take precedence over Apple's attributes and child elements, which are ignored.
public struct ExportStoredItem: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    case row(StoredSample)
    case setting(StoredSetting)
  }

  package var content: Content
  /// The file that holds the same data for other programs.
  package var file: String?

  package init(_ content: Content, file: String? = nil) {
    self.content = content
    self.file = file
  }

  /// Whether this is a child row of the preceding object, to be committed together with it.
  var belongsToLast: Bool {
    if case .row(let row) = content { row.childType != nil } else { false }
  }
}
