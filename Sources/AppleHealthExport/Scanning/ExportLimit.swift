/// A limit on the input that bounds the reader's memory, even for a hostile file.
///
/// An item that exceeds a limit is skipped and reported. A root element that exceeds one is an
/// error.
public enum ExportLimit: String, Equatable, Sendable, CaseIterable {
  /// The size of an attribute value: at most 1 MiB.
  case attributeBytes
  /// The number of attributes of an element: at most 256.
  case attributeCount
  /// The size of a tag with its attributes: at most 4 MiB.
  case tagBytes
  /// The nesting depth of elements: at most 64.
  case depth
  /// The size of an item, such as a workout with all its parts: at most 64 MiB.
  case itemBytes

  /// The largest accepted value.
  public var maximum: Int {
    switch self {
    case .attributeBytes: 1 << 20
    case .attributeCount: 256
    case .tagBytes: 4 << 20
    case .depth: 64
    case .itemBytes: 64 << 20
    }
  }

  var sentence: String {
    switch self {
    case .attributeBytes: "an attribute value is longer than \(maximum) bytes"
    case .attributeCount: "an element has more than \(maximum) attributes"
    case .tagBytes: "a tag is longer than \(maximum) bytes"
    case .depth: "elements are nested more than \(maximum) deep"
    case .itemBytes: "one item is longer than \(maximum) bytes"
    }
  }
}
