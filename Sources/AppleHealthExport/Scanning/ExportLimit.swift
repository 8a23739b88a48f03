/// A bound on the input that keeps memory bounded, whatever a hostile file contains.
///
/// An item above one is left out and named; a root above one is an error.
public enum ExportLimit: String, Equatable, Sendable, CaseIterable {
  /// One attribute value: at most 1 MiB.
  case attributeBytes
  /// The attributes of one element: at most 256.
  case attributeCount
  /// One tag with its attributes: at most 4 MiB.
  case tagBytes
  /// Open elements inside each other: at most 64.
  case depth
  /// One child of the root, such as a workout with all its parts: at most 64 MiB.
  case itemBytes

  /// The largest value that is accepted.
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
